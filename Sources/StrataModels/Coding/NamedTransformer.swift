public import Foundation
import Synchronization

extension AttributeTransformer {
    /// Makes this transformer the one that `@Attribute(.transformable(by: "ColorTransformer"))` names.
    ///
    /// Once, before the first container is made whose classes name it. A later registration under the same name takes the place of
    /// the earlier one.
    ///
    /// ```swift
    /// enum ColorTransformer: AttributeTransformer { … }
    /// ColorTransformer.register()
    /// ```
    /// - Parameter name: the name; without it, that of the type.
    public static func register(as name: String = String(describing: Self.self)) {
        TransformerRegistry.register(Self.self, as: name)
    }
}

/// Stands for the transformer that is registered under a name: `@Model` writes one for a property that gives a name.
public protocol NamedTransformer: AttributeTransformer {
    /// The name in `@Attribute(.transformable(by:))`.
    static var name: String { get }
}

extension NamedTransformer {
    /// What the registered transformer makes of the value.
    public static func transformed(_ value: Value) throws -> Data {
        try TransformerRegistry.transformer(named: name, of: Value.self).transformed(value)
    }

    /// The value that the registered transformer makes of the bytes.
    public static func restored(_ data: Data) throws -> Value {
        try TransformerRegistry.transformer(named: name, of: Value.self).restored(data)
    }

    /// That none is registered, or one for another type.
    public static var obstacle: String? {
        do {
            _ = try TransformerRegistry.transformer(named: name, of: Value.self)
            return nil
        } catch {
            return error.description
        }
    }
}

/// The transformers that have a name. They are looked up with each value of such a property; others never come here.
private enum TransformerRegistry {
    struct Transformer<Value>: Sendable {
        let transformed: @Sendable (Value) throws -> Data
        let restored: @Sendable (Data) throws -> Value
    }

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private static let transformers = Mutex<[String: any Sendable]>([:])

    static func register<T: AttributeTransformer>(_: T.Type, as name: String) {
        let transformer = Transformer<T.Value>(transformed: { try T.transformed($0) }, restored: { try T.restored($0) })
        transformers.withLock { $0[name] = transformer }
    }

    static func transformer<Value>(named name: String, of _: Value.Type) throws(Missing) -> Transformer<Value> {
        guard let found = transformers.withLock({ $0[name] }) else {
            throw Missing(description: "no transformer is registered under the name \"\(name)\"")
        }
        guard let transformer = found as? Transformer<Value> else {
            throw Missing(description: "the transformer registered under the name \"\(name)\" is not for \(Value.self)")
        }
        return transformer
    }
}
