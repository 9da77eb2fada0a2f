/// `INSERT … SELECT` from one table of objects into another, for a batch or for one row in a trigger.
struct RowCopy: Sendable {
    var source: String
    var sourceKey: String
    var target: String
    var targetKey: String
    var columns: [String]
    /// Which rows, over `s`; `nil` for all.
    var condition: String?

    func statement(
        _ sql: SchemaSQL, _ values: [String], where range: String, locking: String = "", onConflict action: String
    ) -> String {
        """
        INSERT INTO \(sql.table(target)) \(sql.list(columns))
        SELECT \(values.joined(separator: ", ")) FROM \(sql.table(source)) AS s
        WHERE \(([range] + (condition.map { [$0] } ?? [])).joined(separator: " AND "))\(locking)
        ON CONFLICT (\(sql.quoted(targetKey))) DO \(action)
        """
    }
}
