import Foundation
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

@Suite struct ConnectionLossTests {
    @Test func aKilledServerProcessIsALostConnection() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            let killer = try await database.connect()
            defer {
                connection.close()
                killer.close()
            }
            try await connection.execute("CREATE TABLE t (n int8)")
            let error = await postgresError {
                var batch = PostgresBatch()
                batch.begin()
                batch.add(PostgresStatement("INSERT INTO t VALUES (1)"))
                batch.add(PostgresStatement("SELECT pg_terminate_backend(pg_backend_pid())", name: "suicide"))
                batch.commit()
                try await connection.run(batch)
            }
            // The server said that it ended the session, and COMMIT came after that: nothing is stored.
            #expect(error?.code == .connectionLost)
            #expect(error?.sqlState == "57P01")
            #expect(error?.statementName == "suicide")
            #expect(error?.wasSent == true && error?.isConnectionLoss == true && error?.isRetryable == true)
            #expect(!connection.isUsable)
            #expect(try await killer.column("SELECT count(*) FROM t", as: Int.self) == [0])
            let again = await postgresError { try await connection.execute("SELECT 1") }
            #expect(again?.code == .connectionLost && again?.wasSent == false)
        }
    }

    @Test func aConnectionThatDiedWhileIdleSendsNothing() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            let killer = try await database.connect()
            defer {
                connection.close()
                killer.close()
            }
            _ = try await killer.column(
                "SELECT pg_terminate_backend($1, 10000)", PostgresParameters(connection.backendID), as: Bool.self)
            let error = await postgresError { try await connection.execute("SELECT 1") }
            #expect(error?.code == .connectionLost)
            #expect(error?.wasSent == false && error?.isRetryable == true)
        }
    }

    @Test(.onPrivateServer, arguments: [CuttingProxy.Cut.beforeForwarding, .afterForwarding])
    func aConnectionCutAroundCommitLeavesTheOutcomeUnknown(_ cut: CuttingProxy.Cut) async throws {
        try await withTestDatabase { database in
            try await database.execute("CREATE TABLE t (n int8)")
            let proxy = try CuttingProxy(before: database.configuration, cutAt: "COMMIT", cut)
            defer { proxy.stop() }
            let configuration = proxy.configuration(for: database.configuration)
            // Two round trips, so that COMMIT is in a packet of its own; and everything in one.
            for rounds in [2, 1] {
                let connection = try await PostgresConnection.connect(configuration)
                let error = await postgresError {
                    try await connection.withTransaction { connection in
                        var batch = PostgresBatch()
                        batch.add(PostgresStatement("INSERT INTO t VALUES (1)"))
                        if rounds == 1 { batch.commit() }
                        try await connection.run(batch)
                    }
                }
                connection.close()
                #expect(error?.code == .outcomeUnknown)
                #expect(error?.isRetryable == false && error?.isConnectionLoss == true)
                #expect(error?.statementText == "COMMIT" || rounds == 1)
            }
            let check = try await database.connect()
            defer { check.close() }
            let stored = try await check.column("SELECT count(*) FROM t", as: Int.self)
            #expect(stored == [cut == .afterForwarding ? 2 : 0])
        }
    }

    @Test func aPoolSurvivesARestartOfTheServer() async throws {
        guard try PostgresConfiguration.environment() == nil else { return }
        // A server of its own: others must not be disturbed.
        let server = try TestServer.another()
        defer { server.stop() }
        let pool = PostgresPool(configuration: try PostgresConfiguration(url: server.url))
        let first = try await pool.acquire(for: "first")
        let second = try await pool.acquire(for: "second")
        try await first.execute("SELECT 1")
        pool.release(first)
        pool.release(second)
        try server.restart(mode: .fast)
        for _ in 0..<3 {
            try await pool.withConnection(for: "after") {
                let rows = try await $0.column("SELECT 1", as: Int.self)
                #expect(rows == [1])
            }
        }
        await pool.close()
        let check = try await PostgresConnection.connect(try PostgresConfiguration(url: server.url))
        let left =
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        while try await check.column(left, as: Int.self) != [0] { try await Task.sleep(for: .milliseconds(5)) }
        check.close()
    }
}
