import StrataClient
import StrataMigrations
import StrataRepository

/// A partition of the history, which all stores of the database share.
struct HistoryPartition: Encodable, Sendable {
    /// 0 for the one that takes what no other one is for.
    var number: Int32
    /// The first transaction number that belongs here, and the first behind it.
    var lower: String?
    var upper: String?
    /// For how many seconds it was meant to last.
    var seconds: Double
    var bytes: Int64
    /// When the first and the last of its transactions were.
    var oldest: String?
    var newest: String?

    /// In the order of their transactions; `nil` where the history is not partitioned. Reads all headers.
    static func all(on connection: PostgresConnection) throws -> [HistoryPartition]? {
        var exists = false
        let table: SQLFragment = "SELECT pg_catalog.to_regclass('strata.history_partition') IS NOT NULL"
        try connection.run(PostgresBatch(try table.statement()) { row in exists = try row.decode(0) })
        guard exists else { return nil }
        let asked: SQLFragment = """
            WITH a AS (SELECT t.tableoid, min(t."at") AS oldest, max(t."at") AS newest \
            FROM strata.history_transaction AS t GROUP BY 1) \
            SELECT p."number", p."lower"::text, p."upper"::text, extract(epoch FROM p."every")::double precision, \
            coalesce(pg_catalog.pg_total_relation_size(h.oid) + pg_catalog.pg_total_relation_size(c.oid), 0), \
            a.oldest::text, a.newest::text \
            FROM strata.history_partition AS p CROSS JOIN LATERAL (\
            SELECT pg_catalog.to_regclass('strata.history_transaction_' || p."number")::oid AS oid) AS h CROSS JOIN LATERAL (\
            SELECT pg_catalog.to_regclass('strata.history_change_' || p."number")::oid AS oid) AS c \
            LEFT JOIN a ON a.tableoid = h.oid ORDER BY p."lower" NULLS LAST
            """
        var partitions: [HistoryPartition] = []
        try connection.run(
            PostgresBatch(try asked.statement()) { row in
                partitions.append(
                    HistoryPartition(
                        number: try row.decode(0), lower: try row.decodeIfPresent(1), upper: try row.decodeIfPresent(2),
                        seconds: try row.decode(3), bytes: try row.decode(4), oldest: try row.decodeIfPresent(5),
                        newest: try row.decodeIfPresent(6)))
            })
        return partitions
    }

    /// One line: its transactions, its room, its time.
    var line: String {
        let range = if let lower, let upper { "\(lower) to \(upper)" } else { "what no other one is for" }
        let time = if let oldest, let newest { "\(oldest) to \(newest)" } else { "empty" }
        return "\(range), \(ByteCount.text(bytes)), \(time)"
    }
}
