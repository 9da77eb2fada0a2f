import SwiftSyntax

extension ModelDeclaration {
    /// The stored properties behind the computed ones.
    func storages() -> [String] {
        properties.isEmpty ? [] : [properties.flatMap { $0.storageDeclarations() }.joined(separator: "\n")]
    }
}

extension PersistedProperty {
    /// The stored properties behind the computed one: the storage; where Swift must check that initializers assign the
    /// property, the marker; and where it has observers, whether one runs.
    func storageDeclarations() -> [String] {
        let storage = "@exclusivity(unchecked) private final var \(storage) = \(emptyStorage)"
        let assigned: [String] =
            needsAssignment ? ["private final var \(marker): StrataModels._Assigned"] : []
        let observed: [String] = observers.isEmpty ? [] : ["private final var \(observing) = false"]
        return namedTransformer + [storage] + assigned + observed
    }

    /// The expression whose type is the storage's; it holds no value yet.
    private var emptyStorage: String {
        guard let metatype else {
            return "StrataModels._storage(inferredFrom: \(initialValue?.trimmedDescription ?? "()"))"
        }
        return switch form {
        case .inferred: "StrataModels._storage(of: \(metatype))"
        case .codable: "StrataModels._storage(codable: \(metatype))"
        case .transformed(let type): "StrataModels._storage(transformed: \(metatype), by: \(type))"
        case .named: "StrataModels._storage(transformed: \(metatype), by: \(transformer).self)"
        }
    }

    private var namedTransformer: [String] {
        guard case .named(let name) = form, let type else { return [] }
        return [
            """
            nonisolated private enum \(transformer): StrataModels.NamedTransformer {
                typealias Value = \(type.wrapped)
                static let name = \(name)
            }
            """
        ]
    }
}

extension TypeSyntax {
    /// The type without a question mark.
    fileprivate var wrapped: String {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.trimmedDescription }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return optional.wrappedType.trimmedDescription
        }
        return trimmedDescription
    }
}
