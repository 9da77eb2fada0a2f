import Foundation
import StrataClient
import StrataTestSupport
import Testing

@Suite struct BatchTests {
    @Test func aBatchIsOneRoundTripAndItsRowsComeInOrder() async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            var events: [String] = []
            var batch = PostgresBatch()
            batch.begin(.repeatableRead)
            batch.add(PostgresStatement("CREATE TEMPORARY TABLE t (n int8)"))
            batch.add(
                PostgresStatement("INSERT INTO t SELECT generate_series(1, $1)", parameters: try PostgresParameters(3)),
                onComplete: { events.append("inserted \($0)") })
            batch.add(
                PostgresStatement("SELECT n FROM t ORDER BY n"),
                onResult: { events.append("columns \($0.columnCount) \($0.columnName(0))") },
                onRow: { events.append("row \($0.int64(0))") },
                onComplete: { events.append("rows \($0)") })
            batch.add(
                PostgresStatement("SELECT n FROM t WHERE false"),
                onResult: { events.append("empty \($0.columnCount)") },
                onRow: { _ in events.append("never") }, onComplete: { events.append("rows \($0)") })
            batch.commit()
            // `t` does not exist when the statements are parsed one by one; the pipeline carries each out before the next.
            try await connection.run(batch)
            #expect(events == ["inserted 3", "columns 1 n", "row 1", "row 2", "row 3", "rows 3", "empty 1", "rows 0"])
            #expect(recorder.roundTrips == 1)
            #expect(recorder.statements.first == "BEGIN ISOLATION LEVEL REPEATABLE READ")
            #expect(connection.transactionStatus == .idle)
        }
    }

    @Test func theBlockingTwinDoesTheSame() async throws {
        try await withTestDatabase { database in
            func blocking() throws {
                let connection = try PostgresConnection.connect(database.configuration)
                defer { connection.close() }
                var sum = 0
                for _ in 0..<3 {
                    var batch = PostgresBatch()
                    batch.add(PostgresStatement("SELECT generate_series(1, 1000)"), onRow: { sum += Int($0.int32(0)) })
                    batch.add(PostgresStatement("SELECT 1"), onRow: { sum += Int($0.int32(0)) })
                    try connection.run(batch)
                }
                #expect(sum == 3 * 500_501)
                #expect(connection.serverVersion >= 150_000)
            }
            try blocking()
        }
    }

    @Test func theFirstErrorEndsTheBatchAndNamesItsStatement() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            var reached = false
            var batch = PostgresBatch()
            batch.add(PostgresStatement("SELECT 1", name: "fine"))
            batch.add(PostgresStatement("SELECT 1 / 0", name: "divide"))
            batch.add(PostgresStatement("SELECT 2", name: "after"), onRow: { _ in reached = true })
            let error = await postgresError { try await connection.run(batch) }
            #expect(error?.sqlState == "22012")
            #expect(error?.statementName == "divide")
            #expect(error?.statementText == "SELECT 1 / 0")
            #expect(error?.isRetryable == false)
            #expect(!reached)
            #expect(try await connection.column("SELECT 7", as: Int.self) == [7])
            // The statement behind the error was never prepared, and the client knows it.
            #expect(try await connection.column("SELECT 2", as: Int.self) == [2])
        }
    }

    @Test func noTransactionStaysOpenThatTheBatchBegan() async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (n int8 PRIMARY KEY)")
            for endsInBatch in [true, false] {
                var batch = PostgresBatch()
                batch.begin()
                batch.add(PostgresStatement("INSERT INTO t VALUES (1)"))
                batch.add(PostgresStatement("INSERT INTO t VALUES (1)"))
                if endsInBatch { batch.commit() }
                recorder.reset()
                let error = await postgresError { try await connection.run(batch) }
                #expect(error?.sqlState == "23505")
                #expect(error?.constraint == "t_pkey")
                #expect(error?.table == "t")
                #expect(connection.transactionStatus == .idle)
                #expect(recorder.flushes.last == ["ROLLBACK"])
            }
            #expect(try await connection.column("SELECT count(*) FROM t", as: Int.self) == [0])
        }
    }

    @Test func aTransactionThatWasOpenBeforeStaysTheCallersBusiness() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("BEGIN")
            _ = await postgresError { try await connection.execute("SELECT 1 / 0") }
            #expect(connection.transactionStatus == .failed)
            // COMMIT of a failed transaction is answered by ROLLBACK, which must not pass for success.
            var batch = PostgresBatch()
            batch.commit()
            let error = await postgresError { try await connection.run(batch) }
            #expect(error?.code == .transactionAborted)
            #expect(connection.transactionStatus == .idle)
        }
    }

    @Test func whatARowClosureThrowsIsRethrownAndTheConnectionStaysUsable() async throws {
        struct Stop: Error {}
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            for rows in [3, 3_000_000] {
                var seen = 0
                await #expect(throws: Stop.self) {
                    var batch = PostgresBatch()
                    batch.add(
                        PostgresStatement("SELECT generate_series(1, \(rows))"),
                        onRow: { _ in
                            seen += 1
                            if seen == 2 { throw Stop() }
                        })
                    try await connection.run(batch)
                }
                #expect(seen == 2)
                #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
            }
            #expect(throws: Stop.self) {
                try connection.runBlocking(
                    PostgresBatch(PostgresStatement("SELECT generate_series(1, 3000000)")) { _ in throw Stop() })
            }
            #expect(connection.transactionStatus == .idle)
        }
    }

    @Test func aConnectionInUseRefusesASecondBatch() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let error = await postgresError {
                try await connection.run(
                    PostgresBatch(PostgresStatement("SELECT 1")) { _ in
                        try connection.runBlocking(PostgresBatch(PostgresStatement("SELECT 2")))
                    })
            }
            #expect(error?.code == .connectionUnavailable)
            #expect(try await connection.column("SELECT 3", as: Int.self) == [3])
        }
    }

    @Test func largeValuesPassInBothDirections() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let data = Data(repeating: 0xAB, count: 100 << 20)
            let back = try await connection.column("SELECT $1", PostgresParameters(data), as: Data.self)
            #expect(back == [data])
        }
    }

    @Test func manyStatementsWhoseAnswersFillTheSocketDoNotBlockEachOther() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let data = Data(repeating: 1, count: 1 << 20)
            var received = 0
            var batch = PostgresBatch()
            for _ in 0..<32 {
                batch.add(
                    PostgresStatement("SELECT $1::bytea", parameters: try PostgresParameters(data)),
                    onRow: { received += $0.bytes(0)?.count ?? 0 })
            }
            try await connection.run(batch)
            #expect(received == 32 << 20)
        }
    }

    @Test func whatTheServerCannotTakeIsRefusedBeforeAnythingIsSent() async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            var parameters = PostgresParameters()
            for number in 0...65_535 { try parameters.append(number) }
            let tooMany = await postgresError {
                try await connection.run(PostgresBatch(PostgresStatement("SELECT 1", parameters: parameters)))
            }
            #expect(tooMany?.code == .encoding)
            #expect(tooMany?.message.contains("65535") == true)
            let zero = await postgresError { try await connection.execute("SELECT 1\0") }
            #expect(zero?.code == .encoding)
            #expect(recorder.roundTrips == 0)
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    @Test func copyCannotBePartOfABatch() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let error = await postgresError { try await connection.execute("COPY (SELECT 1) TO STDOUT") }
            #expect(error?.code == .protocolViolation)
            #expect(!connection.isUsable)
        }
    }

    @Test func readOnlyConfigurationsCannotWrite() async throws {
        try await withTestDatabase { database in
            try await database.execute("CREATE TABLE t (n int8)")
            for statements in [PreparedStatements.named(), .unnamed] {
                var configuration = database.configuration
                configuration.readOnly = true
                configuration.preparedStatements = statements
                let connection = try await PostgresConnection.connect(configuration)
                defer { connection.close() }
                let alone = await postgresError { try await connection.execute("INSERT INTO t VALUES (1)") }
                #expect(alone?.sqlState == "25006")
                let inside = await postgresError {
                    try await connection.withTransaction { try await $0.execute("INSERT INTO t VALUES (1)") }
                }
                #expect(inside?.sqlState == "25006")
                #expect(try await connection.column("SELECT count(*) FROM t", as: Int.self) == [0])
            }
        }
    }
}

extension PostgresConnection {
    /// The blocking twin, from asynchronous code.
    func runBlocking(_ batch: PostgresBatch) throws {
        try run(batch)
    }
}
