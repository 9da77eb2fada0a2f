import StrataRepository

/// Parts of objects in a table that their class does not have any more.
struct DeleteRows: RowOperation {
    var entity: String
    var table: String
    var key: String
    /// Which rows, over the table as `t`.
    var condition: String

    var kind: MigrationOperation { .deleteRows }
    var title: String { "delete \(entity)'s rows from \(table)" }
    var tables: [String] { [table] }
    var walked: (table: String, key: String) { (table, key) }

    func statements(_ sql: SchemaSQL) -> [String] {
        ["DELETE FROM \(sql.table(table)) AS t WHERE \(sql.range(key, of: table, as: "t")) AND \(condition)"]
    }
}
