import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

/// What becomes of tokens when a database is restored, copied or taken over: real dumps, templates, base backups.
@Suite(.serialized) struct HistoryClusterTests {
    private static let schema = Schema([Cargo.self, ColdCargo.self, CargoTag.self])

    private static func primary() throws -> LocalServer {
        // Each with data of its own: copies would say the same system identifier, by which a restored database is told from the old one.
        // A standby follows at once only what the primary really commits.
        let settings = ["max_connections": "50", "synchronous_commit": "on", "wal_level": "replica"]
        return try LocalServer.temporary(
            options: .init(settings: settings, directory: MemoryFolder.find(free: 3 << 30)))
    }

    private static func open(_ url: String, allowsSave: Bool = true) async throws -> ModelContainer {
        guard let url = URL(string: url) else { throw CocoaError(.fileNoSuchFile) }
        return try await ModelContainer(
            for: schema, configurations: [ModelConfiguration(url: url, allowsSave: allowsSave)],
            logger: Logger(label: "test"))
    }

    private static func insert(_ codes: Int..., into container: ModelContainer) async throws {
        for code in codes {
            let context = ModelContext(container)
            context.insert(Cargo(code: code))
            try await context.save()
        }
    }

    private static func transactions(
        _ container: ModelContainer, after token: DefaultHistoryToken?
    ) async throws -> HistoryPage {
        try await ModelContext(container).fetchHistory(after: token)
    }

