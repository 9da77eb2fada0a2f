import StrataTestSupport
import Synchronization
import Testing

@testable import StrataClient

/// What an observer is told of statements.
@Suite struct ObservedStatementTests {
    private final class Told: StatementObserver {
        private let statements = Mutex<[ObservedStatement]>([])
        func didComplete(_ statement: ObservedStatement) { statements.withLock { $0.append(statement) } }
        var all: [ObservedStatement] { statements.withLock { $0 } }
        var lines: [String] {
            all.map { "\($0.name ?? "-"): \($0.sql): \($0.rows): \($0.error?.sqlState ?? "good")" }
        }
    }

    private func withConnection(_ body: (PostgresConnection, Told) async throws -> Void) async throws {
        try await withTestDatabase { database in
            let told = Told()
            let connection = try await database.connect(observer: ObserverGroup([told], nil))
            defer { connection.close() }
            try await body(connection, told)
        }
    }

    private func statement(_ sql: String, _ name: String) -> PostgresStatement {
        PostgresStatement(PreparedSQL(sql), name: name)
    }

    @Test func eachStatementOfARoundTripIsToldWithItsRows() async throws {
        try await withConnection { connection, told in
            var batch = PostgresBatch()
            batch.begin()
            batch.add(statement("CREATE TABLE t (n int8)", "make"))
            batch.add(statement("INSERT INTO t SELECT generate_series(1, 3)", "fill"))
            batch.add(statement("SELECT n FROM t", "read"), onRow: { _ in })
            batch.commit()
            try await connection.run(batch)
            #expect(
                told.lines == [
                    "-: BEGIN: 0: good", "make: CREATE TABLE t (n int8): 0: good",
                    "fill: INSERT INTO t SELECT generate_series(1, 3): 3: good", "read: SELECT n FROM t: 3: good",
                    "-: COMMIT: 0: good",
                ])
            #expect(told.all.allSatisfy { $0.connection == connection.id })
            // They are sent together and answered in turn.
            #expect(told.all.map(\.duration) == told.all.map(\.duration).sorted())
        }
    }

    @Test func theStatementThatFailsIsToldAndThoseBehindItAreNot() async throws {
        try await withConnection { connection, told in
            var batch = PostgresBatch()
            batch.add(statement("SELECT 1", "first"), onRow: { _ in })
            batch.add(statement("SELECT 1 / 0", "second"), onRow: { _ in })
            batch.add(statement("SELECT 2", "third"), onRow: { _ in })
            let error = await postgresError { try await connection.run(batch) }
            #expect(error?.sqlState == "22012")
            #expect(told.lines == ["first: SELECT 1: 1: good", "second: SELECT 1 / 0: 0: 22012"])
        }
    }

    @Test func aStatementWhoseRowsWereRefusedHereIsToldOnce() async throws {
        struct Refused: Error {}
        try await withConnection { connection, told in
            var batch = PostgresBatch()
            batch.add(statement("SELECT 1", "first"), onRow: { _ in throw Refused() })
            batch.add(statement("SELECT 1 / 0", "second"), onRow: { _ in })
            await #expect(throws: Refused.self) { try await connection.run(batch) }
            #expect(told.lines == ["first: SELECT 1: 1: good", "second: SELECT 1 / 0: 0: 22012"])
        }
    }

    @Test func aFailedTransactionsCommitIsToldOnceAsAFailure() async throws {
        try await withConnection { connection, told in
            try await connection.execute("BEGIN")
            _ = await postgresError { try await connection.execute("SELECT 1 / 0") }
            var batch = PostgresBatch()
            batch.commit()
            let error = await postgresError { try await connection.run(batch) }
            #expect(error?.code == .transactionAborted)
            let commits = told.all.filter { $0.sql == "COMMIT" }
            #expect(commits.count == 1 && commits[0].error?.code == .transactionAborted)
        }
    }

    @Test(arguments: [false, true])
    func portionsOfACursorAndCopiesAreTold(isBlocking: Bool) async throws {
        try await withConnection { connection, told in
            func read() throws -> Int {
                let cursor = try PostgresCursor(
                    statement("SELECT generate_series(1, 25)", "stream"), on: connection, batchSize: 10)
                var rows = 0
                func next() throws -> Int { try cursor.next(onRow: { _ in rows += 1 }) }
                while try next() > 0 {}
                try cursor.close()
                return rows
            }
            func copy() throws -> Int {
                try connection.copyOut("COPY (SELECT generate_series(1, 7)) TO STDOUT (FORMAT binary)") { _ in }
            }
            #expect(try read() == 25)
            let fetched = told.all.filter { $0.name == "stream" && $0.sql.hasPrefix("FETCH") }
            #expect(fetched.map(\.rows).reduce(0, +) == 25)
            let rows =
                isBlocking
                ? try copy()
                : try await connection.copyOut("COPY (SELECT generate_series(1, 7)) TO STDOUT (FORMAT binary)") { _ in }
            #expect(rows == 7)
            #expect(told.all.last?.rows == 7 && told.all.last?.sql.hasPrefix("COPY") == true)
        }
    }

    @Test func aLostConnectionIsTold() async throws {
        try await withConnection { connection, told in
            _ = await postgresError {
                try await connection.execute("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(600)")
            }
            #expect(told.all.count == 1 && told.all[0].error?.sqlState == "57P01")
        }
    }

    @Test func nothingIsMeasuredWhereNobodyObserves() {
        #expect(ObserverGroup([], nil) == nil)
    }

    @Test(arguments: [
        ("SELECT 1", "SELECT"), ("  (select 1) UNION SELECT 2", "SELECT"), ("\n\tInsert INTO t", "INSERT"), ("", ""),
        ("1", ""),
        ("/* a */ SELECT 1", ""), ("COMMIT", "COMMIT"),
    ])
    func anOperationIsTheFirstWord(_ sql: String, _ operation: String) {
        #expect(observed(PreparedSQL(sql)).operation == operation)
    }

    private func observed(
        _ sql: PreparedSQL, name: String? = nil, entity: String? = nil, rows: Int = 0, error: PostgresError? = nil
    ) -> ObservedStatement {
        ObservedStatement(
            name: name, entity: entity, sql: sql, rows: rows, nanoseconds: 0, connection: 1, error: error)
    }

    private final class Text: Sendable {
        let value: String
        init(_ value: String) { self.value = value }
    }

    @Test func whatIsMadeOfAStatementIsMadeOnceForItsTextNameAndClass() {
        let made = Mutex<[String]>([])
        let cache = ObservedStatementCache<Text>()
        func value(_ statement: ObservedStatement) -> String {
            cache.value(of: statement) {
                let value = "\(statement.name ?? "-") \(statement.sql)"
                made.withLock { $0.append(value) }
                return Text(value)
            }.value
        }
        let (one, two) = (PreparedSQL("SELECT 1"), PreparedSQL("SELECT 2"))
        for _ in 0..<2 {
            #expect(value(observed(one, name: "a")) == "a SELECT 1")
            #expect(value(observed(one, name: "b")) == "b SELECT 1")
            #expect(value(observed(one)) == "- SELECT 1")
            #expect(value(observed(two, name: "a")) == "a SELECT 2")
        }
        #expect(made.withLock { $0.count } == 4)
        // Failed, or sent once only: nothing is kept.
        let once = PreparedSQL("SELECT 3", isCached: false)
        for _ in 0..<2 {
            _ = value(observed(one, name: "a", error: .poolClosed))
            _ = value(observed(once))
        }
        #expect(made.withLock { $0.count } == 8)
        // It has an end.
        for _ in 0..<3000 { _ = value(observed(PreparedSQL("SELECT 4"))) }
        #expect(value(observed(one, name: "a")) == "a SELECT 1")
        #expect(made.withLock { $0.count } == 3009)
    }
}
