import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

@Suite struct HistoryTokenFetchTests {
    @Test(arguments: [1, 2, 3, 1000]) func `pages are the same sequence as no pages`(limit: Int) async throws {
        try await withChronicle { store in
            let start = try await store.container.currentHistoryToken()
            try await makeVisits(25, in: store)
            // One that began before the first page and commits between pages, with numbers in between.
            let late = try await store.database.connect()
            defer { late.close() }
            try await run("BEGIN", on: late)
            try await run("INSERT INTO visit (day) VALUES (1000)", on: late)
            try await makeVisits(5, in: store)
            for token in [start, nil] {
                var paged: [Int64] = []
                var next = token
                var isFirst = true
                while true {
                    let page = try await ModelContext(store.container).fetchHistory(after: next, limit: limit)
                    paged += page.transactions.map(\.transactionIdentifier)
                    if isFirst, token != nil { try await run("COMMIT", on: late) }
                    isFirst = false
                    next = page.token
                    if page.isLast, page.transactions.isEmpty { break }
                }
                #expect(paged.count == 31)
                #expect(Set(paged).count == paged.count)
                if token == nil {
                    #expect(paged == (try await store.history()).map(\.transactionIdentifier))
                }
            }
        }
    }

    /// A plan that reads all that came before would be slower with each transaction. Beside writers a token names running ones each time.
    @Test func `a token that names running transactions is read by the key as well`() async throws {
        try await withChronicle { store in
            let slow = try await store.database.connect()
            defer { slow.close() }
            try await run("BEGIN", on: slow)
            try await run("INSERT INTO visit (day) VALUES (1000)", on: slow)
            let token = try await store.container.currentHistoryToken()
            try await makeVisits(1, in: store)
            store.recorder.reset()
            #expect(try await store.history(after: token).count == 1)
            let sql = try #require(
                store.recorder.statements.first { $0.contains("history_transaction") && $0.contains("history_change") })
            // The name of the schema, the token's end, and what ran.
            #expect(sql.contains("$3") && !sql.contains("$4"))
            let plan = try await genericPlan(of: sql, parameters: 3, in: store)
            let places = plan.indices.filter { plan[$0].contains("history_transaction_pkey") }
            #expect(places.count == 2, "\(plan.joined(separator: "\n"))")
            for place in places { #expect(plan[place + 1].contains("xid"), "\(plan.joined(separator: "\n"))") }
            try await run("COMMIT", on: slow)
            #expect(try await store.history(after: token).count == 2)
        }
    }

    /// As history is read: one plan for all tokens, by indexes.
    private func genericPlan(of sql: String, parameters: Int, in store: ModelStore) async throws -> [String] {
        let connection = try await store.database.connect()
        defer { connection.close() }
        var lines: [String] = []
        for text in [
            "SET plan_cache_mode = force_generic_plan", "SET enable_seqscan = off", "PREPARE planned AS \(sql)",
            "EXPLAIN EXECUTE planned(\(Array(repeating: "NULL", count: parameters).joined(separator: ", ")))",
        ] {
            try await connection.run(
                PostgresBatch(PostgresStatement(PreparedSQL(text, isCached: false))) { row in
                    lines.append(try row.decode(0, as: String.self))
                })
        }
        return lines
    }

