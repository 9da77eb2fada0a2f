import StrataClient
import StrataRepository
import StrataTestSupport

/// A database with the tables of ``HistoryModels``, written to as any other program would.
final class HistoryStore {
    let database: TestDatabase
    let connection: PostgresConnection

    static let template = TestTemplate("history") { database in
        let connection = try await database.connect()
        defer { connection.close() }
        _ = try await StorePreparation.prepare(HistoryModels.mapping, on: connection, mode: .createMissing)
    }

    init(_ database: TestDatabase) async throws {
        self.database = database
        connection = try await database.connect()
    }

    deinit { connection.close() }

    static func with<Result>(
        file: String = #fileID, line: Int = #line, _ body: (HistoryStore) async throws -> Result
    ) async throws -> Result {
        try await withTestDatabase(template: template, file: file, line: line) { database in
            try await body(try await HistoryStore(database))
        }
    }

    /// Runs statements one after the other, each in a transaction of its own unless they say BEGIN.
    func run(_ statements: [String]) async throws {
        for statement in statements { try await connection.execute(statement) }
    }

    func run(_ statements: String...) async throws { try await run(statements) }

    /// The rows of a query, their columns joined by `|`.
    func rows(_ sql: String) async throws -> [String] {
        var rows: [String] = []
        try await connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL("SELECT (q)::text FROM (\(sql)) AS q", isCached: false))) {
                row in
                rows.append(try row.decode(0))
            })
        return rows
    }

    /// One text a query returns.
    func text(_ sql: String) async throws -> String? {
        var text: String?
        try await connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL("SELECT (\(sql))::text", isCached: false))) { row in
                text = try row.decodeIfPresent(0)
            })
        return text
    }

    /// Waits until no transaction of the server is older than those that are recorded: until then none of them is deleted.
    func settle() async throws {
        for _ in 0..<600 {
            let isSettled = try await text(
                "SELECT max(xid) < pg_snapshot_xmin(pg_current_snapshot()) FROM strata.history_transaction")
            if isSettled == "true" { return }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// What was recorded since the last call, one line a transaction, in the order of their last changes:
    /// `Trip#1 U name,starts | Item#2 D {"0": "swim"}`.
    func recorded() async throws -> [String] {
        var lines: [String] = []
        try await connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL(Self.query, isCached: false))) { row in
                lines.append(try row.decode(0))
            })
        try await run("TRUNCATE strata.history_change, strata.history_transaction")
        return lines
    }

    private static let query = """
        SELECT string_agg(
            e.name || coalesce('#' || c.pk, '') || ' ' || c.op::text || coalesce(' ' || (
                SELECT string_agg(p.name, ',' ORDER BY p.bit) FROM strata.history_property p
                WHERE p.root = e.root AND p.bit / 63 = e.word AND c.props & (1::bigint << p.bit % 63) <> 0), '')
                || coalesce(' ' || (
                    SELECT string_agg(p.name || '=' || coalesce(t.value, 'NULL'), ',' ORDER BY p.bit)
                    FROM jsonb_each_text(c.tomb) t
                    JOIN strata.history_property p ON p.root = e.root AND p.bit = t.key::int), ''),
            ' | ' ORDER BY c.seq)
            || CASE WHEN count(t.xid) = 0 THEN ' WITHOUT HEADER' ELSE '' END
        FROM strata.history_change c JOIN strata.history_entity e ON e.id = c.entity
        LEFT JOIN strata.history_transaction t
            ON t.xid = c.xid AND t.generation = c.generation AND t.store = e.store
        GROUP BY c.xid ORDER BY max(c.seq)
        """
}
