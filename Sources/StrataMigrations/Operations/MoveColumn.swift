import StrataRepository

/// Values of a property in another table of the object: up or down the hierarchy.
struct MoveColumn: RowOperation {
    var column: String
    var table: String
    var older: ColumnPlace
    /// SQL over the row that has the older column.
    var value: String

    var kind: MigrationOperation { .copyColumn }
    var title: String { "copy \(older.table).\(older.column) to \(table).\(column)" }
    var tables: [String] { [table] }
    var walked: (table: String, key: String) { (older.table, ReservedColumn.key) }

    func statements(_ sql: SchemaSQL) -> [String] {
        let name = sql.quoted(column)
        return [
            """
            UPDATE \(sql.table(table)) AS t SET \(name) = s.value
            FROM (SELECT "pk", \(value) AS value FROM \(sql.table(older.table)) WHERE \(sql.range("\"pk\"")) FOR SHARE) AS s
            WHERE t."pk" = s."pk" AND \(sql.range("t.\"pk\"")) AND t.\(name) IS DISTINCT FROM s.value
            """
        ]
    }
}
