import Foundation
import StrataClient
import StrataModels
import StrataRepository
import Testing

/// The identity map beside a dictionary: any keys, in any order, taken out again in any order.
@Suite struct IdentityTableTests {
    /// Keys as they come: runs of neighbours, some alone, some negative, some far apart.
    private func keys(_ generator: inout some RandomNumberGenerator) -> [RowKey] {
        var keys: [RowKey] = []
        for _ in 0..<12 {
            let distance = Int64.random(in: 0...40, using: &generator)
            let start = Int64.random(in: -5_000...5_000, using: &generator) << distance
            keys += (0..<Int64.random(in: 1...40, using: &generator)).map { RowKey(start &+ $0) }
        }
        return keys.filter { $0 != 0 }
    }

    /// UUIDs as they come, and many that differ in one half only: both halves have the same words.
    private func uuids(_ generator: inout some RandomNumberGenerator) -> [RowKey] {
        let words = (0..<20).map { _ in UInt64.random(in: 0...UInt64.max, using: &generator) }
        let keys = (0..<300).map { _ in
            let pair = ((words.randomElement(using: &generator) ?? 0), (words.randomElement(using: &generator) ?? 0))
            return withUnsafeBytes(of: pair) { RowKey(bytesOfValue: $0) }
        }
        // Of these, each has the word of the one before.
        let mirrored = keys.prefix(100).map { key in
            var bytes = key.postgresBytes
            let flips = UInt8.random(in: 1...255, using: &generator)
            bytes[7] ^= flips
            bytes[15] ^= flips
            return bytes.withUnsafeBytes { RowKey(bytesOfValue: $0) }
        }
        return keys + mirrored
    }

    /// Texts of few letters, as codes are, some with the same beginning, and some that have no room in the words.
    private func texts(_ generator: inout some RandomNumberGenerator) -> [RowKey] {
        (0..<300).compactMap { _ in
            let most = Bool.random(using: &generator) ? 3 : 20
            let length = Int.random(in: 0...most, using: &generator)
            return RowKey(text: String((0..<length).map { _ in "abAB".randomElement(using: &generator) ?? "a" }))
        }
    }

    @Test(arguments: 0..<20)
    func itHoldsTextsAsADictionaryDoes(_ seed: UInt64) {
        var generator = KeyGenerator(seed)
        hold(texts(&generator), .text, seed, &generator)
    }

    /// Codes begin alike and differ at their end: a table that looked at the first bytes only would look through all of them for each.
    @Test(arguments: ["", "A", "AB", "ABC", "ABCD", "ABCDE", "a longer beginning "])
    func codesWithOneBeginningAreSpread(_ beginning: String) {
        let table = IdentityTable(.text)
        let states = (0..<100_000).map { number in
            let state = ModelState()
            let digits = String(1_679_616 + number, radix: 36).dropFirst()
            state.rekey(to: RowKey(text: beginning + digits) ?? 0)
            table.insert(state, key: state.key)
            return state
        }
        #expect(Set(states.map(\.key)).count == 100_000)
        #expect(states.allSatisfy { table.state(of: $0.key) === $0 })
        #expect(states.last?.key.text == beginning + "255r")
    }

    @Test(arguments: 0..<40)
    func itHoldsWhatADictionaryHolds(_ seed: UInt64) {
        var generator = KeyGenerator(seed)
        hold(keys(&generator), .integer, seed, &generator)
    }

    @Test(arguments: 0..<20)
    func itHoldsUUIDsAsADictionaryDoes(_ seed: UInt64) {
        var generator = KeyGenerator(seed)
        hold(uuids(&generator), .uuid, seed, &generator)
    }

    @Test func aKeyOfAnotherKindIsNotFound() {
        let (numbers, uuids) = (IdentityTable(), IdentityTable(.uuid))
        let (number, uuid) = (RowKey(7), RowKey(UUID()) ?? 0)
        let (one, other) = (ModelState(), ModelState())
        other.rekey(to: uuid)
        numbers.insert(one, key: number)
        uuids.insert(other, key: uuid)
        numbers.insert(other, key: uuid)
        uuids.insert(one, key: number)
        #expect(numbers.state(of: uuid) == nil && uuids.state(of: number) == nil)
        #expect(numbers.state(of: number) === one && uuids.state(of: uuid) === other)
    }

    private func hold(
        _ pool: [RowKey], _ kind: RowKey.Kind, _ seed: UInt64, _ generator: inout KeyGenerator
    ) {
        let table = IdentityTable(kind)
        var expected: [RowKey: ModelState] = [:]
        var kept: [ModelState] = []
        for step in 0..<3_000 {
            let key = pool[Int.random(in: 0..<pool.count, using: &generator)]
            if Bool.random(using: &generator) == (step % 1_000 < 600) {
                let state = ModelState()
                state.rekey(to: key)
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
struct KeyGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
