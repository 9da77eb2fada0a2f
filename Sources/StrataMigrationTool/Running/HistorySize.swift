import StrataClient
import StrataMigrations
import StrataRepository

/// How much history a PostgreSQL schema has.
struct HistorySize: Encodable, Sendable {
    /// Who reads with a token that the database keeps.
    struct Consumer: Encodable, Sendable {
        var name: String
        /// When it went on last: `2026-05-01 08:30:00+00`.
        var updated: String
    }

    var transactions: Int64 = 0
    var changes: Int64 = 0
    /// Of the tables and their indexes; all schemas of the database share them.
    var bytes: Int64 = 0
    var oldest: String?
    var newest: String?
    var generation: Int64 = 0
    var consumers: [Consumer] = []
    /// `nil` where the history is not partitioned.
    var partitions: [HistoryPartition]?
    /// What `history prune` with the age that was asked for would delete.
    var prunableTransactions: Int64 = 0
    var prunableChanges: Int64 = 0

    private static let tables: SQLFragment = "'{strata.history_transaction,strata.history_change}'::text[]"

    /// Of the tables and their indexes, without counting anything; `nil` where the database has no history, or no store in the schema.
    static func bytes(of schemaName: String, on connection: PostgresConnection) throws -> Int64? {
        var exists = false
        let table: SQLFragment = "SELECT pg_catalog.to_regclass('strata.history_change') IS NOT NULL"
        try connection.run(PostgresBatch(try table.statement()) { row in exists = try row.decode(0) })
        guard exists else { return nil }
        let asked: SQLFragment = """
            SELECT (SELECT pg_catalog.sum(pg_catalog.pg_total_relation_size(r.part))::bigint FROM (\
            SELECT t.name::pg_catalog.regclass AS part FROM unnest(\(Self.tables)) AS t(name) UNION ALL \
            SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i WHERE i.inhparent = ANY (\(Self.tables)::pg_catalog.regclass[])) AS r) \
            FROM strata.store WHERE "schema_name" = \(bind: schemaName)
            """
        var bytes: Int64?
        try connection.run(PostgresBatch(try asked.statement()) { row in bytes = try row.decodeIfPresent(0) })
        return bytes
    }

    /// Counts all changes of a schema: a second for some millions.
    static func changes(of schemaName: String, on connection: PostgresConnection) throws -> Int64 {
        let asked: SQLFragment = """
            SELECT count(*) FROM strata.history_change AS c WHERE c."entity" IN (\
            SELECT e."id" FROM strata.history_entity AS e JOIN strata.store AS s ON s."number" = e."store" \
            WHERE s."schema_name" = \(bind: schemaName))
            """
        var count: Int64 = 0
        try connection.run(PostgresBatch(try asked.statement()) { row in count = try row.decode(0) })
        return count
    }

    /// - Parameter hours: what is older counts as prunable.
    static func read(_ schemaName: String, olderThan hours: Int, on connection: PostgresConnection) throws
        -> HistorySize?
    {
        guard let bytes = try bytes(of: schemaName, on: connection) else { return nil }
        var size: HistorySize?
        let before: SQLFragment = "pg_catalog.now() - pg_catalog.make_interval(hours => \(bind: Int32(hours)))"
        let totals: SQLFragment = """
            WITH store AS (SELECT "number", "generation" FROM strata.store WHERE "schema_name" = \(bind: schemaName)), \
            t AS (SELECT count(*) AS n, min("at") AS oldest, max("at") AS newest, \
            count(*) FILTER (WHERE "at" < \(before)) AS prunable \
            FROM strata.history_transaction WHERE "store" = (SELECT "number" FROM store)), \
            c AS (SELECT count(*) AS n, count(*) FILTER (WHERE EXISTS (SELECT FROM strata.history_transaction AS t \
            WHERE t."store" = (SELECT "number" FROM store) AND t."generation" = c."generation" AND t."xid" = c."xid" \
            AND t."at" < \(before))) AS prunable FROM strata.history_change AS c \
            WHERE c."entity" IN (SELECT "id" FROM strata.history_entity WHERE "store" = (SELECT "number" FROM store))) \
            SELECT t.n, c.n, t.oldest::text, t.newest::text, store."generation"::bigint, t.prunable, c.prunable FROM store, t, c
            """
        try connection.run(
            PostgresBatch(try totals.statement()) { row in
                size = HistorySize(
                    transactions: try row.decode(0), changes: try row.decode(1), bytes: bytes,
                    oldest: try row.decodeIfPresent(2), newest: try row.decodeIfPresent(3),
                    generation: try row.decode(4), prunableTransactions: try row.decode(5),
                    prunableChanges: try row.decode(6))
            })
        let consumers: SQLFragment = """
            SELECT c."name", c."updated"::text FROM strata.history_consumer AS c JOIN strata.store AS s \
            ON s."number" = c."store" WHERE s."schema_name" = \(bind: schemaName) ORDER BY 1
            """
        try connection.run(
            PostgresBatch(try consumers.statement()) { row in
                size?.consumers.append(Consumer(name: try row.decode(0), updated: try row.decode(1)))
            })
        size?.partitions = try HistoryPartition.all(on: connection)
        return size
    }
}
