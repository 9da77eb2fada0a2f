import Foundation
import StrataClient
import StrataModels
import Testing

@Suite("History tokens")
struct HistoryTokenTests {
    @Test("survive their encoded form, which is one string") func codable() throws {
        let tokens = [
            DefaultHistoryToken(),
            token(HistoryPosition(generation: 1, base: nil, floor: 17)),
            token(HistoryPosition(generation: 1, base: HistorySnapshot(end: 90, running: [71, 88]))),
            token(
                HistoryPosition(
                    generation: 3, base: HistorySnapshot(end: 90),
                    page: .init(ceiling: HistorySnapshot(end: 95, running: [91]), upto: 400),
                    mark: .init(generation: 2, transaction: 94, number: 400))),
            DefaultHistoryToken([
                "a": HistoryPosition(generation: 1, base: HistorySnapshot(end: 5)),
                "b": HistoryPosition(generation: 2, base: HistorySnapshot(end: 7, running: [6])),
            ]),
        ]
        for token in tokens {
            let data = try JSONEncoder().encode([token])
            #expect(try JSONDecoder().decode([DefaultHistoryToken].self, from: data) == [token])
            #expect(try JSONDecoder().decode([String].self, from: data) == [token.description])
            #expect(DefaultHistoryToken(token.description) == token)
            #expect(DefaultHistoryToken(token.description)?.hashValue == token.hashValue)
        }
    }

    @Test(
        "are not read from anything else",
        arguments: [
            "", "2-", "1", "1-a", "1-a/1", "1-a/1/", "1-a/01/5", "1-a/1/-5", "1-a/1/5.6", "1-a/1/9.5.5", "1-a/1/9.7.6",
            "1-a/1/5/6", "1-a/1/5/6/", "1-a/1/5/6/7/8", "1-a/1/5@6", "1-a/1/5@6.", "1-a/1/5@6.7", "1-a/1/5@1.6.7.8",
            "1-b/1/5,a/1/5", "1-a/1/5,a/1/6",
            "1-a/1/5,", "1-a/1/ 5", "1-a/1/5 ", "1-a/1/s", "1-a/1/99999999999999999999", "1-/1/5",
        ])
    func strict(text: String) throws {
        #expect(DefaultHistoryToken(text) == nil)
        let data = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([DefaultHistoryToken].self, from: data) }
    }

    @Test("along a chain of fetches are in order, whichever two are compared") func order() {
        var random = SystemRandomNumberGenerator()
        var tokens: [DefaultHistoryToken] = []
        var (end, running, number) = (Int64(100), Set<Int64>(), Int64(0))
        var base = HistorySnapshot(end: end)
        for _ in 0..<1000 {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                running.insert(end)
                end += 1
            }
            for transaction in running where Bool.random(using: &random) { running.remove(transaction) }
            let ceiling = HistorySnapshot(end: end, running: running)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                number += 1
                tokens.append(
                    token(HistoryPosition(generation: 1, base: base, page: .init(ceiling: ceiling, upto: number))))
            }
            tokens.append(token(HistoryPosition(generation: 1, base: ceiling)))
            base = ceiling
        }
        for (left, right) in zip(tokens, tokens.dropFirst()) {
            #expect(left < right)
            #expect(!(right < left))
        }
        #expect(tokens.shuffled(using: &random).sorted() == tokens)
        #expect(Set(tokens).count == tokens.count)
    }

    @Test("of a transaction are after a token exactly if the transaction does not lie before it") func marks() {
        let seen = HistorySnapshot(end: 10, running: [7])
        let last = token(HistoryPosition(generation: 1, base: seen))
        func transaction(_ transaction: Int64, _ number: Int64) -> DefaultHistoryToken {
            token(
                HistoryPosition(
                    generation: 1, base: seen, page: .init(ceiling: HistorySnapshot(end: 20), upto: number),
                    mark: .init(generation: 1, transaction: transaction, number: number)))
        }
        #expect(!(transaction(6, 50) > last))
        // It ran when the token was made, and committed later, with a smaller number.
        #expect(transaction(7, 40) > last)
        #expect(transaction(12, 60) > last)
        #expect(transaction(12, 60) > transaction(7, 40))
        #expect(!(transaction(7, 40) > transaction(12, 60)))
        #expect(!(transaction(12, 60) > transaction(12, 60)))
    }

    @Test("cover what a snapshot contains") func snapshots() {
        let snapshot = HistorySnapshot(end: 12, running: [5, 9])
        #expect((1...14).filter { snapshot.contains($0) } == [1, 2, 3, 4, 6, 7, 8, 10, 11])
        #expect(snapshot.start == 5 && HistorySnapshot(end: 12).start == 12)
        #expect(snapshot.adding(9) == HistorySnapshot(end: 12, running: [5]))
        #expect(snapshot.adding(14) == HistorySnapshot(end: 15, running: [5, 9, 12, 13]))
        #expect(snapshot.removing(7) == HistorySnapshot(end: 12, running: [5, 7, 9]))
        #expect(snapshot.union(below: 8) == HistorySnapshot(end: 12, running: [9]))
        #expect(snapshot.union(below: 20) == HistorySnapshot(end: 20))
    }

    @Test(
        "hold snapshots in the server's form",
        arguments: [
            (
                HistorySnapshot(end: 12, running: [5, 9]),
                "00000002 0000000000000005 000000000000000c 0000000000000005 0000000000000009"
            ),
            (HistorySnapshot(end: 3), "00000000 0000000000000003 0000000000000003"),
        ]
    ) func binary(_ snapshot: HistorySnapshot, _ form: String) throws {
        var buffer = PostgresBuffer()
        try snapshot.encode(into: &buffer)
        let bytes = buffer.bytes
        #expect(bytes == Self.bytes(form))
        #expect(try Self.read(bytes) == snapshot)
        for count in bytes.indices {
            #expect(throws: PostgresError.self) { try Self.read(Array(bytes[..<count])) }
        }
    }

    private static func bytes(_ form: String) -> [UInt8] {
        let digits = form.filter { $0 != " " }.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    private static func read(_ bytes: [UInt8]) throws -> HistorySnapshot {
        try bytes.withUnsafeBytes { try HistorySnapshot(postgresBytes: $0) }
    }

    private func token(_ position: HistoryPosition) -> DefaultHistoryToken { DefaultHistoryToken(["a": position]) }
}
