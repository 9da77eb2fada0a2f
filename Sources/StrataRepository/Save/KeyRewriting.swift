import StrataModels

/// New objects that turn out to be rows that exist, or other new objects: their keys, and those they stand for.
struct KeyRewriting {
    private var keys: [Int64: Int64] = [:]

    var isEmpty: Bool { keys.isEmpty }

    mutating func replace(_ key: Int64, by other: Int64) { keys[key] = other }

    func contains(_ key: Int64) -> Bool { keys[key] != nil }

    func callAsFunction(_ key: Int64) -> Int64 { keys.isEmpty ? key : keys[key] ?? key }
}
