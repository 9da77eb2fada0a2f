import Foundation
import StrataClient
import StrataTestSupport
import Synchronization
import Testing

@Suite struct CancellationTests {
    @Test func cancellingTheTaskStopsTheServerAndKeepsTheConnection() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let task = Task { try await connection.execute("SELECT pg_sleep(600)") }
            try await waitUntilBusy(connection, database)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(connection.isUsable && connection.transactionStatus == .idle)
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await connection.execute("SELECT 1")
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(recorder.roundTrips == 0)
        }
    }

    @Test func cancellingInsideOfATransactionRollsItBack() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (n int8)")
            let task = Task {
                try await connection.withTransaction { connection in
                    try await connection.execute("INSERT INTO t VALUES (1)", "SELECT pg_sleep(600)")
                }
            }
            try await waitUntilBusy(connection, database)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.column("SELECT count(*) FROM t", as: Int.self) == [0])
        }
    }

    @Test func aBlockingCallIsCancelledFromAnotherThread() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let task = Task.detached {
                func blocking() throws { try connection.executeBlocking("SELECT pg_sleep(600)") }
                return await postgresError { try blocking() }
            }
            try await waitUntilBusy(connection, database)
            connection.cancel()
            #expect(await task.value?.code == .cancelled)
            connection.cancel()
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    /// Cancels at random moments; the next statement must never be the one that is stopped.
    @Test func aLateCancelNeverHitsTheNextStatement() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            for round in 0..<200 {
                let task = Task { try? await connection.execute("SELECT pg_sleep(0.00\(round % 4))") }
                for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
                task.cancel()
                await task.value
                #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
            }
        }
    }

    /// The caller's threads may be busy for longer than the server has to stop.
    @Test func anAnswerThatNobodyHasReadYetIsNotTooLate() async throws {
        try await withTestDatabase { database in
            let connection = try await PostgresConnection.connect(
                database.configuration, limits: AnswerLimits(silence: nil, cancellation: .milliseconds(100)))
            defer { connection.close() }
            let caller = BusyCaller()
            let task = Task { try await caller.sleep(on: connection) }
            try await waitUntilBusy(connection, database)
            let isBusy = Atomic(false)
            let busy = Task { await caller.isBusy(for: .milliseconds(500)) { isBusy.store(true, ordering: .relaxed) } }
            try await waitUntil { isBusy.load(ordering: .relaxed) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await busy.value
            #expect(connection.isUsable && connection.transactionStatus == .idle)
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    private actor BusyCaller {
        func sleep(on connection: PostgresConnection) async throws {
            try await connection.execute("SELECT pg_sleep(600)")
        }

        /// Blocks the thread: what waits for an answer here does not see it meanwhile.
        func isBusy(for time: Duration, _ begun: @Sendable () -> Void) {
            begun()
            let end = ContinuousClock.now + time
            while ContinuousClock.now < end { usleep(10_000) }
        }
    }

    @Test func connectingCanBeCancelled() async throws {
        // An address of a network that is reserved for documentation: nobody answers.
        var configuration = try PostgresConfiguration(url: "postgres://u@192.0.2.1/d")
        configuration.options["connect_timeout"] = "2"
        let task = Task { [configuration] in try await PostgresConnection.connect(configuration).close() }
        await Task.yield()
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    private func waitUntilBusy(_ connection: PostgresConnection, _ database: TestDatabase) async throws {
        let process = connection.backendID
        let observer = try await database.connect()
        defer { observer.close() }
        let sql =
            "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%' AND state = 'active'"
        while try await observer.column(sql, PostgresParameters(process), as: Int.self) != [1] {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
