import StrataClient
import StrataModels

/// New objects that turn out to be rows that exist, or other new objects: their keys, and those they stand for. Objects of two hierarchies
/// may have the same key.
struct KeyRewriting {
    private struct Place: Hashable {
        let root: Int
        let key: RowKey
    }

    private var keys: [Place: RowKey] = [:]

    var isEmpty: Bool { keys.isEmpty }

    mutating func replace(_ key: RowKey, of entity: EntityMapping, by other: RowKey) {
        keys[Place(root: entity.root.index, key: key)] = other
    }

    func contains(_ key: RowKey, of entity: EntityMapping) -> Bool {
        !keys.isEmpty && keys[Place(root: entity.root.index, key: key)] != nil
    }

    func callAsFunction(_ key: RowKey, of entity: EntityMapping) -> RowKey {
        keys.isEmpty ? key : keys[Place(root: entity.root.index, key: key)] ?? key
    }
}
