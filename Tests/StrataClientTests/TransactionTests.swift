import StrataClient
import StrataTestSupport
import Testing

@Suite struct TransactionTests {
    private struct Stop: Error {}

    @Test func beginTravelsWithTheFirstStatementAndCommitWithTheLastWhenAskedTo() async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (n int8)")
            recorder.reset()
            try await connection.withTransaction(isolation: .serializable) { connection in
                var batch = PostgresBatch()
                batch.add(PostgresStatement("INSERT INTO t VALUES (1)"))
                batch.commit()
                try await connection.run(batch)
            }
            #expect(
                recorder.flushes == [["BEGIN ISOLATION LEVEL SERIALIZABLE", "INSERT INTO t VALUES (1)", "COMMIT"]])
            recorder.reset()
            try await connection.withTransaction { try await $0.execute("INSERT INTO t VALUES (2)") }
            #expect(recorder.flushes == [["BEGIN", "INSERT INTO t VALUES (2)"], ["COMMIT"]])
            recorder.reset()
            try await connection.withTransaction { _ in await Task.yield() }
            #expect(recorder.flushes.isEmpty)
            #expect(try await connection.column("SELECT count(*) FROM t", as: Int.self) == [2])
        }
    }

    @Test func anErrorRollsBack() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (n int8)")
            await #expect(throws: Stop.self) {
                try await connection.withTransaction {
                    try await $0.execute("INSERT INTO t VALUES (1)")
                    throw Stop()
                }
            }
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.column("SELECT count(*) FROM t", as: Int.self) == [0])
        }
    }

    @Test func aNestedTransactionUndoesOnlyItself() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (n int8)")
            try await connection.withTransaction { connection in
                try await connection.execute("INSERT INTO t VALUES (1)")
                let failure = await postgresError {
                    try await connection.withTransaction { connection in
                        try await connection.execute("INSERT INTO t VALUES (2)")
                        try await connection.withTransaction { try await $0.execute("INSERT INTO t VALUES (1 / 0)") }
                    }
                }
                #expect(failure?.sqlState == "22012")
                try await connection.withTransaction { try await $0.execute("INSERT INTO t VALUES (3)") }
                let isolated = await postgresError {
                    try await connection.withTransaction(isolation: .serializable) { _ in await Task.yield() }
                }
                #expect(isolated?.code == .invalidConfiguration)
            }
            #expect(try await connection.column("SELECT n FROM t ORDER BY n", as: Int.self) == [1, 3])
        }
    }

    @Test func theFirstNestedTransactionMayFailBeforeAnythingElseWasSent() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (n int8)")
            try await connection.withTransaction { connection in
                _ = await postgresError {
                    try await connection.withTransaction { try await $0.execute("SELECT 1 / 0") }
                }
                try await connection.execute("INSERT INTO t VALUES (1)")
            }
            #expect(try await connection.column("SELECT n FROM t", as: Int.self) == [1])
        }
    }

    @Test func aSwallowedErrorDoesNotLetLaterStatementsRunOutsideOfTheTransaction() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (n int8)")
            let error = await postgresError {
                try await connection.withTransaction { connection in
                    _ = await postgresError { try await connection.execute("SELECT 1 / 0") }
                    try await connection.execute("INSERT INTO t VALUES (1)")
                }
            }
            #expect(error?.sqlState == "25P02")
            #expect(connection.transactionStatus == .idle)
            #expect(try await connection.column("SELECT count(*) FROM t", as: Int.self) == [0])
        }
    }

    @Test func theBlockingTwinNestsAlike() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            func blocking() throws {
                try connection.executeBlocking("CREATE TABLE t (n int8)")
                try connection.withTransaction { connection in
                    try connection.executeBlocking("INSERT INTO t VALUES (1)")
                    #expect(throws: Stop.self) {
                        try connection.withTransaction { connection in
                            try connection.executeBlocking("INSERT INTO t VALUES (2)")
                            throw Stop()
                        }
                    }
                }
            }
            try blocking()
            #expect(try await connection.column("SELECT n FROM t", as: Int.self) == [1])
        }
    }

    @Test func savepointsCanBeSpelledOutInABatch() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            var batch = PostgresBatch()
            batch.begin()
            batch.add(PostgresStatement("CREATE TABLE t (n int8)"))
            batch.savepoint(#"odd "name"#)
            batch.add(PostgresStatement("INSERT INTO t VALUES (1)"))
            batch.rollback(to: #"odd "name"#)
            batch.release(#"odd "name"#)
            batch.add(PostgresStatement("INSERT INTO t VALUES (2)"))
            batch.commit()
            try await connection.run(batch)
            #expect(try await connection.column("SELECT n FROM t", as: Int.self) == [2])
        }
    }
}
