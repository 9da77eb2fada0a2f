import StrataRepository

/// Values for rows that have none in a required column.
struct FillColumn: RowOperation {
    var column: String
    var table: String
    var key: String
    /// SQL over the row.
    var value: String
    /// SQL over the row: which rows have the column. `nil` for all of the table.
    var condition: String?

    var kind: MigrationOperation { .fillColumn }
    var title: String { "fill \(table).\(column)" }
    var tables: [String] { [table] }
    var walked: (table: String, key: String) { (table, key) }

    func statements(_ sql: SchemaSQL) -> [String] {
        let (name, range) = (sql.quoted(column), sql.range(key, of: table))
        let further = condition.map { " AND \($0)" } ?? ""
        return ["UPDATE \(sql.table(table)) SET \(name) = \(value) WHERE \(range) AND \(name) IS NULL\(further)"]
    }
}
