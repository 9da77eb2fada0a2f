import StrataMigrations
import StrataModels

/// Shapes of a schema, and the changes that lead from one to another with what they make of the objects.
struct ChainPool: Sendable {
    struct Edge: Sendable {
        var from: String
        var to: String
        var changes: [SchemaChange]
        /// What becomes of the objects.
        var apply: @Sendable (inout [StoredObject]) -> Void
    }

    var shapes: [String: [any PersistentModel.Type]]
    var edges: [Edge]
    /// Where the seed's objects are.
    var start: String
    var seed: @Sendable (inout SeededGenerator) -> [StoredObject]

    func edges(from shape: String) -> [Edge] { edges.filter { $0.from == shape } }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension [StoredObject] {
    mutating func change(_ kind: String, _ body: (inout StoredObject) -> Void) {
        for index in indices where self[index].kind == kind { body(&self[index]) }
    }

    mutating func rename(_ kind: String, _ from: String, _ to: String) {
        change(kind) { $0.values[to] = $0.values.removeValue(forKey: from) }
    }
}
