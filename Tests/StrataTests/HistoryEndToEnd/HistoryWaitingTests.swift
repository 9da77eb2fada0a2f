import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

/// Transactions that take long, that are prepared, that never end: nobody waits for them, and they are not missed.
@Suite struct HistoryWaitingTests {
    private static func withStore(
        _ body: (LocalServer, ModelContainer, PostgresConnection) async throws -> Void
    ) async throws {
        let server = try TestServer.another(["max_connections": "50", "max_prepared_transactions": "10"])
        defer { server.stop() }
        let url = try #require(URL(string: server.url))
        let container = try await ModelContainer(
            for: Schema([Cargo.self, ColdCargo.self, CargoTag.self]), configurations: [ModelConfiguration(url: url)],
            logger: Logger(label: "test"))
        let connection = try await PostgresConnection.connect(try PostgresConfiguration(url: server.url))
        defer { connection.close() }
        try await body(server, container, connection)
        await container.close()
    }

    private static func run(_ connection: PostgresConnection, _ statements: String...) async throws {
        for sql in statements {
            try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
        }
    }

    private static func insertion(_ code: Int) -> String {
        "INSERT INTO public.cargo (class, code, version) VALUES ('Cargo', \(code), 0)"
    }

    private static func save(_ code: Int, in container: ModelContainer) async throws {
        let context = ModelContext(container)
        context.author = "\(code)"
        context.insert(Cargo(code: code))
        try await context.save()
    }

    private static func page(_ container: ModelContainer, after token: DefaultHistoryToken) async throws -> HistoryPage
    {
        try await ModelContext(container).fetchHistory(after: token)
    }

    @Test func aPreparedTransactionComesWhenItIsCommittedAlsoAfterARestart() async throws {
        try await Self.withStore { server, container, connection in
            let start = try await container.currentHistoryToken()
            try await Self.run(connection, "BEGIN", Self.insertion(1), "PREPARE TRANSACTION 'one'")
            // Another that nobody ever ends.
            try await Self.run(connection, "BEGIN", Self.insertion(2), "PREPARE TRANSACTION 'forgotten'")
            try await Self.save(3, in: container)
            let first = try await Self.page(container, after: start)
            #expect(first.transactions.map(\.author) == ["3"], "it delays nobody")

            try server.restart(mode: .fast)
            let again = try await PostgresConnection.connect(try PostgresConfiguration(url: server.url))
            defer { again.close() }
            try await Self.run(again, "COMMIT PREPARED 'one'")
            try await Self.save(4, in: container)
            let second = try await Self.page(container, after: first.token)
            #expect(second.transactions.map(\.author).sorted { ($0 ?? "") < ($1 ?? "") } == [nil, "4"])
            #expect(try await Self.page(container, after: second.token).transactions.isEmpty, "and comes once")
        }
    }

    @Test func inTheOrderOfTransactionNumbersWhatWasDeletedWouldComeBack() async throws {
        try await Self.withStore { server, container, connection in
            let other = try await PostgresConnection.connect(try PostgresConfiguration(url: server.url))
            defer { other.close() }
            // The number is older than the row that the transaction deletes.
            try await Self.run(connection, "BEGIN", "SELECT pg_current_xact_id()")
            try await Self.run(other, Self.insertion(7))
            try await Self.run(connection, "DELETE FROM public.cargo WHERE code = 7", "COMMIT")
            let all = try await ModelContext(container).fetchHistory(after: nil).transactions
            var (delivered, byNumber) = (CargoDeliveries(), CargoDeliveries())
            delivered.take(all)
            #expect(delivered.replica.isEmpty && delivered.contradictions.isEmpty)
            byNumber.take(all.sorted { $0.transactionIdentifier < $1.transactionIdentifier })
            #expect(byNumber.replica.count == 1 && byNumber.contradictions.count == 1, "the control fails")
        }
    }

    @Test func aLongTransactionDelaysNobodyAndComesWhenItEnds() async throws {
        try await Self.withStore { server, container, connection in
            try await Self.run(connection, "CREATE DATABASE elsewhere")
            let elsewhere = try await PostgresConnection.connect(
                try PostgresConfiguration(url: server.url(database: "elsewhere")))
            defer { elsewhere.close() }
            try await Self.run(
                elsewhere, "CREATE TABLE other (number integer)", "BEGIN", "INSERT INTO other VALUES (1)")
            var token = try await container.currentHistoryToken()
            try await Self.run(connection, "BEGIN", Self.insertion(1))
            for code in 2...5 {
                try await Self.save(code, in: container)
                let page = try await Self.page(container, after: token)
                #expect(page.transactions.map(\.author) == ["\(code)"], "others come at once")
                token = page.token
            }
            try await Self.run(connection, "COMMIT")
            let last = try await Self.page(container, after: token)
            #expect(last.transactions.count == 1 && last.transactions[0].author == nil)
            #expect(try await Self.page(container, after: last.token).transactions.isEmpty)
            try await Self.run(elsewhere, "ROLLBACK")
        }
    }

    @Test func anAuthorEndsWithItsTransactionOnAConnectionThatOthersUseAfterwards() async throws {
        try await Self.withStore { _, container, connection in
            let start = try await container.currentHistoryToken()
            // As a pooler in transaction mode hands a connection from client to client.
            for author in ["Ada", "", "Grace", ""] {
                try await Self.run(connection, "BEGIN")
                if !author.isEmpty {
                    try await Self.run(connection, "SELECT set_config('strata.author', '\(author)', true)")
                }
                try await Self.run(connection, Self.insertion(1), "COMMIT")
            }
            let page = try await Self.page(container, after: start)
            #expect(page.transactions.map(\.author) == ["Ada", nil, "Grace", nil])
            #expect(page.transactions.allSatisfy { $0.actor == "postgres" })
        }
    }

    @Test func aContextThatIsNoJSONHurtsNobody() async throws {
        try await Self.withStore { _, container, connection in
            let start = try await container.currentHistoryToken()
            try await Self.run(connection, "SET strata.context = 'not JSON'", Self.insertion(1))
            let context = ModelContext(container)
            context.historyContext = ["request": "7"]
            context.insert(Cargo(code: 2))
            try await context.save()
            let asked = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(
                    predicate: #Predicate { $0.token > start && $0.context["request"] == "7" }))
            #expect(asked.count == 1)
            #expect(
                try await Self.page(container, after: start).transactions.map(\.context) == [[:], ["request": "7"]])
        }
    }

    @Test func aWriterWhoKeepsATransactionOpenDoesNotKeepHistoryFromBeingPruned() async throws {
        try await Self.withStore { server, container, connection in
            for code in 1...5 { try await Self.save(code, in: container) }
            let writer = try await PostgresConnection.connect(try PostgresConfiguration(url: server.url))
            defer { writer.close() }
            try await Self.run(writer, "SET strata.notify = 'on'", "BEGIN", Self.insertion(6))
            let pruned = try await container.pruneHistory(olderThan: nil, keepingAtMost: 2)
            #expect(pruned.transactions == 3 && !pruned.wasLeftToAnother)
            try await Self.run(writer, "COMMIT")
            let rest = try await ModelContext(container).fetchHistory(after: nil)
            #expect(rest.transactions.map(\.author) == ["4", "5", nil])
        }
    }
}
