import Foundation
import StrataClient
import StrataTestSupport
import Synchronization
import Testing

@Suite struct CopyTests {
    private struct Stop: Error {}
    private final class Told: StatementObserver {
        private let statements = Mutex<[ObservedStatement]>([])
        func didComplete(_ statement: ObservedStatement) { statements.withLock { $0.append(statement) } }
        var all: [ObservedStatement] { statements.withLock { $0 } }
    }
    private let copyIn = "COPY t (n, name) FROM STDIN (FORMAT binary)"

    private func withTable(_ body: (PostgresConnection) async throws -> Void) async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (n int8 PRIMARY KEY, name text)")
            try await body(connection)
        }
    }

    @Test func rowsGoInAndComeOut() async throws {
        try await withTable { connection in
            var next = 0
            let loaded = try await connection.copyIn(copyIn, columns: 2) { row in
                guard next < 100_000 else { return false }
                try row.append(next)
                try row.append(next % 10 == 0 ? nil : "row \(next)")
                next += 1
                return true
            }
            #expect(loaded == 100_000)
            var seen = 0
            let sql = "COPY (SELECT n, name FROM t ORDER BY n) TO STDOUT (FORMAT binary)"
            let read = try await connection.copyOut(sql) { row in
                if try row.decode(0, as: Int.self) == seen,
                    seen % 10 == 0 ? row.bytes(1) == nil : try row.decode(1, as: String.self) == "row \(seen)"
                {
                    seen += 1
                }
            }
            #expect(read == 100_000 && seen == 100_000)
            func blocking() throws {
                #expect(try connection.copyOut(sql) { _ in } == 100_000)
                var more = true
                #expect(
                    try connection.copyIn(copyIn, columns: 2) { row in
                        guard more else { return false }
                        more = false
                        try row.append(-1)
                        row.appendNull()
                        return true
                    } == 1)
            }
            try blocking()
            #expect(try await connection.column("SELECT count(*) FROM t", as: Int.self) == [100_001])
        }
    }

    @Test func nothingIsLoadedWhenARowFails() async throws {
        try await withTable { connection in
            await #expect(throws: Stop.self) {
                var next = 0
                try await connection.copyIn(copyIn, columns: 2) { row in
                    next += 1
                    if next == 50_000 { throw Stop() }
                    try row.append(next)
                    row.appendNull()
                    return true
                }
            }
            let short = await postgresError {
                try await connection.copyIn(copyIn, columns: 2) { row in
                    try row.append(1)
                    return true
                }
            }
            #expect(short?.code == .encoding)
            let duplicate = await postgresError {
                var count = 0
                try await connection.copyIn(copyIn, columns: 2) { row in
                    count += 1
                    try row.append(7)
                    row.appendNull()
                    return count < 3
                }
            }
            #expect(duplicate?.sqlState == "23505")
            let left = try await connection.column("SELECT count(*) FROM t", as: Int.self)
            #expect(left == [0])
        }
    }

    @Test func aStoppedCopyOutLeavesTheConnectionUsable() async throws {
        try await withTable { connection in
            await #expect(throws: Stop.self) {
                try await connection.copyOut("COPY (SELECT generate_series(1, 3000000)) TO STDOUT (FORMAT binary)") {
                    _ in
                    throw Stop()
                }
            }
            let left = try await connection.column("SELECT 1", as: Int.self)
            #expect(left == [1])
        }
    }

    @Test func wrongStatementsAreErrors() async throws {
        try await withTable { connection in
            let text = await postgresError {
                try await connection.copyIn("COPY t FROM STDIN", columns: 2) { _ in false }
            }
            #expect(text?.code == .encoding)
            let select = await postgresError { try await connection.copyIn("SELECT 1", columns: 1) { _ in false } }
            #expect(select?.code == .protocolViolation)
            let textOut = await postgresError { try await connection.copyOut("COPY t TO STDOUT") { _ in } }
            #expect(textOut?.code == .decoding)
            let missing = await postgresError {
                try await connection.copyOut("COPY u TO STDOUT (FORMAT binary)") { _ in }
            }
            #expect(missing?.sqlState == "42P01")
            #expect(missing?.statementText == "COPY u TO STDOUT (FORMAT binary)")
            let left = try await connection.column("SELECT 1", as: Int.self)
            #expect(left == [1])
        }
    }

    @Test func copyIsPartOfTheTransactionAroundIt() async throws {
        try await withTable { connection in
            await #expect(throws: Stop.self) {
                try await connection.withTransaction { connection in
                    var count = 0
                    try await connection.copyIn(copyIn, columns: 2) { row in
                        count += 1
                        try row.append(count)
                        row.appendNull()
                        return count < 10
                    }
                    throw Stop()
                }
            }
            let left = try await connection.column("SELECT count(*) FROM t", as: Int.self)
            #expect(left == [0])
        }
    }

    @Test func cancellingTheTaskEndsTheCopy() async throws {
        try await withTable { connection in
            let task = Task {
                var next = 0
                try await connection.copyIn(copyIn, columns: 2) { row in
                    next += 1
                    if next == 1000 { withUnsafeCurrentTask { $0?.cancel() } }
                    try row.append(next)
                    row.appendNull()
                    return true
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            let left = try await connection.column("SELECT count(*) FROM t", as: Int.self)
            #expect(left == [0])
        }
    }

    @Test func aBeginThatCouldNotBeSentBeforeACopyGoesOutWithTheNextStatement() async throws {
        try await withTable { connection in
            var opening = PostgresBatch()
            opening.begin()
            try connection.prepend(opening)
            let terms = CallTerms(limit: .milliseconds(1), settings: CallSettings(["strata.author": "a"]))
            let error = await #expect(throws: PostgresError.self) {
                try await connection.within(terms) {
                    try await Task.sleep(for: .milliseconds(20))
                    try await connection.sendDeferredEntries()
                }
            }
            #expect(error?.code == .timeout)
            #expect(connection.hasTransaction)
            try await connection.execute("INSERT INTO t (n) VALUES (1)")
            #expect(connection.transactionStatus == .inTransaction)
            var end = PostgresBatch()
            end.rollback()
            try await connection.run(end)
            #expect(try await connection.column("SELECT n FROM t", as: Int.self).isEmpty)
        }
    }

    @Test func aBeginIsSentBeforeACopyAlsoAlone() async throws {
        try await withTable { connection in
            var opening = PostgresBatch()
            opening.begin()
            try connection.prepend(opening)
            #expect(!connection.mayHaveStored)
            var next = 0
            let loaded = try await connection.copyIn(copyIn, columns: 2) { row in
                guard next < 3 else { return false }
                try row.append(next)
                row.appendNull()
                next += 1
                return true
            }
            #expect(loaded == 3)
            #expect(connection.transactionStatus == .inTransaction)
            #expect(connection.mayHaveStored)
            var end = PostgresBatch()
            end.rollback()
            try await connection.run(end)
            #expect(!connection.mayHaveStored)
            #expect(try await connection.column("SELECT n FROM t", as: Int.self).isEmpty)
        }
    }

    // MARK: Time

    /// The time of a call ends a COPY that the server is busy with. The server is not told: nothing travels with a COPY.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func aCopyEndsWithTheTimeOfItsCall(inTransaction: Bool) async throws {
        let message = "The call took longer than its time of 0.2 s. The server has stopped the statement."
        try await withTable { connection in
            try await connection.execute(
                "CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); RETURN NEW; END $$",
                "CREATE TRIGGER linger BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION linger()")
            func limited(_ copy: (PostgresConnection) async throws -> Void) async -> PostgresError? {
                await postgresError {
                    guard inTransaction else {
                        return try await connection.within(.milliseconds(200)) { try await copy(connection) }
                    }
                    try await connection.withTransaction { connection in
                        try await connection.execute("SELECT 1")
                        try await connection.within(.milliseconds(200)) { try await copy(connection) }
                    }
                }
            }
            let copyIn = copyIn
            let loading = await limited { connection in
                var isThere = false
                try await connection.copyIn(copyIn, columns: 2) { row in
                    if isThere { return false }
                    isThere = true
                    try row.append(1)
                    row.appendNull()
                    return true
                }
            }
            #expect(loading?.code == .timeout && loading?.sqlState == "57014")
            #expect(loading?.message == message)
            let reading = await limited { connection in
                try await connection.copyOut("COPY (SELECT pg_sleep(600)) TO STDOUT (FORMAT binary)") { _ in }
            }
            #expect(reading?.code == .timeout && reading?.message == message)
            #expect(connection.isUsable && connection.transactionStatus == .idle)
            let left = try await connection.column("SELECT count(*) FROM t", as: Int.self)
            #expect(left == [0])
        }
    }

    /// What the caller does while rows are under way is none of the statement's time.
    @Test func theTimeOfACopyIsThatOfTheServer() async throws {
        try await withTestDatabase { database in
            let told = Told()
            let connection = try await database.connect(observer: ObserverGroup([told], nil))
            defer { connection.close() }
            try await connection.execute(
                "CREATE TABLE t (n int8 PRIMARY KEY, name text)",
                "CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.2); RETURN NULL; END $$",
                "CREATE TRIGGER linger AFTER INSERT ON t FOR EACH STATEMENT EXECUTE FUNCTION linger()")
            let (begun, idle) = (ContinuousClock.now, Duration.milliseconds(300))
            var isThere = false
            let copy = try connection.beginCopyIn(copyIn, columns: 2) { row in
                if isThere { return false }
                isThere = true
                try row.append(1)
                row.appendNull()
                return true
            }
            try await Task.sleep(for: idle)
            let rows = try await copy.finish()
            #expect(rows == 1)
            let elapsed = begun.duration(to: .now)
            let statement = try #require(told.all.last { $0.sql.hasPrefix("COPY") })
            #expect(statement.rows == 1 && statement.error == nil)
            #expect(statement.duration >= .milliseconds(200), "the server needs as long")
            #expect(statement.duration <= elapsed - idle, "the caller's pause is left out")
            try await connection.copyOut("COPY (SELECT pg_sleep(0.2)) TO STDOUT (FORMAT binary)") { _ in }
            #expect(try #require(told.all.last).duration >= .milliseconds(200))
        }
    }

    @Test func aCopyThatFailsIsToldWithItsError() async throws {
        try await withTestDatabase { database in
            let told = Told()
            let connection = try await database.connect(observer: ObserverGroup([told], nil))
            defer { connection.close() }
            _ = await postgresError {
                try await connection.within(.milliseconds(100)) {
                    _ = try await connection.copyOut("COPY (SELECT pg_sleep(600)) TO STDOUT (FORMAT binary)") { _ in }
                }
            }
            #expect(told.all.last?.error?.code == .timeout)
        }
    }
}
