import StrataClient
import StrataRepository

/// Asks a query of two columns, key and value, whose rows are what is wrong: counts all and keeps a few.
struct OffenderQuery {
    struct Offenders {
        var count: Int64 = 0
        /// `4999999: '12x'`
        var lines: [String] = []
    }

    private static let shown = 5
    /// Characters of a value: enough to find it, and no document in a log.
    private static let valueLength = 120
    private let query: String

    init(_ query: String) {
        self.query = query
    }

    func run(_ session: RunnerSession) throws -> Offenders {
        var offenders = Offenders()
        // The line feed ends a comment at the query's end.
        let sql = """
            SELECT count(*) OVER (), o.k::text, CASE WHEN length(o.v::text) > \(Self.valueLength) \
            THEN left(o.v::text, \(Self.valueLength)) || ' …' ELSE o.v::text END FROM (\(query)
            ) AS o(k, v) LIMIT \(Self.shown)
            """
        try session.connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))) { row in
                offenders.count = try row.decode(0)
                let key = try row.decodeIfPresent(1, as: String.self) ?? "NULL"
                let value = try row.decodeIfPresent(2, as: String.self) ?? "NULL"
                offenders.lines.append("\(key): \(value)")
            })
        if offenders.count > Int64(offenders.lines.count) {
            offenders.lines.append("and \(offenders.count - Int64(offenders.lines.count)) more")
        }
        return offenders
    }
}
