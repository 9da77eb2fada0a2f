import Foundation
import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

/// Pages that look at a part of the history give what all of it gives, in the same order (``HistoryWindow``).
@Suite struct HistoryWindowTests {
    @Test(arguments: [1, 2, 6])
    func `pages of windows are the sequence of all transactions`(seed: UInt64) async throws {
        try await HistoryStore.with { store in
            let writers = try await Writers(6, seed: seed, store)
            defer { writers.close() }
            // A token from among them, with transactions that run.
            try await writers.work(steps: 80)
            let middle = try await HistoryReader.all(store).position
            try await writers.work(steps: 320)
            try await writers.finish()
            let all = try await HistoryReader.all(store).transactions
            let tail = try await HistoryReader.all(store, after: middle).transactions
            #expect(all.count > 50 && tail.count > 20 && tail.count < all.count)
            for limit in [1, 3, 1000] {
                for window in [HistoryWindow(covered: 0, overlapping: 7), HistoryWindow(covered: 5, overlapping: 9)] {
                    let pages = try await HistoryReader.paged(store, after: nil, limit: limit, window)
                    #expect(pages.transactions == all, "limit \(limit), \(window)")
                    // A page is shorter than its limit only at the end.
                    #expect(pages.counts.dropLast().allSatisfy { $0 == limit }, "\(pages.counts)")
                    #expect(
                        try await HistoryReader.paged(store, after: middle, limit: limit, window).transactions == tail)
                }
            }
        }
    }

    @Test(arguments: 1...3)
    func `who reads windows while others write gets each transaction once`(seed: UInt64) async throws {
        try await HistoryStore.with { store in
            let writers = try await Writers(6, seed: seed, store)
            defer { writers.close() }
            var generator = PredicateSamples(seed: seed)
            var position: HistoryPosition?
            var taken: [Int64] = []
            let window = HistoryWindow(covered: generator.number(below: 7), overlapping: 8)
            for round in 0..<160 {
                try await writers.work(steps: generator.number(below: 7))
                // Now and then it falls behind, so that there is more than a window.
                if round % 40 < 25 { continue }
                let page = try await HistoryReader.page(
                    store, after: position, limit: generator.number(below: 5) + 1, window)
                taken += page.transactions.map(\.transactionIdentifier)
                position = page.position
            }
            try await writers.finish()
            taken += try await HistoryReader.paged(store, after: position, limit: 3, window).transactions
            let all = try await HistoryReader.all(store).transactions
            #expect(taken.count == Set(taken).count)
            #expect(Set(taken) == Set(all))
        }
    }

    /// A reading that takes up what a release without windows has begun.
    @Test func `a page that was begun over all is read to its end in windows`() async throws {
        try await HistoryStore.with { store in
            let writers = try await Writers(4, seed: 9, store)
            defer { writers.close() }
            try await writers.work(steps: 40)
            let start = try await HistoryReader.all(store).position
            try await writers.work(steps: 200)
            // Behind a token there is no window: the page's ceiling is all that had ended by now.
            let first = try await HistoryReader.page(
                store, after: start, limit: 2, HistoryWindow(covered: 1, overlapping: 5))
            #expect(first.isCut && first.position.page != nil)
            try await writers.work(steps: 100)
            try await writers.finish()
            let rest = try await HistoryReader.paged(
                store, after: first.position, limit: 3, HistoryWindow(covered: 1, overlapping: 5))
            let legacy = try await HistoryReader.paged(
                store, after: first.position, limit: 3, HistoryWindow(covered: 10_000, overlapping: 10_000))
            #expect(Set(rest.transactions) == Set(legacy.transactions))
            #expect(rest.transactions.count == legacy.transactions.count)
            let all = try await HistoryReader.all(store, after: start).transactions
            #expect(Set(first.transactions.map(\.transactionIdentifier) + rest.transactions) == Set(all))
        }
    }
}

/// Several sessions whose transactions overlap, in an order that a seed decides.
private final class Writers {
    private var connections: [PostgresConnection] = []
    private var open: [Bool]
    private var generator: PredicateSamples
    private var key = 0

    init(_ count: Int, seed: UInt64, _ store: HistoryStore) async throws {
        open = Array(repeating: false, count: count)
        generator = PredicateSamples(seed: seed)
        _ = try await store.text("SELECT strata.history_adopt('public')")
        for _ in 0..<count { connections.append(try await store.database.connect()) }
    }

    /// Each begins, writes or commits.
    func work(steps: Int) async throws {
        for _ in 0..<steps {
            let writer = generator.number(below: connections.count)
            if !open[writer] {
                try await connections[writer].execute("BEGIN")
                // Its number comes before its first change, and other numbers between the two.
                if generator.chance(2) {
                    try await connections[writer].execute("SELECT pg_current_xact_id()")
                }
                open[writer] = true
            } else if generator.chance(3) {
                try await connections[writer].execute(
                    generator.chance(9) ? "ROLLBACK" : "COMMIT")
                open[writer] = false
            } else {
                key += 1
                try await connections[writer].execute("INSERT INTO tag (pk, name) VALUES (\(key), 'a')")
            }
        }
    }

    func finish() async throws {
        for writer in connections.indices where open[writer] {
            try await connections[writer].execute("COMMIT")
            open[writer] = false
        }
    }

    func close() { for connection in connections { connection.close() } }
}

/// Reads the history of a ``HistoryStore``.
private struct HistoryReader {
    private static let identifier = "A"
    private static let history: StrataRepository.HistoryStore = {
        let mapping = HistoryModels.mapping
        return StrataRepository.HistoryStore(
            mapping: mapping, identifier: identifier,
            identities: mapping.entities.map { EntityIdentity(store: identifier, entityName: $0.name) },
            registry: HistoryRegistryCache())
    }()

    struct Pages {
        var transactions: [Int64] = []
        var counts: [Int] = []
    }

    static func page(
        _ store: HistoryStore, after position: HistoryPosition?, limit: Int, _ window: HistoryWindow
    ) async throws -> HistoryReading {
        let token = position.map { DefaultHistoryToken([identifier: $0]) }
        var request = HistoryRequest(
            predicate: token.map { token in #Predicate<DefaultHistoryTransaction> { $0.token > token } }, limit: limit)
        request.window = window
        var reading = try HistoryReading(request, store: history)
        try await store.connection.perform(&reading)
        return reading
    }

    static func paged(
        _ store: HistoryStore, after start: HistoryPosition?, limit: Int, _ window: HistoryWindow
    ) async throws -> Pages {
        var pages = Pages()
        var position = start
        while true {
            let page = try await page(store, after: position, limit: limit, window)
            pages.transactions += page.transactions.map(\.transactionIdentifier)
            pages.counts.append(page.transactions.count)
            position = page.position
            if !page.isCut { return pages }
        }
    }

    /// Without pages.
    static func all(
        _ store: HistoryStore, after position: HistoryPosition? = nil
    ) async throws -> (transactions: [Int64], position: HistoryPosition) {
        let page = try await page(store, after: position, limit: 0, .standard)
        return (page.transactions.map(\.transactionIdentifier), page.position)
    }
}
