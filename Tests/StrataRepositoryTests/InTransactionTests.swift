import StrataClient
import StrataRepository
import StrataTestSupport
import Testing

/// An operation in a transaction of its own, driven by a connection.
@Suite struct InTransactionTests {
    private struct Broken: Error {}

    /// Writes numbers, each in a batch.
    private struct Writing: StoreOperation {
        enum End { case commits, leavesItOpen, breaks }

        var numbers: ArraySlice<Int>
        let end: End

        init(_ numbers: Int..., end: End) {
            self.numbers = numbers[...]
            self.end = end
        }

        mutating func next() throws -> PostgresBatch? {
            guard let number = numbers.popFirst() else { return nil }
            if numbers.isEmpty, end == .breaks { throw Broken() }
            var batch = PostgresBatch(
                PostgresStatement("INSERT INTO t VALUES ($1)", parameters: try PostgresParameters(number)))
            if numbers.isEmpty, end == .commits { batch.commit() }
            return batch
        }
    }

    private func withTable(_ body: (PostgresConnection, StatementRecorder, TestDatabase) async throws -> Void)
        async throws
    {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            try await database.execute("CREATE TABLE t (n int8 PRIMARY KEY)")
            recorder.reset()
            try await body(connection, recorder, database)
        }
    }

    private func stored(_ database: TestDatabase) async throws -> [String] {
        try await database.texts("SELECT n::text FROM t ORDER BY n")
    }

    @Test func `BEGIN goes out with the first batch, and COMMIT with the last`() async throws {
        try await withTable { connection, recorder, database in
            var operation = InTransaction(Writing(1, 2, end: .commits), .readCommitted)
            try await connection.perform(&operation)
            #expect(recorder.roundTrips == 2)
            #expect(recorder.statements.first == "BEGIN ISOLATION LEVEL READ COMMITTED")
            #expect(recorder.statements.last == "COMMIT")
            #expect(try await stored(database) == ["1", "2"])
        }
    }

    @Test func `what the operation does not commit is committed behind it`() async throws {
        try await withTable { connection, _, database in
            var operation = InTransaction(Writing(1, 2, end: .leavesItOpen), .readCommitted)
            try await connection.perform(&operation)
            #expect(connection.transactionStatus == .idle)
            #expect(try await stored(database) == ["1", "2"])
        }
    }

    @Test func `what the operation throws, and what the server refuses, is rolled back`() async throws {
        try await withTable { connection, _, database in
            var broken = InTransaction(Writing(1, 2, end: .breaks), .readCommitted)
            await #expect(throws: Broken.self) { try await connection.perform(&broken) }
            #expect(connection.transactionStatus == .idle)
            var twice = InTransaction(Writing(1, 1, 2, end: .commits), .readCommitted)
            let error = await #expect(throws: PostgresError.self) { try await connection.perform(&twice) }
            #expect(error?.sqlState == "23505")
            #expect(connection.transactionStatus == .idle)
            let rest = try await stored(database)
            #expect(rest.isEmpty)
        }
    }

    @Test func `what an operation does after its transaction was lost is in another one`() async throws {
        struct SecondChance: StoreOperation {
            var numbers = [[1, 1], [2], [3]][...]
            mutating func next() throws -> PostgresBatch? {
                guard let round = numbers.popFirst() else { return nil }
                var batch = PostgresBatch()
                for number in round {
                    batch.add(
                        PostgresStatement("INSERT INTO t VALUES ($1)", parameters: try PostgresParameters(number)))
                }
                if round.count > 1 { batch.commit() }
                return batch
            }
            mutating func recover(from error: any Error, in transaction: TransactionState) throws {
                // The connection has ended what the batch was to commit.
                if transaction.isOpen { throw error }
            }
        }
        try await withTable { connection, recorder, database in
            var operation = InTransaction(SecondChance(), .readCommitted)
            try await connection.perform(&operation)
            let stored = try await stored(database)
            #expect(stored == ["2", "3"])
            #expect(recorder.statements.filter { $0.hasPrefix("BEGIN") }.count == 2)
            #expect(recorder.statements.last == "COMMIT")
        }
    }

    @Test func `what a batch asks of its connection is asked of the first one too`() async throws {
        struct Quiet: StoreOperation {
            var isSent = false
            mutating func next() throws -> PostgresBatch? {
                guard !isSent else { return nil }
                isSent = true
                var batch = PostgresBatch(PostgresStatement("INSERT INTO t VALUES (1)"))
                batch.isAwaited = false
                batch.commit()
                return batch
            }
        }
        try await withTable { connection, recorder, database in
            var operation = InTransaction(Quiet(), .readCommitted)
            try await connection.perform(&operation)
            #expect(recorder.roundTrips == 0)
            #expect(try await stored(database) == ["1"])
        }
    }
}
