import Foundation
import SampleTripsModels
import Strata
import StrataClient
import StrataModels
import StrataTestSupport
import Testing

/// Retention.
@Suite struct PruningTests {
    private func count(_ store: ModelStore) async throws -> Int {
        try await ModelContext(store.container).fetchHistory(after: .beginning, limit: 100_000).transactions.count
    }

    private func write(_ count: Int, _ store: ModelStore) async throws {
        let context = ModelContext(store.container)
        for number in 0..<count {
            context.insert(BucketListItem(title: "\(number)"))
            try await context.save()
        }
    }

    @Test func `what is older or beyond the newest goes, and tokens from before expire`() async throws {
        try await withTripStore("pruning") { store in
            let start = try await store.container.currentHistoryToken()
            try await write(10, store)
            let middle = Date.now
            try await Task.sleep(for: .milliseconds(20))
            try await write(10, store)
            let none = try await store.container.pruneHistory(olderThan: .distantPast)
            #expect(none.transactions == 0)
            let old = try await prune(10, in: store.container, olderThan: middle)
            #expect(old.transactions == 10 && old.slices >= 1 && old.longestSlice > .zero)
            #expect(try await count(store) == 10)
            await #expect { try await ModelContext(store.container).fetchHistory(after: start, limit: 1) } throws: {
                SwiftDataError.historyTokenExpired ~= $0
            }
            #expect(try await prune(6, in: store.container, olderThan: nil, keepingAtMost: 4).transactions == 6)
            #expect(try await count(store) == 4)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a negative number to keep is refused, and nothing goes`() async throws {
        try await withTripStore("pruning") { store in
            try await write(3, store)
            await expectError(.invalidTransactionFetchRequest) {
                try await store.container.pruneHistory(olderThan: nil, keepingAtMost: -1)
            }
            await expectError(.invalidTransactionFetchRequest) {
                try await store.container.keepHistory(for: nil, atMost: -1)
            }
            #expect(try await count(store) == 3)
            #expect(try await prune(3, in: store.container, olderThan: nil, keepingAtMost: 0).transactions == 3)
        }
    }

    @Test func `a process leaves the store to another that prunes it`() async throws {
        try await withTripStore("pruning") { store in
            try await write(3, store)
            let other = try await store.database.connect()
            defer { other.close() }
            try await other.run(
                PostgresBatch(
                    PostgresStatement("SELECT pg_advisory_lock(1400140400, number) FROM strata.store")))
            let pruned = try await store.container.pruneHistory(olderThan: .distantFuture)
            #expect(pruned.wasLeftToAnother && pruned.transactions == 0)
        }
    }

    @Test func `the task prunes until it is cancelled`() async throws {
        try await withTripStore("pruning") { store in
            try await write(5, store)
            let container = store.container
            let task = Task { try await container.keepHistory(for: .zero, every: .milliseconds(20)) }
            let deadline = ContinuousClock.now + .seconds(30)
            while try await count(store) > 0, .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
            #expect(try await count(store) == 0)
            task.cancel()
            try await task.value(within: 10)
        }
    }

    private func size(_ store: ModelStore) async throws -> Int64 {
        let connection = try await store.database.connect()
        defer { connection.close() }
        var size: Int64 = 0
        try await connection.run(
            PostgresBatch(
                PostgresStatement(
                    PreparedSQL("SELECT pg_relation_size('strata.history_change')", isCached: false)),
                onRow: { size = try $0.decode(0) }))
        return size
    }

