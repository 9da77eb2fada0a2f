import Foundation
import SampleTripsModels
import Strata
import StrataClient
import StrataModels
import StrataTestSupport
import Testing

/// A history in partitions, as programs see it: the same pages and tokens, and less to delete.
@Suite struct HistoryPartitioningTests {
    private static let week = Duration.seconds(7 * 86_400)

    private func write(_ titles: ClosedRange<Int>, _ container: ModelContainer) async throws {
        let context = ModelContext(container)
        for title in titles {
            context.insert(BucketListItem(title: "\(title)"))
            try await context.save()
        }
    }

    /// What a week has is what the narrowest partition holds: all that is recorded becomes so old.
    private func useNarrowPartitions(_ store: ModelStore) async throws {
        try await store.database.execute(
            """
            UPDATE strata.history_transaction SET at = now() - interval '7 days' * greatest(1,
                (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - xid::text::bigint) / 10000)
            """)
    }

    /// Uses up as many transaction numbers as the narrowest partition has.
    private func passPartition(_ store: ModelStore) async throws {
        try await store.database.execute(
            """
            DO $$ BEGIN
                CREATE TEMPORARY TABLE IF NOT EXISTS number (i integer);
                FOR i IN 1..10000 LOOP
                    BEGIN INSERT INTO number VALUES (i); EXCEPTION WHEN OTHERS THEN NULL; END;
                END LOOP;
            END $$
            """)
    }

    /// All pages behind a token: the transactions with their changes, and the token of each page. Tokens name what ran when the page was read, and others
    /// write to this server; so they are not compared, but read on from.
    private func pages(after token: DefaultHistoryToken, by limit: Int, _ container: ModelContainer) async throws
        -> [(transactions: [String], token: DefaultHistoryToken)]
    {
        var (token, isLast) = (token, false)
        var pages: [(transactions: [String], token: DefaultHistoryToken)] = []
        while !isLast {
            let page = try await ModelContext(container).fetchHistory(after: token, limit: limit)
            let transactions = page.transactions.map { transaction in
                let changes = transaction.changes.map { "\($0.changeIdentifier) \($0.changedPersistentIdentifier)" }
                return "\(transaction.transactionIdentifier) \(transaction.timestamp) \(changes)"
            }
            pages.append((transactions, page.token))
            (token, isLast) = (page.token, page.isLast)
        }
        return pages
    }

