import Foundation
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataClient

@Suite struct PoolTests {
    private func withPool<Result>(
        _ options: PostgresPoolOptions = PostgresPoolOptions(), limit: Int = 256,
        observer: (any PostgresObserver)? = nil, onConnect: (@Sendable (PostgresConnection) throws -> Void)? = nil,
        _ body: (PostgresPool) async throws -> Result
    ) async throws -> Result {
        try await withTestDatabase { database in
            var configuration = database.configuration
            configuration.preparedStatements = .named(limit: limit)
            let pool = PostgresPool(
                configuration: configuration, options: options, observer: observer, onConnect: onConnect)
            do {
                let result = try await body(pool)
                await pool.close()
                #expect(pool.connectionCount == 0)
                return result
            } catch {
                await pool.close()
                throw error
            }
        }
    }

    @Test func manyTasksShareAFewConnections() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 4, acquireTimeout: .seconds(60))) { pool in
            let results = try await withThrowingTaskGroup(of: (value: Int, connections: Int).self) { group in
                for number in 0..<64 {
                    group.addTask {
                        try await pool.withConnection(for: "task \(number)") { connection in
                            let sql = "SELECT $1"
                            let rows = try await connection.column(sql, PostgresParameters(number), as: Int.self)
                            return (rows.compactMap { $0 }.reduce(0, +), pool.connectionCount)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.map(\.value).reduce(0, +) == 2016)
            #expect(results.allSatisfy { $0.connections <= 4 })
        }
    }

    @Test func aTimeoutSaysWhoHoldsTheConnections() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 1, acquireTimeout: .milliseconds(50))) { pool in
            let held = try await pool.acquire(for: "nightly report")
            let error = await postgresError { pool.release(try await pool.acquire(for: "fetch Trip")) }
            #expect(error?.code == .poolAcquireTimeout)
            #expect(error?.isRetryable == true)
            #expect(error?.message.contains(#"for "fetch Trip" within 0.05 s"#) == true)
            #expect(error?.message.contains(#"connection \#(held.id) by "nightly report" for "#) == true)
            pool.release(held)
            pool.release(held)
            let again = try await pool.acquire(for: "fetch Trip")
            #expect(again === held)
            pool.release(again)
        }
    }

    @Test func aWaitingTaskCanBeCancelled() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 1)) { pool in
            let held = try await pool.acquire(for: "holder")
            let task = Task { pool.release(try await pool.acquire(for: "waiter")) }
            try await waitUntil { pool.state.withLock { $0.machine.waiterCount } > 0 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(pool.state.withLock { $0.machine.waiterCount } == 0)
            pool.release(held)
            pool.release(try await pool.acquire(for: "next"))
        }
    }

    @Test func cancellationsAndTimeoutsLoseNoConnection() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 2, acquireTimeout: .milliseconds(20))) { pool in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let task = Task {
                            try await pool.withConnection(for: "task") {
                                try await $0.execute("SELECT pg_sleep(0.002)")
                            }
                        }
                        if number % 3 == 0 {
                            await Task.yield()
                            task.cancel()
                        }
                        _ = await task.result
                    }
                }
            }
            let first = try await pool.acquire(for: "first")
            let second = try await pool.acquire(for: "second")
            pool.release(first)
            pool.release(second)
        }
    }

    /// Every thread of the cooperative pool blocks in a synchronous call while asynchronous callers hold all shared
    /// connections and need such a thread to go on.
    @Test func synchronousCallsInsideOfTasksDoNotDeadlock() async throws {
        let options = PostgresPoolOptions(maximumConnections: 2, synchronousLane: 2, acquireTimeout: .seconds(60))
        try await withPool(options) { pool in
            func blocking(_ number: Int) throws -> Int {
                try pool.withConnection(for: "lazy load") { connection in
                    var result = 0
                    try connection.run(
                        PostgresBatch(PostgresStatement("SELECT $1", parameters: try PostgresParameters(number))) {
                            result = Int($0.int64(0))
                        })
                    return result
                }
            }
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        try await pool.withConnection(for: "outer") { connection in
                            try await connection.execute("SELECT 1")
                            return try blocking(number)
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 2016)
        }
    }

    @Test func synchronousCallersTimeOutToo() async throws {
        let options = PostgresPoolOptions(maximumConnections: 1, synchronousLane: 1, acquireTimeout: .milliseconds(50))
        try await withPool(options) { pool in
            func acquire(_ purpose: String) throws -> PostgresConnection { try pool.acquire(for: purpose) }
            let first = try acquire("first")
            let second = try acquire("second")
            let error = await postgresError { pool.release(try acquire("third")) }
            #expect(error?.code == .poolAcquireTimeout)
            #expect(error?.message.contains(#"by "second""#) == true)
            pool.release(first)
            pool.release(second)
        }
    }

    @Test func whatWasLeftOpenIsEndedBeforeTheNextUse() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 1)) { pool in
            let first = try await pool.acquire(for: "careless")
            try await first.execute("CREATE TABLE t (n int8)", "BEGIN", "INSERT INTO t VALUES (1)")
            try await first.listen("news")
            pool.release(first)
            let second = try await pool.acquire(for: "next")
            #expect(second === first)
            #expect(second.transactionStatus == .idle)
            #expect(try await second.column("SELECT count(*) FROM t", as: Int.self) == [0])
            #expect(try await second.column("SELECT pg_listening_channels()", as: String.self) == [])
            pool.release(second)
        }
    }

    @Test func anOpenTransactionIsEndedBeforeTheNextUse() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 1)) { pool in
            let first = try await pool.acquire(for: "careless")
            try await first.execute("CREATE TABLE t (n int8)", "BEGIN", "INSERT INTO t VALUES (1)")
            pool.release(first)
            let second = try await pool.acquire(for: "next")
            #expect(second === first)
            #expect(second.transactionStatus == .idle)
            #expect(try await second.column("SELECT count(*) FROM t", as: Int.self) == [0])
            pool.release(second)
        }
    }

    @Test func aConnectionKilledWhileIdleIsReplacedSilently() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 2)) { pool in
            let first = try await pool.acquire(for: "first")
            let second = try await pool.acquire(for: "second")
            let process = first.backendID
            pool.release(first)
            _ = try await second.column(
                "SELECT pg_terminate_backend($1, 10000)", PostgresParameters(process), as: Bool.self)
            let third = try await pool.acquire(for: "third")
            #expect(third !== first)
            #expect(try await third.column("SELECT 1", as: Int.self) == [1])
            pool.release(second)
            pool.release(third)
        }
    }

    @Test func aPingIsSentAfterALongerPauseOnly() async throws {
        let recorder = StatementRecorder()
        for (pause, expected) in [(Duration.seconds(3600), 0), (.zero, 1)] {
            try await withPool(PostgresPoolOptions(healthCheckAfterIdle: pause), observer: recorder) { pool in
                pool.release(try await pool.acquire(for: "first"))
                recorder.reset()
                pool.release(try await pool.acquire(for: "second"))
                #expect(recorder.roundTrips == expected)
            }
        }
    }

    @Test func idleConnectionsAreClosedAfterAWhile() async throws {
        try await withPool(PostgresPoolOptions(idleTimeout: .milliseconds(50))) { pool in
            pool.release(try await pool.acquire(for: "once"))
            while pool.connectionCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    @Test func `A connection that has prepared its share gives way to a new one`() async throws {
        try await withPool(PostgresPoolOptions(maximumConnections: 1, maximumPreparations: 10)) { pool in
            // What is prepared already is not prepared again.
            var same: Set<Int> = []
            for _ in 0..<20 { same.insert(try await process(pool, "SELECT pg_backend_pid()")) }
            #expect(same.count == 1)
            var others: Set<Int> = []
            for number in 0..<20 {
                others.insert(try await process(pool, "SELECT pg_backend_pid() + 0 * " + String(number)))
            }
            #expect(others.count == 3)
        }
        try await withPool(PostgresPoolOptions(maximumConnections: 1, maximumPreparations: 10), limit: 4) { pool in
            // Nor does it teach the session anything to prepare again what was given up.
            var others: Set<Int> = []
            for number in 0..<40 {
                others.insert(try await process(pool, "SELECT pg_backend_pid() + 0 * " + String(number % 8)))
            }
            #expect(others.count == 1)
        }
    }

    private func process(_ pool: PostgresPool, _ sql: String) async throws -> Int {
        try await pool.withConnection(for: "test") { try await $0.column(sql, as: Int.self)[0] ?? 0 }
    }

    @Test func theHookRunsOncePerConnectionAndItsErrorIsTheCallers() async throws {
        struct Refused: Error {}
        let count = Mutex(0)
        let hook: @Sendable (PostgresConnection) throws -> Void = { connection in
            try count.withLock {
                $0 += 1
                if $0 == 1 { throw Refused() }
            }
            try connection.executeBlocking("SET application_name = 'hooked'")
        }
        try await withPool(
            PostgresPoolOptions(maximumConnections: 1), onConnect: hook
        ) { pool in
            await #expect(throws: Refused.self) { pool.release(try await pool.acquire(for: "first")) }
            for _ in 0..<3 {
                try await pool.withConnection(for: "next") {
                    let name = try await $0.column("SHOW application_name", as: String.self)
                    #expect(name == ["hooked"])
                }
            }
            #expect(count.withLock { $0 } == 2)
        }
    }

    @Test func closingWakesWaitersAndCutsWhatDoesNotComeBack() async throws {
        try await withTestDatabase { database in
            let options = PostgresPoolOptions(maximumConnections: 1, closeTimeout: .milliseconds(100))
            let pool = PostgresPool(configuration: database.configuration, options: options)
            let held = try await pool.acquire(for: "stuck")
            let stuck = Task { await postgresError { try await held.execute("SELECT pg_sleep(600)") } }
            let waiter = Task { await postgresError { pool.release(try await pool.acquire(for: "waiter")) } }
            try await waitUntil { pool.state.withLock { $0.machine.waiterCount } > 0 }
            await pool.close()
            #expect(await waiter.value?.code == .poolClosed)
            #expect(await stuck.value?.code == .connectionLost)
            pool.release(held)
            #expect(pool.connectionCount == 0)
            let after = await postgresError { pool.release(try await pool.acquire(for: "late")) }
            #expect(after?.code == .poolClosed)
            await pool.close()
        }
    }
}
