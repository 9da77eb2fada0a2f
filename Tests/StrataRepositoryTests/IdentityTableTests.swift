import StrataModels
import StrataRepository
import Testing

/// The identity map beside a dictionary: any keys, in any order, taken out again in any order.
@Suite struct IdentityTableTests {
    /// Keys as they come: runs of neighbours, some alone, some negative, some far apart.
    private func keys(_ generator: inout some RandomNumberGenerator) -> [Int64] {
        var keys: [Int64] = []
        for _ in 0..<12 {
            let distance = Int64.random(in: 0...40, using: &generator)
            let start = Int64.random(in: -5_000...5_000, using: &generator) << distance
            keys += (0..<Int64.random(in: 1...40, using: &generator)).map { start &+ $0 }
        }
        return keys.filter { $0 != 0 }
    }

    @Test(arguments: 0..<40)
    func itHoldsWhatADictionaryHolds(_ seed: UInt64) {
        var generator = KeyGenerator(seed)
        let table = IdentityTable()
        let pool = keys(&generator)
        var expected: [Int64: ModelState] = [:]
        var kept: [ModelState] = []
        for step in 0..<3_000 {
            let key = pool[Int.random(in: 0..<pool.count, using: &generator)]
            if Bool.random(using: &generator) == (step % 1_000 < 600) {
                let state = ModelState()
                kept.append(state)
                table.insert(state, key: key)
                expected[key] = state
            } else if let state = expected[key] {
                // Somebody else's entry stays.
                table.remove(ModelState(), key: key)
                #expect(table.state(of: key) === state)
                table.remove(state, key: key)
                expected[key] = nil
            } else {
                table.remove(ModelState(), key: key)
            }
        }
        for key in pool { #expect(table.state(of: key) === expected[key], "\(key) of seed \(seed)") }
        var found: Set<ObjectIdentifier> = []
        table.forEach { found.insert(ObjectIdentifier($0)) }
        #expect(found == Set(expected.values.map { ObjectIdentifier($0) }))
        for (key, state) in expected { table.remove(state, key: key) }
        #expect(table.isEmpty)
        for key in pool { #expect(table.state(of: key) == nil) }
    }

    @Test func aKeyOfNothingIsNotEntered() {
        let table = IdentityTable()
        table.insert(ModelState(), key: 0)
        #expect(table.isEmpty && table.state(of: 0) == nil)
    }
}

/// The same numbers for the same seed.
private struct KeyGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
