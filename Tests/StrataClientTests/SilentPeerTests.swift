import StrataTestSupport
import Testing

@testable import StrataClient

/// A peer that takes everything and never answers holds nobody: neither who is cancelled, nor who has a limit.
@Suite(.onPrivateServer, .timeLimit(.minutes(5))) struct SilentPeerTests {
    /// What waits for the answer of a peer that has just fallen silent.
    enum Work: CaseIterable {
        case statement, pipeline, prepared, transaction, rollback, cursor, copyIn, copyOut, listen, ping
    }

    private static func carryOut(_ work: Work, _ proxy: SilentProxy, _ connection: PostgresConnection) async throws {
        if work == .prepared { try await connection.execute("SELECT 1") }
        var cursor: PostgresCursor?
        if work == .cursor {
            let rows = PostgresStatement("SELECT * FROM generate_series(1, 1000000)")
            cursor = try PostgresCursor(rows, on: connection, batchSize: 10)
            _ = try await cursor?.next { _ in }
        }
        guard work != .transaction, work != .rollback else {
            try await connection.withTransaction { connection in
                try await connection.execute("INSERT INTO t VALUES (1)")
                proxy.isSilent = true
                if work == .rollback { throw Failure() }
                try await connection.execute("INSERT INTO t VALUES (2)")
            }
            return
        }
        proxy.isSilent = true
        switch work {
        case .statement, .prepared: try await connection.execute("SELECT 1")
        case .pipeline:
            var batch = PostgresBatch()
            for _ in 0..<3 { batch.add(PostgresStatement("SELECT 1")) }
            try await connection.run(batch)
        case .cursor: while try await cursor?.next(onRow: { _ in }) != 0 {}
        case .copyIn:
            try await connection.copyIn("COPY t FROM STDIN (FORMAT binary)", columns: 1) { row in
                try row.append(Int64(1))
                return true
            }
        case .copyOut: try await connection.copyOut("COPY t TO STDOUT (FORMAT binary)") { _ in }
        case .listen: try await connection.listen("c")
        case .ping: try await connection.ping()
        case .transaction, .rollback: break
        }
    }

    private struct Failure: Error {}

    private static let patient = AnswerLimits(silence: nil, cancellation: .milliseconds(150))
    private static let impatient = AnswerLimits(silence: .seconds(1), cancellation: .milliseconds(150))

    private func withProxy(
        _ limits: AnswerLimits, silentAfter trigger: String? = nil,
        _ body: (SilentProxy, PostgresConnection, _ stored: () async throws -> Int?) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            try await database.execute("CREATE TABLE t (n int8)")
            let check = try await database.connect()
            defer { check.close() }
            let proxy = try SilentProxy(before: database.configuration, silentAfter: trigger)
            defer { proxy.stop() }
            let connection = try await PostgresConnection.connect(
                proxy.configuration(for: database.configuration), limits: limits)
            defer { connection.close() }
            try await body(proxy, connection) { try await check.column("SELECT count(*) FROM t", as: Int.self)[0] }
        }
    }

    @Test(arguments: Work.allCases) func aCancellationThatNobodyAnswersEndsTheCall(_ work: Work) async throws {
        try await withProxy(Self.patient) { proxy, connection, stored in
            let task = Task { try await Self.carryOut(work, proxy, connection) }
            try await waitUntil { proxy.swallowed > 0 }
            task.cancel()
            let result = await task.result
            switch work {
            case .rollback: #expect(throws: Failure.self) { try result.get() }
            default: #expect(throws: CancellationError.self, "\(work)") { try result.get() }
            }
            #expect(!connection.isUsable)
            let count = try await stored()
            #expect(count == 0)
        }
    }

    @Test(arguments: [10, 3000]) func aCancellationWhileRowsAreReadThatAreHereEndsTheCursor(_ batchSize: Int)
        async throws
    {
        try await withProxy(Self.patient) { proxy, connection, _ in
            let task = Task {
                let rows = PostgresStatement("SELECT * FROM generate_series(1, 1000000)")
                let cursor = try PostgresCursor(rows, on: connection, batchSize: batchSize)
                _ = try await cursor.next { _ in }
                // The portions that were asked for ahead have come.
                try await Task.sleep(for: .milliseconds(200))
                cursor.takeIn()
                proxy.isSilent = true
                var count = 0
                while try await cursor.next(onRow: { _ in
                    count += 1
                    if count == 1 { withUnsafeCurrentTask { $0?.cancel() } }
                }) != 0 {}
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(!connection.isUsable && !connection.isOccupied)
        }
    }

    @Test(arguments: Work.allCases) func aSilenceBeyondTheLimitEndsTheCall(_ work: Work) async throws {
        try await withProxy(Self.impatient) { proxy, connection, stored in
            do {
                try await Self.carryOut(work, proxy, connection)
                Issue.record("\(work) succeeded")
            } catch let error as PostgresError {
                #expect(error.code == .timeout && error.wasSent)
                #expect(!error.isRetryable)
                #expect(error.message.contains("The server gave no sign for 1.0 s"))
                #expect(error.message.contains("did not stop within 0.15 s, so the connection was closed"))
            } catch {
                #expect(error is Failure && work == .rollback)
            }
            #expect(!connection.isUsable && !connection.isOccupied)
            let count = try await stored()
            #expect(count == 0)
        }
    }

    @Test func theSameBlocking() async throws {
        try await withProxy(Self.impatient) { proxy, connection, _ in
            proxy.isSilent = true
            let error = await Task.detached {
                func blocking() throws { try connection.executeBlocking("SELECT 1") }
                return await postgresError { try blocking() }
            }.value
            #expect(error?.code == .timeout)
        }
    }

    @Test func aCommitThatNobodyAnswersHasAnUnknownOutcome() async throws {
        for limits in [Self.impatient, Self.patient] {
            try await withProxy(limits, silentAfter: "COMMIT") { proxy, connection, stored in
                let task = Task {
                    await postgresError {
                        try await connection.withTransaction { try await $0.execute("INSERT INTO t VALUES (1)") }
                    }
                }
                try await waitUntil { proxy.isSilent }
                if limits.silence == nil { task.cancel() }
                let error = await task.value
                #expect(error?.code == .outcomeUnknown)
                #expect(error?.isRetryable == false)
                let count = try await stored()
                #expect(count == 1)
            }
        }
    }

    @Test func aCallHasItsTime() async throws {
        try await withProxy(Self.patient) { proxy, connection, _ in
            proxy.isSilent = true
            let error = await postgresError {
                try await connection.within(.milliseconds(100)) { try await connection.execute("SELECT 1") }
            }
            #expect(error?.code == .timeout)
            #expect(
                error?.message
                    == "The call took longer than its time of 0.1 s. The server did not stop within 0.15 s, so the "
                    + "connection was closed. Look at the server, or at the pooler before it.")
        }
    }

    /// Their threads wait in libpq: there is no end to that but the peer's.
    @Test func requestsThatAreStuckHoldNobody() async throws {
        try await withProxy(Self.patient) { proxy, connection, _ in
            proxy.isSilent = true
            let task = Task { try await connection.execute("SELECT 1") }
            try await waitUntil { proxy.swallowed > 0 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            connection.close()
            // The request to cancel is there still.
            try await waitUntil { proxy.clients == 1 }
        }
    }

    @Test func aPoolReplacesConnectionsThatWereCut() async throws {
        try await withTestDatabase { database in
            let proxy = try SilentProxy(before: database.configuration)
            defer { proxy.stop() }
            let options = PostgresPoolOptions(
                maximumConnections: 2, answerTimeout: .seconds(1), cancellationTimeout: .milliseconds(100))
            let pool = PostgresPool(
                configuration: proxy.configuration(for: database.configuration), options: options)
            _ = try await pool.withConnection(for: "before") { try await $0.column("SELECT 1", as: Int.self) }
            proxy.isSilent = true
            let error = await postgresError {
                try await pool.withConnection(for: "silent") { try await $0.execute("SELECT 1") }
            }
            #expect(error?.code == .timeout)
            proxy.isSilent = false
            let value = try await pool.withConnection(for: "after") { try await $0.column("SELECT 2", as: Int.self) }
            #expect(value == [2])
            await pool.close()
        }
    }

    @Test func callsThatBlockAllOfSwiftsThreadsAreEnded() async throws {
        try await withTestDatabase { database in
            let proxy = try SilentProxy(before: database.configuration)
            defer { proxy.stop() }
            let configuration = proxy.configuration(for: database.configuration)
            var connections: [PostgresConnection] = []
            for _ in 0..<16 { connections.append(try await .connect(configuration, limits: Self.impatient)) }
            proxy.isSilent = true
            let codes = await withTaskGroup(of: PostgresError.Code?.self) { group in
                for connection in connections {
                    group.addTask {
                        func blocking() throws { try connection.executeBlocking("SELECT 1") }
                        return await postgresError { try blocking() }?.code
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: .timeout, count: 16))
            for connection in connections { connection.close() }
        }
    }
}
