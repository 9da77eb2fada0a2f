import StrataClient
import StrataModels

/// New objects that turn out to be rows that exist, or other new objects: their keys, and those they stand for.
struct KeyRewriting {
    private var keys: [RowPlace: RowKey] = [:]

    var isEmpty: Bool { keys.isEmpty }

    mutating func replace(_ key: RowKey, of entity: EntityMapping, by other: RowKey) {
        keys[RowPlace(key, of: entity)] = other
    }

    func contains(_ key: RowKey, of entity: EntityMapping) -> Bool {
        !keys.isEmpty && keys[RowPlace(key, of: entity)] != nil
    }

    func callAsFunction(_ key: RowKey, of entity: EntityMapping) -> RowKey {
        keys.isEmpty ? key : keys[RowPlace(key, of: entity)] ?? key
    }
}
