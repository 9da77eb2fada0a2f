import StrataRepository

/// Rows of one class that are those of another from now on.
struct ChangeClass: RowOperation {
    var change: ClassChange
    var older: String
    var newer: String

    var kind: MigrationOperation { .changeClass }
    var title: String { "make rows of \(older) rows of \(newer)" }
    var tables: [String] { [change.table] }
    var walked: (table: String, key: String) { (change.table, change.key) }

    func statements(_ sql: SchemaSQL) -> [String] {
        let column = sql.quoted(change.column)
        let conditions = ["t.\(column) = \(change.before)"] + (change.condition.map { [$0] } ?? [])
        return [
            """
            UPDATE \(sql.table(change.table)) AS t SET \(column) = \(change.after)
            WHERE \(sql.range(change.key, of: change.table, as: "t")) AND \(conditions.joined(separator: " AND "))
            """
        ]
    }
}