    private static func expectExpired(
        _ container: ModelContainer, _ token: DefaultHistoryToken, _ what: Comment
    ) async {
        await #expect(what) { try await transactions(container, after: token) } throws: { error in
            SwiftDataError.Code.historyTokenExpired ~= error
        }
    }

    private static func execute(_ sql: String, _ url: String) async throws {
        let connection = try await PostgresConnection.connect(try PostgresConfiguration(url: url))
        defer { connection.close() }
        try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }

    /// Copies the database `postgres` of a server to another server, by a dump.
    private static func restore(_ source: LocalServer, to target: LocalServer) async throws {
        let file = URL(fileURLWithPath: "/tmp/strata-dump-\(UUID().uuidString).sql")
        defer { try? FileManager.default.removeItem(at: file) }
        try await ServerProgram.run("pg_dump", ["-d", source.url], of: source, output: file)
        chmod(file.path, 0o644)
        try await ServerProgram.run(
            "psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", target.url, "-f", file.path], of: target)
    }

    @Test func aDumpThatIsRestoredIntoAYoungerServerBeginsANewGeneration() async throws {
        let server = try Self.primary()
        defer { server.stop() }
        let container = try await Self.open(server.url)
        // The old server is far ahead: its transactions have higher numbers than those of the new one.
        for _ in 0..<500 { try await Self.execute("SELECT pg_current_xact_id()", server.url) }
        try await Self.insert(1, 2, 3, into: container)
        let token = try await container.currentHistoryToken()
        await container.close()
        let younger = try Self.primary()
        defer { younger.stop() }
        try await Self.restore(server, to: younger)

        let restored = try await Self.open(younger.url)
        await Self.expectExpired(restored, token, "a token of the old server means nothing here")
        let before = try await Self.transactions(restored, after: nil)
        #expect(before.transactions.count == 3, "what was before is still listed")
        try await Self.insert(4, into: restored)
        let news = try await Self.transactions(restored, after: before.token)
        #expect(news.transactions.count == 1, "and only what is new comes after it")
        await restored.close()
    }

    @Test func aCopyOfATemplateBeginsANewGeneration() async throws {
        let server = try Self.primary()
        defer { server.stop() }
        let container = try await Self.open(server.url)
        try await Self.insert(1, into: container)
        let token = try await container.currentHistoryToken()
        await container.close()
        let maintenance = server.url(database: "template1")
        try await Self.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'postgres'", maintenance)
        try await Self.execute("CREATE DATABASE copied TEMPLATE postgres", maintenance)

        let copy = try await Self.open(server.url(database: "copied"))
        await Self.expectExpired(copy, token, "a token of the original means nothing in the copy")
        let start = try await copy.currentHistoryToken()
        try await Self.insert(2, into: copy)
        #expect(try await Self.transactions(copy, after: start).transactions.count == 1)
        await copy.close()

        let original = try await Self.open(server.url)
        #expect(try await Self.transactions(original, after: token).transactions.isEmpty, "it is good in the original")
        await original.close()
    }

    @Test func aStandbyWithholdsWhatMayStillRunAndAPromotedOneBeginsANewGeneration() async throws {
        let server = try Self.primary()
        defer { server.stop() }
        let container = try await Self.open(server.url)
        try await Self.insert(1, into: container)
        let standby = try await StandbyServer(of: server)
        defer { standby.stop() }
        let replica = try await Self.open(standby.url(database: "postgres"), allowsSave: false)
        let first = try await Self.eventually {
            try await Self.transactions(replica, after: nil)
        } until: {
            $0.transactions.count == 1
        }
        #expect(first.transactions.count == 1)

        // One transaction is open on the primary while the token is taken, another commits behind it.
        let writer = try await PostgresConnection.connect(try PostgresConfiguration(url: server.url))
        for sql in ["BEGIN", "INSERT INTO public.cargo (class, code, version) VALUES ('Cargo', 100, 0)"] {
            try await writer.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
        }
        try await Self.insert(2, into: container)
        try await Self.waitUntilReplayed(server, standby)
        let between = try await Self.transactions(replica, after: first.token)
        #expect(between.transactions.isEmpty, "what is younger than the oldest that may still run is withheld")
        try await writer.run(PostgresBatch(PostgresStatement(PreparedSQL("COMMIT", isCached: false))))
        writer.close()
        try await Self.waitUntilReplayed(server, standby)
        let after = try await Self.eventually {
            try await Self.transactions(replica, after: between.token)
        } until: {
            $0.transactions.count == 2
        }
        #expect(after.transactions.count == 2, "then both come, once")
        #expect(try await Self.transactions(replica, after: after.token).transactions.isEmpty)
        // A token of the standby is good on the primary.
        #expect(try await Self.transactions(container, after: after.token).transactions.isEmpty)

        await container.close()
        try await standby.promote()
        let promoted = try await Self.open(standby.url(database: "postgres"))
        await Self.expectExpired(promoted, after.token, "the new primary may lack what the old one had committed")
        let start = try await promoted.currentHistoryToken()
        try await Self.insert(3, into: promoted)
        #expect(try await Self.transactions(promoted, after: start).transactions.count == 1)
        // The container that was open all the time notices as well.
        await Self.expectExpired(replica, after.token, "also for those who were connected before")
        await replica.close()
        await promoted.close()
    }

    @Test func anObserverOnAStandbyLooksAndGetsEverythingOnce() async throws {
        let server = try Self.primary()
        defer { server.stop() }
        let container = try await Self.open(server.url)
        try await Self.insert(1, into: container)
        let standby = try await StandbyServer(of: server)
        defer { standby.stop() }
        let replica = try await Self.open(standby.url(database: "postgres"), allowsSave: false)
        try await Self.waitUntilReplayed(server, standby)
        let start = try await Self.eventually {
            try await Self.transactions(replica, after: nil)
        } until: {
            $0.transactions.count == 1
        }
        let observed = Task {
            var codes: [RowKey] = []
            for try await transaction in replica.history(after: start.token) {
                codes += transaction.changes.map(\.changedPersistentIdentifier.key)
                if codes.count >= 4 { break }
            }
            return codes
        }
        for code in 2...5 {
            try await Self.insert(code, into: container)
            try await Task.sleep(for: .milliseconds(100))
        }
        let codes = try await observed.value(within: 60)
        #expect(codes.count == 4 && Set(codes).count == 4)
        await replica.close()
        await container.close()
    }

    private static func waitUntilReplayed(_ primary: LocalServer, _ standby: StandbyServer) async throws {
        let place = try await value("SELECT pg_current_wal_lsn()::text", primary.url)
        for _ in 0..<600 {
            let sql = "SELECT (pg_last_wal_replay_lsn() >= '\(place)'::pg_lsn)::text"
            if try await value(sql, standby.url(database: "postgres")) == "true" { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the standby does not follow")
    }

    private static func value(_ sql: String, _ url: String) async throws -> String {
        let connection = try await PostgresConnection.connect(try PostgresConfiguration(url: url))
        defer { connection.close() }
        var value = ""
        try await connection.run(
            PostgresBatch(
                PostgresStatement(PreparedSQL(sql, isCached: false)),
                onRow: { value = try $0.decode(0, as: String.self) }))
        return value
    }

    private static func eventually(
        _ fetch: () async throws -> HistoryPage, until isThere: (HistoryPage) -> Bool
    ) async throws -> HistoryPage {
        var page = try await fetch()
        for _ in 0..<100 where !isThere(page) {
            try await Task.sleep(for: .milliseconds(50))
            page = try await fetch()
        }
        return page
    }
}