    /// `STRATA_RETENTION_SECONDS` says for how long.
    @Test func `under load nobody is kept waiting, and a reader gets everything or is told`() async throws {
        let seconds = ProcessInfo.processInfo.environment["STRATA_RETENTION_SECONDS"].flatMap(Int.init) ?? 3
        try await withTripStore("pruning") { store in
            let end = ContinuousClock.now + .seconds(seconds)
            let latest = end + .seconds(30)
            let kept = 100
            let container = store.container
            // By statement.
            let slowest = Shared<[String: Duration]>([:])
            let pruned = Shared((transactions: 0, slices: 0))
            // What was saved, and when its saving began.
            let saved = Shared<[(RowKey, ContinuousClock.Instant)]>([])
            let isWriting = Shared(8)
            let first = try await container.currentHistoryToken()
            let begun = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        defer { isWriting.withLock { $0 -= 1 } }
                        let context = ModelContext(container)
                        while .now < end || (pruned.value.slices == 0 && .now < latest) {
                            let item = BucketListItem(title: "x")
                            context.insert(item)
                            let start = ContinuousClock.now
                            try await context.save()
                            let took = start.duration(to: .now)
                            slowest.withLock { $0["save"] = max($0["save"] ?? .zero, took) }
                            let key = item.persistentModelID.key
                            saved.withLock { $0.append((key, start)) }
                        }
                    }
                }
                group.addTask {
                    // While they write, and however slow the machine is: until there was something to prune under load.
                    while .now < end || (pruned.value.slices == 0 && isWriting.value > 0) {
                        let round = try await container.pruneHistory(olderThan: nil, keepingAtMost: kept)
                        if isWriting.value == 8 {
                            pruned.withLock {
                                $0.transactions += round.transactions
                                $0.slices += round.slices
                            }
                        }
                        slowest.withLock { $0["slice"] = max($0["slice"] ?? .zero, round.longestSlice) }
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
                group.addTask {
                    var (token, since) = (first, begun)
                    var seen: [RowKey] = []
                    var isLast = false
                    while !isLast {
                        let isOver = isWriting.value == 0
                        let start = ContinuousClock.now
                        do {
                            let page = try await ModelContext(container).fetchHistory(after: token, limit: 100)
                            seen += page.transactions.flatMap(\.changes).map(\.changedPersistentIdentifier.key)
                            token = page.token
                            isLast = isOver && page.isLast
                            let took = start.duration(to: .now)
                            slowest.withLock { $0["page"] = max($0["page"] ?? .zero, took) }
                        } catch SwiftDataError.historyTokenExpired {
                            token = try await container.currentHistoryToken()
                            since = .now
                            seen.removeAll()
                        }
                    }
                    let expected = saved.value.filter { $0.1 > since }.map(\.0)
                    #expect(Set(seen).isSuperset(of: expected) && Set(seen).count == seen.count)
                }
                try await group.waitForAll()
            }
            let written = saved.withLock { $0.count }
            print("retention: \(written) saves, \(pruned.value) pruned meanwhile, slowest \(slowest.value)")
            #expect(pruned.value.slices > 0 && pruned.value.transactions > 0, "nothing was pruned under load")

            let left = try await count(store)
            try await prune(left - kept, in: container, olderThan: nil, keepingAtMost: kept)
            #expect(try await count(store) <= kept)

        }
    }

    @Test func `the room of what was pruned is used again`() async throws {
        try await withTripStore("pruning") { store in
            try await store.database.execute(
                "INSERT INTO bucket_list_item (pk, title, details, has_reservation, is_in_plan) "
                    + "SELECT i, 'a', '', false, false FROM generate_series(1, 3000) AS i")
            var sizes: [Int64] = []
            for _ in 0..<5 {
                try await store.database.execute("UPDATE bucket_list_item SET title = title || '.'")
                sizes.append(try await size(store))
                try await prune(1, in: store.container, olderThan: nil, keepingAtMost: 100)
                try await store.database.execute("VACUUM strata.history_change")
            }
            // 15,000 changes came after those that the first size holds.
            let most = try #require(sizes.dropFirst().max())
            #expect(most <= sizes[0] + sizes[0] / 4, "\(sizes)")
        }
    }
}

/// Prunes until so many transactions are gone: those that ended after the oldest that still runs, anywhere on the server,
/// stay for the moment.
@discardableResult
func prune(
    _ count: Int, in container: ModelContainer, olderThan date: Date?, keepingAtMost kept: Int? = nil
) async throws -> (transactions: Int, slices: Int, longestSlice: Duration) {
    var all = (transactions: 0, slices: 0, longestSlice: Duration.zero)
    let deadline = ContinuousClock.now + .seconds(30)
    repeat {
        let pruned = try await container.pruneHistory(olderThan: date, keepingAtMost: kept)
        all.transactions += pruned.transactions
        all.slices += pruned.slices
        all.longestSlice = max(all.longestSlice, pruned.longestSlice)
        if all.transactions < count { try await Task.sleep(for: .milliseconds(20)) }
    } while all.transactions < count && .now < deadline
    return all
}
