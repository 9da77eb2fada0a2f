import StrataClient
import StrataTestSupport
import Testing

@Suite struct CursorTests {
    private struct Stop: Error {}

    private func statement(_ rows: Int) throws -> PostgresStatement {
        PostgresStatement("SELECT generate_series(1, $1)", parameters: try PostgresParameters(rows), name: "stream")
    }

    @Test(arguments: [0, 1, 9, 10, 11, 95, 100])
    func everyRowComesOnce(_ rows: Int) async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let cursor = try PostgresCursor(statement(rows), on: connection, batchSize: 10)
            var seen: [Int64] = []
            var counts: [Int] = []
            while true {
                let count = try await cursor.next(onRow: { seen.append($0.int64(0)) })
                if count == 0 { break }
                counts.append(count)
            }
            #expect(seen == (0..<Int64(rows)).map { $0 + 1 })
            #expect(counts.dropLast().allSatisfy { $0 == 10 })
            try await cursor.close()
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    @Test func whatComesNextIsAskedForBeforeThisIsRead() async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            let cursor = try PostgresCursor(statement(25), on: connection, batchSize: 10)
            var fetchesWhenRead: [Int] = []
            while try await cursor.next(onRow: { row in
                if row.int64(0) % 10 == 1 {
                    fetchesWhenRead.append(recorder.statements.filter { $0.hasPrefix("FETCH") }.count)
                }
            }) > 0 {}
            try await cursor.close()
            #expect(fetchesWhenRead == [3, 4, 5])
            #expect(
                recorder.flushes.first == [
                    "BEGIN", "SET LOCAL cursor_tuple_fraction TO 1",
                    "DECLARE strata_cursor NO SCROLL CURSOR FOR SELECT generate_series(1, $1)",
                    "FETCH FORWARD 10 FROM strata_cursor",
                ])
            #expect(recorder.flushes.last == ["COMMIT"])
        }
    }

    /// Batches are as large as was said, whatever portions they come in.
    @Test(arguments: [1, 999, 1000, 1001, 2500])
    func largeBatchesComeInPortions(_ batchSize: Int) async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            let cursor = try PostgresCursor(statement(6000), on: connection, batchSize: batchSize)
            var (sum, counts): (Int64, [Int]) = (0, [])
            while true {
                let count = try await cursor.next(onRow: { sum += $0.int64(0) })
                if count == 0 { break }
                counts.append(count)
            }
            try await cursor.close()
            #expect(sum == 6000 * 6001 / 2)
            #expect(counts.dropLast().allSatisfy { $0 == batchSize } && counts.reduce(0, +) == 6000)
            let portions = Set(recorder.statements.filter { $0.hasPrefix("FETCH") })
            let expected: [Int: Set<Int>] = [1: [1], 999: [999], 1000: [1000], 1001: [1000, 1], 2500: [1000, 500]]
            #expect(portions == Set(expected[batchSize, default: []].map { "FETCH FORWARD \($0) FROM strata_cursor" }))
        }
    }

    @Test func closingEarlyAndBlockingWork() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            func blocking() throws {
                let cursor = try PostgresCursor(statement(1_000_000), on: connection, batchSize: 100)
                var sum = 0
                for _ in 0..<2 { _ = try cursor.next(onRow: { sum += Int($0.int64(0)) }) }
                #expect(sum == 200 * 201 / 2)
                try cursor.close()
                try cursor.close()
                #expect(throws: PostgresError.self) { try cursor.next(onRow: { _ in }) }
            }
            try blocking()
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    @Test func insideOfATransactionItIsLeftOpen() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (n int8)")
            try await connection.withTransaction { connection in
                let cursor = try PostgresCursor(statement(30), on: connection, batchSize: 10)
                var rows = 0
                while try await cursor.next(onRow: { _ in rows += 1 }) > 0 {}
                try await cursor.close()
                #expect(rows == 30)
                #expect(connection.transactionStatus == .inTransaction)
                try await connection.execute("INSERT INTO t VALUES (1)")
            }
            #expect(try await connection.column("SELECT count(*) FROM t", as: Int.self) == [1])
        }
    }

    @Test func errorsCloseIt() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            await #expect(throws: Stop.self) {
                let cursor = try PostgresCursor(statement(30), on: connection, batchSize: 10)
                _ = try await cursor.next(onRow: { _ in throw Stop() })
            }
            #expect(connection.transactionStatus == .idle)
            let late = await postgresError {
                let cursor = try PostgresCursor(
                    PostgresStatement("SELECT 1 / (25 - generate_series(1, 50))", name: "late"), on: connection,
                    batchSize: 10)
                while try await cursor.next(onRow: { _ in }) > 0 {}
            }
            #expect(late?.sqlState == "22012" && late?.statementName == "late")
            let wrong = await postgresError {
                let cursor = try PostgresCursor(PostgresStatement("SELECT * FROM missing"), on: connection)
                _ = try await cursor.next(onRow: { _ in })
            }
            #expect(wrong?.sqlState == "42P01")
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    @Test func whileItIsOpenTheConnectionIsTaken() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let cursor = try PostgresCursor(statement(30), on: connection, batchSize: 10)
            let error = await postgresError { try await connection.execute("SELECT 1") }
            #expect(error?.code == .connectionUnavailable)
            try await cursor.close()
            // One that is forgotten makes the connection unusable, so that a pool throws it away.
            do { _ = try PostgresCursor(statement(30), on: connection, batchSize: 10) }
            #expect(!connection.isUsable)
        }
    }

    @Test func cancellingTheTaskEndsIt() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let task = Task {
                let sql = "SELECT pg_sleep(CASE WHEN n > 20 THEN 600 ELSE 0 END) FROM generate_series(1, 100) AS s (n)"
                let cursor = try PostgresCursor(PostgresStatement(sql), on: connection, batchSize: 10)
                var batches = 0
                while try await cursor.next(onRow: { _ in }) > 0 {
                    batches += 1
                    if batches == 2 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    // MARK: Leaving early

    /// How often the server is asked at most in that time: once for the three portions under way, and again as long as it has not read the
    /// statement, after pauses of 50 ms, 100 ms and so on.
    private func mostRequests(in time: Duration) -> Int {
        var (count, pause, end) = (1, Duration.milliseconds(50), Duration.zero)
        while end + pause <= time {
            end += pause
            pause = min(pause * 2, .seconds(2))
            count += 1
        }
        return count
    }

    /// With a connection that tells how often the server was asked to stop.
    private func withCountedRequests(
        _ body: (_ connection: PostgresConnection, _ requests: () -> Int) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            let proxy = try CuttingProxy(before: database.configuration, cutAt: "what nobody sends")
            defer { proxy.stop() }
            let connection = try await PostgresConnection.connect(proxy.configuration(for: database.configuration))
            defer { connection.close() }
            let before = proxy.connections
            try await body(connection) { proxy.connections - before }
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    @Test(.onPrivateServer) func rowsThatAreThereAlreadyAreReadAndNotEachPortionIsAskedToStop() async throws {
        try await withCountedRequests { connection, requests in
            let took = try await ContinuousClock().measure {
                let cursor = try PostgresCursor(statement(1_000_000), on: connection, batchSize: 1000)
                _ = try await cursor.next(onRow: { _ in })
                try await cursor.close()
            }
            #expect(requests() <= mostRequests(in: took))
        }
        try await withCountedRequests { connection, requests in
            var seen = 0
            let took = await ContinuousClock().measure {
                await #expect(throws: Stop.self) {
                    let cursor = try PostgresCursor(statement(1_000_000), on: connection)
                    _ = try await cursor.next(onRow: { _ in
                        seen += 1
                        if seen == 2 { throw Stop() }
                    })
                }
            }
            #expect(seen == 2)
            #expect(requests() <= mostRequests(in: took))
        }
    }

    @Test(.onPrivateServer, arguments: [false, true])
    func whatTheServerWouldWorkOnForLongIsStoppedOnce(isBlocking: Bool) async throws {
        // Two portions are under way when the first was read: twenty seconds.
        let sql = "SELECT pg_sleep(CASE WHEN n > 1000 THEN 0.01 ELSE 0 END) FROM generate_series(1, 100000) AS s (n)"
        try await withCountedRequests { connection, requests in
            let took = try await ContinuousClock().measure {
                let cursor = try PostgresCursor(PostgresStatement(sql), on: connection, batchSize: 1000)
                func blocking() throws {
                    _ = try cursor.next(onRow: { _ in })
                    try cursor.close()
                }
                if isBlocking { return try blocking() }
                _ = try await cursor.next(onRow: { _ in })
                try await cursor.close()
            }
            #expect(took < .seconds(10))
            #expect((1...mostRequests(in: took)).contains(requests()))
        }
    }

    @Test func closingEarlyDoesNotFailTheTransactionAroundIt() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (n int8)")
            try await connection.withTransaction { connection in
                try await connection.execute("INSERT INTO t VALUES (1)")
                let cursor = try PostgresCursor(
                    PostgresStatement("SELECT pg_sleep(0.0001) FROM generate_series(1, 100000)"), on: connection,
                    batchSize: 1000)
                _ = try await cursor.next(onRow: { _ in })
                try await cursor.close()
                #expect(connection.transactionStatus == .inTransaction)
            }
            #expect(try await connection.column("SELECT count(*) FROM t", as: Int.self) == [1])
        }
    }

    // MARK: Failures between the portions of a batch

    /// A batch of 5,000 rows comes in portions of 1,000.
    @Test(arguments: [false, true])
    func aClosureThatThrowsInALaterPortionEndsTheBatchThere(isBlocking: Bool) async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            var last: Int64 = 0
            let take = { (row: PostgresRow) throws in
                last = row.int64(0)
                if last == 1500 { throw Stop() }
            }
            let cursor = try PostgresCursor(statement(6000), on: connection)
            await #expect(throws: Stop.self) {
                func blocking() throws { _ = try cursor.next(onRow: take) }
                if isBlocking { try blocking() } else { _ = try await cursor.next(onRow: take) }
            }
            #expect(last == 1500)
            #expect(connection.transactionStatus == .idle)
            let closed = await postgresError { _ = try await cursor.next(onRow: { _ in }) }
            #expect(closed?.code == .connectionUnavailable)
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    @Test(arguments: [false, true])
    func anErrorOfTheServerInALaterPortionComesAfterTheRowsOfThoseBefore(isBlocking: Bool) async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            var rows = 0
            let count = { (_: PostgresRow) throws in rows += 1 }
            let error = await postgresError {
                let cursor = try PostgresCursor(
                    PostgresStatement("SELECT 1 / (1500 - generate_series(1, 6000))", name: "late"), on: connection)
                func blocking() throws { _ = try cursor.next(onRow: count) }
                if isBlocking { try blocking() } else { _ = try await cursor.next(onRow: count) }
            }
            #expect(error?.sqlState == "22012" && error?.statementName == "late")
            #expect(rows == 1000)
            #expect(recorder.flushes.last == ["ROLLBACK"])
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }
}
