import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

/// One primary with two standbys, which all tests of replicas use, one after the other: each has a database of its own there.
actor ReplicatedServers {
    static let shared = ReplicatedServers()

    private var primary: LocalServer?
    private var standbys: [StandbyServer] = []
    private var databases = 0

    /// A new database with the tables, on the primary and on standbys that follow it.
    func store(standbys count: Int) async throws -> ReplicatedStore {
        if primary == nil { primary = try await start() }
        let primary = try #require(primary)
        try await mendStandbys(of: primary)
        databases += 1
        let name = "replicated_\(databases)"
        try await Self.run("CREATE DATABASE \(name) TEMPLATE tables", PostgresConfiguration(url: primary.url))
        let store = try await ReplicatedStore(
            database: name, primary: primary, standbys: Array(standbys.prefix(count)))
        for standby in 0..<count { try await store.waitForReplay(standby) }
        return store
    }

    private func start() async throws -> LocalServer {
        // A standby follows at once only what the primary really commits.
        let server = try TestServer.another([
            "max_connections": "80", "synchronous_commit": "on", "wal_level": "replica", "wal_keep_size": "256MB",
        ])
        do { try await Self.makeTables(server) } catch {
            server.stop()
            throw error
        }
        return server
    }

    private static func makeTables(_ server: LocalServer) async throws {
        try await run("CREATE DATABASE tables", PostgresConfiguration(url: server.url))
        let container = try await ModelContainer(
            for: ReplicatedStore.schema,
            configurations: [
                ModelConfiguration(url: try #require(URL(string: server.url(database: "tables"))))
            ], logger: Logger(label: "test"))
        await container.close()
    }

    /// A test may have ended a standby, promoted it or stopped its replay.
    private func mendStandbys(of primary: LocalServer) async throws {
        for index in 0..<2 {
            if index == standbys.count { standbys.append(try await StandbyServer(of: primary)) }
            if !standbys[index].isRunning { try await standbys[index].start() }
            if try await Self.holds("pg_is_in_recovery()", on: standbys[index]) {
                try await Self.run("SELECT pg_wal_replay_resume()", standbys[index].configuration(database: "postgres"))
            } else {
                standbys[index].stop()
                standbys[index] = try await StandbyServer(of: primary)
            }
        }
    }

    /// Ends all of them; the next test starts others.
    func stop() {
        for standby in standbys { standby.stop() }
        standbys = []
        primary?.stop()
        primary = nil
    }

    // MARK: Statements

    static func run(_ sql: String, _ configuration: PostgresConfiguration) async throws {
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }

    /// Whether a condition is true on a standby.
    static func holds(_ condition: String, on standby: StandbyServer) async throws -> Bool {
        let connection = try await PostgresConnection.connect(try standby.configuration(database: "postgres"))
        defer { connection.close() }
        var holds = false
        try await connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL("SELECT \(condition)", isCached: false))) {
                holds = try $0.decode(0, as: Bool.self)
            })
        return holds
    }
}

/// Ends the servers behind the last test of a suite, whatever has become of its tests.
struct EndsReplicatedServers: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        do { try await function() } catch {
            await ReplicatedServers.shared.stop()
            throw error
        }
        await ReplicatedServers.shared.stop()
    }
}