    @Test(arguments: [UInt64(3), 4]) func `the same pages and tokens come of partitions as of one table`(seed: UInt64)
        async throws
    {
        try await withTripStore("partitions") { store in
            let container = store.container
            try await write(1...5, container)
            let beforehand = try await container.currentHistoryToken()
            try await useNarrowPartitions(store)
            try await container.partitionHistory(every: Self.week)
            let tokens = Shared([beforehand])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<3 {
                    group.addTask {
                        var random = SeededGenerator(seed * 10 + UInt64(writer))
                        let context = ModelContext(container)
                        var items: [BucketListItem] = []
                        for round in 0..<30 {
                            switch Int.random(in: 0..<4, using: &random) {
                            case 0: items.randomElement(using: &random)?.title += "."
                            case 1: if let item = items.popLast() { context.delete(item) }
                            default:
                                items.append(BucketListItem(title: "\(writer) \(round)"))
                                context.insert(items[items.count - 1])
                            }
                            try await context.save()
                            if round % 10 == 3 {
                                let token = try await container.currentHistoryToken()
                                tokens.withLock { $0.append(token) }
                            }
                        }
                    }
                }
                // Into the second and third partition, and beyond them.
                for _ in 1...4 { try await passPartition(store) }
                try await group.waitForAll()
            }
            try await write(6...10, container)
            let parts = try await store.database.texts(
                "SELECT count(DISTINCT tableoid)::text FROM strata.history_transaction")
            #expect(parts != ["1"])
            let places = [.beginning] + tokens.value
            var read: [(place: DefaultHistoryToken, limit: Int, transactions: [String])] = []
            for limit in [3, 1000] {
                for place in places {
                    let pages = try await pages(after: place, by: limit, container)
                    read.append((place, limit, pages.flatMap(\.transactions)))
                    // From the token of each page on comes what the pages behind it had.
                    for index in pages.indices.dropLast() where index.isMultiple(of: 5) {
                        read.append((pages[index].token, limit, pages[(index + 1)...].flatMap(\.transactions)))
                    }
                }
            }
            #expect(read.filter { !$0.transactions.isEmpty }.count > places.count)
            // The same rows in tables as they were.
            try await store.database.execute(
                "CREATE TABLE strata.t (LIKE strata.history_transaction INCLUDING ALL)",
                "INSERT INTO strata.t SELECT * FROM strata.history_transaction",
                "CREATE TABLE strata.c (LIKE strata.history_change INCLUDING ALL)",
                "INSERT INTO strata.c SELECT * FROM strata.history_change",
                "DROP TABLE strata.history_transaction, strata.history_change",
                "ALTER TABLE strata.t RENAME TO history_transaction", "ALTER TABLE strata.c RENAME TO history_change")
            for (place, limit, transactions) in read {
                let plain = try await pages(after: place, by: limit, container).flatMap(\.transactions)
                #expect(plain == transactions, "\(limit) after \(place)")
            }
        }
    }

    @Test func `partitions are dropped; tokens from before expire, and those of who is up to date do not`()
        async throws
    {
        try await withTripStore("partitions") { store in
            let container = store.container
            let first = try await container.currentHistoryToken()
            try await write(1...5, container)
            try await useNarrowPartitions(store)
            try await container.partitionHistory(every: Self.week)
            // Up to date, and before the end of the partition; it names no transaction that began before what goes.
            try await store.database.waitForOlderTransactions()
            let idle = try await container.currentHistoryToken()
            try await passPartition(store)
            try await write(6...8, container)
            try await store.database.waitForOlderTransactions()
            let none = try await container.pruneHistory(olderThan: .now - 30 * 86_400)
            #expect(none.partitions == 0 && none.transactions == 0)

            let seen = Shared(0)
            let follower = Task {
                for try await transaction in container.history(after: idle) {
                    seen.withLock { $0 += transaction.changes.count }
                }
            }
            store.recorder.reset()
            let pruned = try await container.pruneHistory(olderThan: .now - 3600)
            #expect(pruned.partitions == 1 && pruned.transactions == 0)
            try await write(9...10, container)
            #expect(try await pages(after: idle, by: 2, container).count >= 2)
            let deadline = ContinuousClock.now + .seconds(30)
            while seen.value < 5, .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
            #expect(seen.value == 5)
            follower.cancel()
            _ = await follower.result
            await #expect { try await ModelContext(container).fetchHistory(after: first, limit: 1) } throws: {
                SwiftDataError.historyTokenExpired ~= $0
            }
            #expect(
                try await ModelContext(container).fetchHistory(after: .beginning, limit: 100).transactions.count == 5)
            // What is in the partition that is written to is deleted as in any table.
            try await store.database.waitForOlderTransactions()
            try await container.pruneHistory(olderThan: nil, keepingAtMost: 0)
            #expect(try await ModelContext(container).fetchHistory(after: .beginning, limit: 9).transactions.isEmpty)
            #expect(try await container.verifyHistory() == [])
        }
    }

    @Test func `what is not partitioned is pruned with the same statements`() async throws {
        try await withTripStore("partitions") { store in
            try await write(1...2, store.container)
            try await store.database.waitForOlderTransactions()
            store.recorder.reset()
            #expect(try await store.container.pruneHistory(olderThan: .distantFuture).transactions == 2)
            let sent = store.recorder.statements.filter { $0.contains("history") }
            #expect(sent.first == "SELECT pg_catalog.to_regclass('strata.history_change_0') IS NOT NULL")
            #expect(sent.count == 3 && sent[1] == sent[2] && sent[1].contains("history_delete"))
        }
    }

    @Test func `a period of no time, and a role that does not own the history, are refused`() async throws {
        try await withTripStore("partitions") { store in
            await expectError(.invalidTransactionFetchRequest) {
                try await store.container.partitionHistory(every: .zero)
            }
            let role = "partitions_\(UInt32.random(in: 0 ... .max))"
            try await store.database.execute(
                "CREATE ROLE \(role) LOGIN", "SELECT strata.history_grant('\(role)', 'write')")
            var url = try #require(store.database.foundationURL)
            url.append(queryItems: [URLQueryItem(name: "user", value: role)])
            let container = try await ModelContainer(
                for: Schema(Trip.self, BusinessTrip.self, PersonalTrip.self),
                configurations: [ModelConfiguration(url: url)])
            let error = await #expect(throws: SwiftDataError.self) {
                try await container.partitionHistory(every: Self.week)
            }
            #expect(error?.code == .storeFailure)
            #expect(error?.message.contains("The role has to own the tables") == true, "\(String(describing: error))")
            await container.close()
            try await store.database.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }
}
