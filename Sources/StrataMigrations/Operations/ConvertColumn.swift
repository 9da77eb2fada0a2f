import StrataRepository

/// Values of another type or meaning, in a column beside the older one.
struct ConvertColumn: RowOperation {
    var column: String
    var older: String
    var table: String
    var key: String
    var type: ColumnType
    /// SQL over the row.
    var value: String
    /// Which rows have no new value yet, or another one.
    var isMissing: String

    var kind: MigrationOperation { .convertColumn }
    var title: String { "convert \(table).\(older) to \(type)" }
    var tables: [String] { [table] }
    var walked: (table: String, key: String) { (table, key) }

    func statements(_ sql: SchemaSQL) -> [String] {
        [
            """
            UPDATE \(sql.table(table)) SET \(sql.quoted(column)) = \(value)
            WHERE \(sql.range(key, of: table)) AND \(isMissing)
            """
        ]
    }
}
