import StrataRepository

/// Values of a renamed property in a second column of its table.
struct CopyColumn: RowOperation {
    var column: String
    var older: String
    var table: String
    var key: String
    /// SQL over the row.
    var value: String

    var kind: MigrationOperation { .copyColumn }
    var title: String { "copy \(table).\(older) to \(column)" }
    var tables: [String] { [table] }
    var walked: (table: String, key: String) { (table, key) }

    func statements(_ sql: SchemaSQL) -> [String] {
        let name = sql.quoted(column)
        return [
            """
            UPDATE \(sql.table(table)) SET \(name) = \(value)
            WHERE \(sql.range(key, of: table)) AND \(name) IS DISTINCT FROM \(value)
            """
        ]
    }
}
