import StrataClient
import StrataRepository

/// How many rows tables have, as PostgreSQL estimates them.
enum TableEstimates {
    private static let query = PreparedSQL(
        """
        SELECT c.relname::text, c.reltuples::bigint FROM pg_class c \
        WHERE c.oid = ANY (\(SchemaObjects.text(.relations, where: "= $1"))) AND c.relkind IN ('r', 'p') AND c.reltuples >= 0 ORDER BY c.relname
        """, isCached: false)

    static func read(schemaName: String, on connection: PostgresConnection) throws -> [String: Int] {
        var estimates: [String: Int] = [:]
        try connection.run(
            PostgresBatch(PostgresStatement(query, parameters: try PostgresParameters(schemaName))) { row in
                estimates[try row.decode(0, as: String.self)] = Int(try row.decode(1, as: Int64.self))
            })
        return estimates
    }
}
