import StrataRepository

/// Values for rows that have none in a required column.
struct FillColumn: RowOperation {
    var column: String
    var table: String
    /// SQL over the row.
    var value: String

    var kind: MigrationOperation { .fillColumn }
    var title: String { "fill \(table).\(column)" }
    var tables: [String] { [table] }
    var walked: (table: String, key: String) { (table, ReservedColumn.key) }

    func statements(_ sql: SchemaSQL) -> [String] {
        let name = sql.quoted(column)
        return ["UPDATE \(sql.table(table)) SET \(name) = \(value) WHERE \(sql.range("\"pk\"")) AND \(name) IS NULL"]
    }
}
