import SwiftSyntax
import SwiftSyntaxBuilder

extension PersistedProperty {
    /// The stored properties behind the computed one: the storage; where Swift must check that initializers assign the
    /// property, the marker; and where it has observers, whether one runs.
    func storageDeclarations() -> [DeclSyntax] {
        let storage: DeclSyntax = "@exclusivity(unchecked) private final var \(raw: storage) = \(raw: emptyStorage)"
        let assigned: [DeclSyntax] =
            needsAssignment ? ["private final var \(raw: marker): StrataModels._Assigned"] : []
        let observed: [DeclSyntax] = observers.isEmpty ? [] : ["private final var \(raw: observing) = false"]
        return [storage] + assigned + observed
    }

    /// The expression whose type is the storage's; it holds no value yet.
    private var emptyStorage: String {
        guard let metatype else {
            return "StrataModels._storage(inferredFrom: \(initialValue?.trimmedDescription ?? "()"))"
        }
        return switch form {
        case .inferred: "StrataModels._storage(of: \(metatype))"
        case .codable: "StrataModels._storage(codable: \(metatype))"
        case .transformed(let transformer): "StrataModels._storage(transformed: \(metatype), by: \(transformer))"
        }
    }
}
