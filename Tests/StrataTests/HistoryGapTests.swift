import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

/// Where a gap could arise that nobody notices: new generations, deletion in between, two stores in one transaction.
@Suite struct HistoryGapTests {
    // MARK: New generations

    @Test func `a transaction that began to write under the old generation is waited for, not lost`() async throws {
        try await withTestDatabase { database in
            let container = try await open(database)
            try await container.save(1)
            let writer = try await database.connect()
            defer { writer.close() }
            try await run("BEGIN", on: writer)
            try await run("INSERT INTO visit (day) VALUES (2)", on: writer)
            let process = try await value("SELECT pg_backend_pid()::text", on: writer)
            try await elsewhere(database)

            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await container.currentHistoryToken()
            }
            #expect(error?.code == .storeFailure && error?.message.contains("process \(process)") == true)
            // Whoever saves is not kept from it, nor is who opens: the finding says what is waited for.
            try await container.save(3)
            let opened = try await open(database)
            #expect(try await opened.verifyHistory().map(\.problem) == [.pending])
            #expect(try await opened.verifyHistory().first?.description.contains("process \(process)") == true)

            try await run("COMMIT", on: writer)
            let token = try await opened.currentHistoryToken()
            #expect(try await opened.verifyHistory() == [])
            try await opened.save(4)
            let context = ModelContext(opened)
            #expect(try await context.fetchHistory(after: token).transactions.count == 1)
            #expect(try await context.fetchHistory(after: nil).transactions.count == 4)
            await opened.close()
            await container.close()
        }
    }

    @Test func `a prepared transaction is named by its identifier`() async throws {
        let server = try TestServer.another(["max_prepared_transactions": "5"])
        defer { server.stop() }
        let container = try await ModelContainer(
            for: Chronicle.schema, configurations: ModelConfiguration(url: try #require(URL(string: server.url))))
        let writer = try await PostgresConnection.connect(try PostgresConfiguration(url: server.url))
        defer { writer.close() }
        for sql in [
            "BEGIN", "INSERT INTO visit (day) VALUES (2)", "PREPARE TRANSACTION 'order 17'",
            "UPDATE strata.store SET timeline = 'elsewhere'",
        ] {
            try await run(sql, on: writer)
        }
        let error = await #expect(throws: SwiftDataError.self) { _ = try await container.currentHistoryToken() }
        #expect(error?.message.contains("prepared transaction 'order 17'") == true, "\(String(describing: error))")
        try await run("COMMIT PREPARED 'order 17'", on: writer)
        let token = try await container.currentHistoryToken()
        #expect(try await ModelContext(container).fetchHistory(after: token).transactions.isEmpty)
        await container.close()
    }

    @Test func `a transaction that has written itself begins no generation`() async throws {
        try await withTestDatabase { database in
            let container = try await open(database)
            try await container.save(1)
            try await elsewhere(database)
            let context = ModelContext(container)
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.transaction {
                    context.insert(Chronicle.Visit(day: 2))
                    try await context.save()
                    _ = try await context.fetchHistory(after: nil)
                }
            }
            #expect(error?.message.contains("has written itself") == true, "\(String(describing: error))")
            await container.close()
        }
    }

    @Test func `all stores of a database begin a generation together`() async throws {
        try await withTwoStores { first, second, database in
            try await first.save(1)
            try await elsewhere(database)
            _ = try await first.currentHistoryToken()
            let connection = try await database.connect()
            defer { connection.close() }
            let generations = "SELECT string_agg(generation::text, ' ' ORDER BY number) FROM strata.store"
            #expect(try await value(generations, on: connection) == "2 2")
        }
    }

    @Test func `older generations pruned between two pages from the beginning expire the reading`() async throws {
        try await withTestDatabase { database in
            let container = try await open(database)
            for day in 0..<4 { try await container.save(day) }
            try await elsewhere(database)
            _ = try await container.currentHistoryToken()
            try await container.save(4)
            let context = ModelContext(container)
            let page = try await context.fetchHistory(after: nil, limit: 1)
            #expect(page.transactions.count == 1)
            try await prune(4, in: container, olderThan: nil, keepingAtMost: 1)
            #expect(await code { _ = try await context.fetchHistory(after: page.token) } == .historyTokenExpired)
            #expect(try await context.fetchHistory(after: nil).transactions.count == 1)
            await container.close()
        }
    }

    @Test func `tokens of transactions of all generations are in order, in memory and in the database`() async throws {
        try await withTestDatabase { database in
            let container = try await open(database)
            for day in 0..<2 { try await container.save(day) }
            try await elsewhere(database)
            _ = try await container.currentHistoryToken()
            for day in 2..<4 { try await container.save(day) }
            let context = ModelContext(container)
            let all = try await context.fetchHistory(HistoryDescriptor())
            try #require(all.count == 4)
            #expect(all.map(\.token).sorted() == all.map(\.token))
            for (index, transaction) in all.enumerated() {
                for (other, later) in all.enumerated() {
                    #expect((transaction.token < later.token) == (index < other), "\(index) and \(other)")
                }
                let token = transaction.token
                #expect(DefaultHistoryToken(token.description) == token)
                #expect(try await count(#Predicate { $0.token > token }, context) == 3 - index)
                #expect(try await count(#Predicate { $0.token >= token }, context) == 4 - index)
                #expect(try await count(#Predicate { $0.token <= token }, context) == index + 1)
                #expect(try await count(#Predicate { $0.token < token }, context) == index)
            }
            await container.close()
        }
    }

    @Test func `history of elsewhere is deleted also where nobody has opened the store since`() async throws {
        try await withTestDatabase { database in
            let container = try await open(database)
            for day in 0..<3 { try await container.save(day) }
            let connection = try await database.connect()
            defer { connection.close() }
            // The numbers of the other server were greater than any of this one.
            for sql in [
                "UPDATE strata.store SET timeline = 'elsewhere'",
                "UPDATE strata.history_transaction SET xid = (xid::text::bigint + 1000000000)::text::xid8",
                "UPDATE strata.history_change SET xid = (xid::text::bigint + 1000000000)::text::xid8",
            ] {
                try await run(sql, on: connection)
            }
            var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
            descriptor.fetchLimit = 2
            try await ModelContext(container).deleteHistory(descriptor)
            #expect(try await value("SELECT count(*)::text FROM strata.history_transaction", on: connection) == "1")
            try await run("UPDATE strata.store SET timeline = 'once more'", on: connection)
            let prune = "SELECT strata.history_prune('public', 'infinity', NULL)::text"
            #expect(try await value(prune, on: connection) == "1")
            #expect(try await value("SELECT count(*)::text FROM strata.history_change", on: connection) == "0")
            await container.close()
        }
    }

    // MARK: Two stores

    @Test func `what is deleted of one store moves nothing in another that the same transaction wrote`() async throws {
        try await withTwoStores { first, second, database in
            let writer = try await database.connect()
            defer { writer.close() }
            for sql in ["BEGIN", "INSERT INTO public.visit (day) VALUES (1)"] { try await run(sql, on: writer) }
            try await first.save(2)
            for sql in ["INSERT INTO other.visit (day) VALUES (3)", "COMMIT"] { try await run(sql, on: writer) }

            let context = ModelContext(first)
            let page = try await context.fetchHistory(after: nil, limit: 1)
            let deadline = ContinuousClock.now + .seconds(30)
            let other = ModelContext(second)
            while try await !other.fetchHistory(HistoryDescriptor()).isEmpty, .now < deadline {
                try await other.deleteHistory(HistoryDescriptor())
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await other.fetchHistory(HistoryDescriptor()).isEmpty)
            let rest = try await context.fetchHistory(after: page.token)
            let all = page.transactions + rest.transactions
            #expect(all.map(\.summary) == ["insert Visit", "insert Visit"])
            #expect(Set(all.map(\.id)).count == 2)
        }
    }

    // MARK: Pieces

    private func count(_ predicate: HistoryPredicate, _ context: ModelContext) async throws -> Int {
        try await context.fetchHistory(HistoryDescriptor(predicate: predicate)).count
    }

    /// As after a restore: the numbers of the history are those of another server.
    private func elsewhere(_ database: TestDatabase) async throws {
        try await database.execute("UPDATE strata.store SET timeline = 'elsewhere'")
    }

    private func open(_ database: TestDatabase, schema: String = "public") async throws -> ModelContainer {
        try await ModelContainer(
            for: Chronicle.schema,
            configurations: [ModelConfiguration(url: try #require(database.foundationURL), postgresSchema: schema)],
            logger: Logger(label: "test"))
    }

    private func withTwoStores(
        _ body: (ModelContainer, ModelContainer, TestDatabase) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            let (first, second) = (try await open(database), try await open(database, schema: "other"))
            try await body(first, second, database)
            await first.close()
            await second.close()
        }
    }

    private func value(_ sql: String, on connection: PostgresConnection) async throws -> String {
        var value = ""
        try await connection.run(
            PostgresBatch(
                PostgresStatement(PreparedSQL(sql, isCached: false)),
                onRow: { value = try $0.decode(0, as: String.self) }))
        return value
    }
}

extension ModelContainer {
    fileprivate func save(_ day: Int) async throws {
        let context = ModelContext(self)
        context.insert(Chronicle.Visit(day: day))
        try await context.save()
    }
}
