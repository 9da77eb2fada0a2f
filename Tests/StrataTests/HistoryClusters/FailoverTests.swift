import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer
import StrataModelTestSupport
import StrataTestSupport
import Synchronization
import Testing

/// What several tasks have written, and what they know of it.
private final class Ledger: Sendable {
    private struct Entries {
        var acknowledged: Set<Int> = []
        var unknown: Set<Int> = []
        var failures: [String] = []
        var isOver = false
    }

    private let entries = Mutex(Entries())

    var acknowledged: Set<Int> { entries.withLock { $0.acknowledged } }
    /// Whoever wrote these was told that nobody knows.
    var unknown: Set<Int> { entries.withLock { $0.unknown } }
    var failures: [String] { entries.withLock { $0.failures } }
    var isOver: Bool { entries.withLock { $0.isOver } }

    func end() { entries.withLock { $0.isOver = true } }

    func write(_ code: Int, to container: ModelContainer) async {
        do {
            try await container.withContext(attempts: 1000) { $0.insert(Cargo(code: code)) }
            entries.withLock { _ = $0.acknowledged.insert(code) }
        } catch let error as SwiftDataError where error.isUnknown {
            entries.withLock { _ = $0.unknown.insert(code) }
        } catch {
            entries.withLock { entries in
                entries.failures.append("\(error)")
                entries.isOver = true
            }
        }
    }
}

extension SwiftDataError {
    /// Whether the work may have been done: COMMIT was sent, or the connection was lost while it went on.
    fileprivate var isUnknown: Bool { code == .outcomeUnknown || underlying?.isConnectionLoss == true }
}

/// Several servers in the URL: what a program has committed is there, and it goes on writing, when the first has died.
@Suite(.serialized) struct FailoverTests {
    private static let schema = Schema([Cargo.self, ColdCargo.self, CargoTag.self])

    /// One URL for both, as an operator writes it.
    private func url(_ primary: LocalServer, _ standby: StandbyServer) throws -> URL {
        let hosts = [primary.socketDirectory.path, standby.directory.path].map { $0.replacing("/", with: "%2F") }
        let port = try PostgresConfiguration(url: primary.url).port ?? 5432
        return try #require(
            URL(
                string: "postgresql:///postgres?host=\(hosts[0]),\(hosts[1])&port=\(port),5432&user=postgres"
                    + "&target_session_attrs=read-write&connect_timeout=2"))
    }

    private func execute(_ sql: String, _ configuration: PostgresConfiguration) async throws {
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }

    /// It ends as in a crash, and is not started again.
    private func crash(_ server: LocalServer) throws {
        let file = server.dataDirectory.appendingPathComponent("postmaster.pid")
        let line = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").first
        let process = try #require(line.flatMap { Int32($0) })
        try #require(kill(process, SIGQUIT) == 0)
    }

    /// The standby confirms each commit, so what was acknowledged before the primary died is there. A commit that was not acknowledged
    /// may be there or not, and is not done again.
    @Test func writesGoOnAtTheStandbyThatWasPromotedAndNothingAcknowledgedIsLost() async throws {
        let primary = try TestServer.another([
            "max_connections": "50", "synchronous_commit": "on", "wal_level": "replica",
        ])
        defer { primary.stop() }
        // The tables first: a standby would have to follow all of it.
        let first = try await ModelContainer(
            for: Self.schema,
            configurations: [ModelConfiguration(url: try #require(URL(string: primary.url)))],
            logger: Logger(label: "test"))
        await first.close()
        let standby = try await StandbyServer(of: primary)
        defer { standby.stop() }
        let server = try PostgresConfiguration(url: primary.url)
        try await execute("ALTER SYSTEM SET synchronous_standby_names = '*'", server)
        try await execute("SELECT pg_reload_conf()", server)
        let container = try await ModelContainer(
            for: Self.schema, configurations: [ModelConfiguration(url: try url(primary, standby))],
            logger: Logger(label: "test"))

        let ledger = Ledger()
        let writers = (0..<4).map { writer in
            Task {
                var code = writer
                while !ledger.isOver {
                    code += 4
                    await ledger.write(code, to: container)
                }
            }
        }
        try await waitUntil { ledger.acknowledged.count >= 40 }
        try crash(primary)
        let before = ledger.acknowledged
        try await standby.promote()
        try await waitUntil { ledger.acknowledged.count >= before.count + 40 || !ledger.failures.isEmpty }
        ledger.end()
        for writer in writers { await writer.value }
        #expect(ledger.failures == [])

        let context = ModelContext(container)
        let codes: [Int] = try await context.fetch(FetchDescriptor<Cargo>(), selecting: \.code)
        let stored = Set(codes)
        let acknowledged = ledger.acknowledged
        #expect(acknowledged.subtracting(stored).isEmpty, "what was acknowledged is there")
        #expect(
            stored.subtracting(acknowledged).isSubset(of: ledger.unknown), "and nothing else, but what nobody knew of")
        let count = try await context.fetchCount(FetchDescriptor<Cargo>())
        #expect(count == stored.count, "once")
        await container.close()
    }

    /// A server that has become a standby answers, and refuses: connections to it are replaced, also those that lie idle.
    @Test func connectionsToAServerThatTakesNoWritesAnyMoreAreReplaced() async throws {
        try await withModelStore(of: Self.schema) { store in
            let (container, name) = (store.container, store.database.name)
            try await store.database.execute("ALTER DATABASE \"\(name)\" SET default_transaction_read_only = on")
            try await store.killConnections()
            // Sessions that begin while it takes no writes: five, which are idle then.
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        try await container.read(isolation: .readCommitted, attempts: 20) { context in
                            _ = try await context.fetchCount(FetchDescriptor<Cargo>())
                            await gate.wait()
                        }
                    }
                }
                try await waitUntil { container.poolUse[0].inUse == 5 }
                gate.open()
                try await group.waitForAll()
            }
            try await store.database.execute("ALTER DATABASE \"\(name)\" RESET default_transaction_read_only")
            let context = ModelContext(container)
            context.insert(Cargo(code: 1))
            await #expect { try await context.save() } throws: { error in
                let error = error as? SwiftDataError
                return error?.isRetryable == true && error?.underlying?.code == .readOnlyServer
            }
            try await context.save()
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Cargo>()) == 1)
        }
    }

    /// Where the program itself has said that it only reads, trying again would not help.
    @Test func aWriteWithinATransactionThatOnlyReadsIsNotTriedAgain() async throws {
        try await withModelStore(of: Self.schema) { store in
            try await store.database.execute("CREATE SEQUENCE numbers")
            var attempts = 0
            await #expect {
                try await store.container.read(isolation: .readCommitted) { context in
                    attempts += 1
                    _ = try await context.fetch(Int.self, sql: "SELECT nextval('numbers')")
                }
            } throws: { error in
                let error = error as? SwiftDataError
                return error?.sqlState == "25006" && error?.isRetryable == false
            }
            #expect(attempts == 1)
        }
    }
}
