public import Foundation
public import StrataClient

/// Turns a value into the bytes that are stored, and back: what `@Attribute(.transformable(by:))` names.
///
/// Foundation's `ValueTransformer` does not exist on Linux; this protocol takes its place.
public protocol AttributeTransformer: SendableMetatype {
    /// The type of the property in Swift.
    associatedtype Value
    /// The stored form (`bytea`). Whatever it throws is reported with the property's name.
    static func transformed(_ value: Value) throws -> Data
    /// The value whose stored form this is. Called with whatever bytes the column holds.
    ///
    /// Whatever it throws is reported with the property's name.
    static func restored(_ data: Data) throws -> Value
    /// Why it cannot be used, if it cannot; asked when a container is made.
    static var obstacle: String? { get }
}

extension AttributeTransformer {
    /// None.
    public static var obstacle: String? { nil }
}

/// A property stored through an ``AttributeTransformer``: `bytea`.
public enum TransformedCoding<Transformer: AttributeTransformer>: AttributeCoding {
    /// What the transformer turns into bytes.
    public typealias Value = Transformer.Value

    /// Always `bytea`.
    public static var columnType: PostgresType { .bytea }
    /// None: only the transformer can make a value. Without a default the property is part of every fetch.
    public static var placeholder: Value? { nil }
    /// What the value's type makes of nothing, or else the transformer of no bytes.
    public static var standIn: Value? { StandInValue.make(Value.self) ?? (try? Transformer.restored(Data())) }
    /// A transformer need not write the same bytes twice.
    public static var isComparable: Bool { false }
    /// The transformer's.
    public static var obstacle: String? { Transformer.obstacle }

    /// Lets the transformer restore the value from the stored bytes.
    ///
    /// - Throws: `PostgresError` with the code `decoding` for NULL and for whatever the transformer throws.
    public static func decode(_ bytes: UnsafeRawBufferPointer?) throws(PostgresError) -> Value {
        guard let bytes else { throw unexpectedNull(Value.self) }
        do {
            return try Transformer.restored(Data(bytes))
        } catch {
            throw PostgresError(
                .decoding, "\(Transformer.self) refused the stored bytes", underlying: CodingNote("\(error)"))
        }
    }

    /// Appends the bytes that the transformer makes of the value to an array parameter.
    public static func append(_ value: Value, to array: inout PostgresArray) throws(PostgresError) {
        try array.append(data(value))
    }

    /// Appends the bytes that the transformer makes of the value as one parameter.
    public static func append(_ value: Value, to parameters: inout PostgresParameters) throws(PostgresError) {
        try parameters.append(data(value))
    }

    private static func data(_ value: Value) throws(PostgresError) -> Data {
        do {
            return try Transformer.transformed(value)
        } catch {
            throw PostgresError(.encoding, "\(Transformer.self) refused a value", underlying: CodingNote("\(error)"))
        }
    }
}
