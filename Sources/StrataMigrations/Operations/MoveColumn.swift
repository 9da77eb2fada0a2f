import StrataRepository

/// Values of a property in another table of the object: up or down the hierarchy.
struct MoveColumn: RowOperation {
    var column: String
    var table: String
    var key: String
    var older: ColumnPlace
    var olderKey: String
    /// SQL over the row that has the older column.
    var value: String

    var kind: MigrationOperation { .copyColumn }
    var title: String { "copy \(older.table).\(older.column) to \(table).\(column)" }
    var tables: [String] { [table] }
    var walked: (table: String, key: String) { (older.table, olderKey) }

    func statements(_ sql: SchemaSQL) -> [String] {
        let (name, key) = (sql.quoted(column), "t." + sql.quoted(key))
        return [
            """
            UPDATE \(sql.table(table)) AS t SET \(name) = s.value
            FROM (SELECT \(sql.selectedKey(olderKey)), \(value) AS value FROM \(sql.table(older.table)) WHERE \(sql.range(olderKey, of: older.table)) FOR SHARE) AS s
            WHERE \(key) = s."pk" AND \(sql.range(self.key, of: table, as: "t")) AND t.\(name) IS DISTINCT FROM s.value
            """
        ]
    }
}
