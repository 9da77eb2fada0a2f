import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

private typealias Handle = Directory.Handle

/// Random saves over what is unique regardless of case, held against a few lines in memory, which ask the server once what it makes of each text.
@Suite(.enabled(if: TestServer.hasICU, "a server built with ICU")) struct CaselessUniqueRandomTests {
    private struct Entry: Hashable {
        var text: String
        var isDeleted: Bool
    }

    /// Equal in pairs and threes, and some of them to Swift alone or to the server alone.
    private static let texts = [
        "ann", "Ann", "ANN", "straße", "STRAẞE", "STRASSE", "k", "K", "\u{212A}", "İ", "i\u{307}", "I", "ı", "ΑΣ", "ας",
        "ασ",
        "ſ", "s", "S", "é", "É", "e\u{301}", "E\u{301}", "",
    ]

    /// What the server makes of each text, as bytes: two strings of Swift are equal that are not the same bytes.
    private func folds(_ store: ModelStore) async throws -> [[UInt8]: [UInt8]] {
        let list = Self.texts.map { "'\($0)'" }.joined(separator: ", ")
        let folds = try await store.database.texts(
            """
            SELECT lower(t COLLATE "und-x-icu") COLLATE "C" FROM unnest(ARRAY[\(list)]) WITH ORDINALITY AS u (t, i) ORDER BY i
            """)
        return Dictionary(uniqueKeysWithValues: zip(Self.texts.map { Array($0.utf8) }, folds.map { Array($0.utf8) }))
    }

    private func rows(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts(
            "SELECT note || ' ' || encode(convert_to(text, 'UTF8'), 'hex') || ' ' || (deleted_at IS NOT NULL) FROM handle ORDER BY 1"
        )
    }

    private static func line(_ note: String, _ entry: Entry) -> String {
        let hex = entry.text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\(note) \(hex) \(entry.isDeleted)"
    }

    /// Every save that the reference allows is written, and every other one is refused and leaves the rows as they were.
    @Test(arguments: 1...(isSoak ? 200 : 8) as ClosedRange<UInt64>)
    func `saves write what is allowed, and nothing else`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        try await withModelStore(of: Schema(Directory.all)) { store in
            let folds = try await folds(store)
            func isAllowed(_ entries: some Collection<Entry>) -> Bool {
                let there = entries.filter { !$0.isDeleted }.map { folds[Array($0.text.utf8)] }
                return Set(there).count == there.count
            }
            func text() -> String { Self.texts.randomElement(using: &random) ?? "" }
            let context = ModelContext(store.container)
            context.uniquePolicy = .fail
            var expected: [String: Entry] = [:]
            var number = 0
            var (saved, refused) = (0, 0)
            for round in 0..<40 {
                var all = FetchDescriptor<Handle>(sortBy: [SortDescriptor(\.note)])
                all.includeDeleted = true
                let handles = try await context.fetch(all)
                var next = expected
                for handle in handles.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)) {
                    // What stands in its way half of the time, in these letters or in others: an exchange, or a place that is given up.
                    let other = handles.randomElement(using: &random).flatMap { next[$0.note]?.text }
                    let same = other.map { other in
                        Self.texts.filter { folds[Array($0.utf8)] == folds[Array(other.utf8)] }
                    }
                    let new = Bool.random(using: &random) ? text() : same?.randomElement(using: &random) ?? text()
                    let isDeleted = Int.random(in: 0..<4, using: &random) == 0
                    handle.text = new
                    handle.deletedAt = isDeleted ? Date(timeIntervalSince1970: 1_000_000) : nil
                    next[handle.note] = Entry(text: new, isDeleted: isDeleted)
                }
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    number += 1
                    let new = text()
                    context.insert(Handle(new, "c\(number)"))
                    next["c\(number)"] = Entry(text: new, isDeleted: false)
                }
                do {
                    try await context.save()
                    #expect(isAllowed(next.values), "seed \(seed), round \(round): \(next)")
                    expected = next
                    saved += 1
                } catch let error as SwiftDataError {
                    #expect(error.code == .uniqueConstraint, "\(error)")
                    #expect(!isAllowed(next.values), "seed \(seed), round \(round): \(expected) → \(next): \(error)")
                    context.rollback()
                    refused += 1
                }
                #expect(
                    try await rows(store) == expected.map { Self.line($0, $1) }.sorted(), "seed \(seed), round \(round)"
                )
            }
            #expect(saved > 0 && refused > 0)
        }
    }

    /// Upserts take over the row whose text the server finds equal, in objects and in rows without objects.
    @Test(arguments: 1...(isSoak ? 100 : 5) as ClosedRange<UInt64>)
    func `upserts find the rows`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        try await withModelStore(of: Schema(Directory.all)) { store in
            let folds = try await folds(store)
            func fold(_ text: String) -> [UInt8] { folds[Array(text.utf8)] ?? [] }
            let context = ModelContext(store.container)
            var there: [[UInt8]: (text: String, note: String)] = [:]
            for round in 0..<40 {
                let texts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    Self.texts.randomElement(using: &random) ?? ""
                }
                let ignores = Int.random(in: 0..<4, using: &random) == 0
                let policy: UniquePolicy = ignores ? .ignore : .upsert
                for (index, text) in texts.enumerated() where !ignores || there[fold(text)] == nil {
                    there[fold(text)] = (text, "n\(round) \(index)")
                }
                if Bool.random(using: &random) {
                    context.uniquePolicy = policy
                    for (index, text) in texts.enumerated() { context.insert(Handle(text, "n\(round) \(index)")) }
                    try await context.save()
                } else {
                    try await context.insert(
                        into: Handle.self, \.text, \.note, rows: texts.enumerated().map { ($1, "n\(round) \($0)") },
                        uniquePolicy: policy)
                }
                let expected = there.values.map { Self.line($0.note, Entry(text: $0.text, isDeleted: false)) }.sorted()
                #expect(try await rows(store) == expected, "seed \(seed), round \(round)")
            }
        }
    }
}