    @Test func `going on from the last transaction's token misses nothing and repeats nothing`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            var last: DefaultHistoryToken? = try await store.container.currentHistoryToken()
            var days: [PersistentIdentifier] = []
            var tokens: [DefaultHistoryToken] = []
            let slow = try await store.database.connect()
            defer { slow.close() }
            for round in 0..<20 {
                if round.isMultiple(of: 4) {
                    try await run("BEGIN", on: slow)
                    try await run("INSERT INTO visit (day) VALUES (\(round))", on: slow)
                }
                try await makeVisits(round % 3, in: store)
                if round % 4 == 3 { try await run("COMMIT", on: slow) }
                guard let token = last else { continue }
                let news = try await context.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > token }))
                days += news.flatMap(\.changes).map(\.changedPersistentIdentifier)
                tokens += news.map(\.token)
                if let token = news.last?.token { last = token }
            }
            let all = try await context.fetchIdentifiers(FetchDescriptor<Chronicle.Visit>())
            #expect(days.count == all.count)
            #expect(Set(days) == Set(all))
            #expect(tokens.sorted() == tokens)
        }
    }

    @Test func `a save tells the token of its own transaction`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            #expect(context.historyToken == nil)
            let other = try await store.database.connect()
            defer { other.close() }
            try await run("BEGIN", on: other)
            try await run("INSERT INTO visit (day) VALUES (1)", on: other)
            context.insert(Chronicle.Visit(day: 2))
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            let first = try #require(context.historyToken)
            #expect(try await store.history(after: first).isEmpty)
            try await run("COMMIT", on: other)
            let news = try await store.history(after: first)
            #expect(news.map(\.processIdentifier) == [""])
            #expect(news.allSatisfy { $0.token > first })

            try await context.save()
            #expect(context.historyToken == first)
            try await context.transaction {
                context.insert(Chronicle.Visit(day: 3))
                try await context.save()
                #expect(context.historyToken == first)
            }
            let second = try #require(context.historyToken)
            #expect(first < second)
            #expect(try await store.history(after: second).isEmpty)
            try context.delete(model: Chronicle.Visit.self)
            try saveBlocking(context)
            let third = try #require(context.historyToken)
            #expect(second < third)
            #expect(try await store.history(after: second).map(\.changes.count) == [3])
            #expect(try await store.history(after: third).isEmpty)
        }
    }

    private func saveBlocking(_ context: ModelContext) throws { try context.save() }

    @Test func `the notification of a save carries its token`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            let tokens = TokenBox()
            let observer = NotificationCenter.default.addObserver(
                forName: ModelContext.didSave, object: context, queue: nil
            ) { notification in
                tokens.append(
                    notification.userInfo?[ModelContext.NotificationKey.historyTokens.rawValue]
                        as? [DefaultHistoryToken])
            }
            context.insert(Chronicle.Visit(day: 1))
            try await context.save()
            NotificationCenter.default.removeObserver(observer)
            #expect(tokens.all == [context.historyToken].compactMap { $0 })
            #expect(tokens.all.count == 1)
        }
    }

    @Test func `the newest transaction is found by the key's index, and late ones are after its token`() async throws {
        try await withChronicle { store in
            let late = try await store.database.connect()
            defer { late.close() }
            try await run("BEGIN", on: late)
            try await run("INSERT INTO visit (day) VALUES (1000)", on: late)
            try await makeVisits(3, in: store)
            var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
            descriptor.sortBy = [.init(\.transactionIdentifier, order: .reverse)]
            descriptor.fetchLimit = 1
            let newest = try await ModelContext(store.container).fetchHistory(descriptor)
            let token = try #require(newest.first?.token)
            #expect(newest.count == 1)
            #expect(try await store.history(after: token).isEmpty)
            try await run("COMMIT", on: late)
            #expect(try await store.history(after: token).count == 1)
            let newestOf = (try await store.history()).map(\.transactionIdentifier).max()
            #expect(newest.first?.transactionIdentifier == newestOf)
        }
    }

    @Test func `transactions are sorted by any property of their header`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            for (number, author) in ["c", nil, "a", "b"].enumerated() {
                context.author = author
                context.insert(Chronicle.Visit(day: number))
                try await context.save()
            }
            func authors(_ sort: SortDescriptor<DefaultHistoryTransaction>, limit: UInt64 = 0) async throws -> [String?]
            {
                var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(sortBy: [sort])
                descriptor.fetchLimit = limit
                return try await context.fetchHistory(descriptor).map(\.author)
            }
            #expect(try await authors(SortDescriptor(\.timestamp, order: .reverse)) == ["b", "a", nil, "c"])
            #expect(try await authors(SortDescriptor(\.author)) == [nil, "a", "b", "c"])
            #expect(try await authors(SortDescriptor(\.author, order: .reverse), limit: 2) == ["c", "b"])
            #expect(try await authors(SortDescriptor(\.transactionIdentifier), limit: 3) == ["c", nil, "a"])
            #expect(try await authors(SortDescriptor(\.token)) == ["c", nil, "a", "b"])
        }
    }

    @Test func `tokens of several stores advance each by itself`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let container = try await ModelContainer(
                for: Schema(Chronicle.Site.self, Chronicle.Visit.self, ModelStoreOther.self),
                configurations: ModelConfiguration(
                    "one", schema: Schema(Chronicle.Site.self, Chronicle.Visit.self), url: url),
                ModelConfiguration("two", schema: Schema(ModelStoreOther.self), url: url, postgresSchema: "second"))
            let context = ModelContext(container)
            let start = try await container.currentHistoryToken()
            for number in 0..<4 {
                context.insert(Chronicle.Visit(day: number))
                if number.isMultiple(of: 2) { context.insert(ModelStoreOther(number: number)) }
                try await context.save()
            }
            let all = try await context.fetchHistory(HistoryDescriptor())
            #expect(all.count == 6)
            #expect(Set(all.map(\.storeIdentifier)).count == 2)
            for limit in [1, 2, 5] {
                var paged: [String] = []
                var token = start
                while true {
                    let page = try await context.fetchHistory(after: token, limit: limit)
                    paged += page.transactions.map { "\($0.storeIdentifier) \($0.id)" }
                    token = page.token
                    if page.isLast { break }
                }
                #expect(paged == all.map { "\($0.storeIdentifier) \($0.id)" })
                #expect(try await context.fetchHistory(after: token).transactions.isEmpty)
            }
            for (index, transaction) in all.enumerated() {
                let token = transaction.token
                let rest = try await context.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > token }))
                #expect(rest.count == all.count - index - 1)
            }
            await container.close()
        }
    }

    private func makeVisits(_ count: Int, in store: ModelStore) async throws {
        let context = ModelContext(store.container)
        for number in 0..<count {
            context.insert(Chronicle.Visit(day: number))
            try await context.save()
        }
    }
}

@Model final class ModelStoreOther {
    var number: Int
    init(number: Int) { self.number = number }
}

func run(_ sql: String, on connection: PostgresConnection) async throws {
    try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
}

/// Tokens that notifications brought, from whichever thread.
private final class TokenBox: @unchecked Sendable {
    // Guarded by the lock.
    private var tokens: [DefaultHistoryToken] = []
    private let lock = NSLock()

    func append(_ more: [DefaultHistoryToken]?) { lock.withLock { tokens += more ?? [] } }
    var all: [DefaultHistoryToken] { lock.withLock { tokens } }
}
