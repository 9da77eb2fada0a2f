/// A column that may be empty from now on.
struct LoosenColumn: PlannedOperation {
    var column: String
    var table: String

    var kind: MigrationOperation { .loosenColumn }
    var title: String { "allow \(table).\(column) to be empty" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var columns: [String] { [column] }

    func statements(_ sql: SchemaSQL) -> [String] { [sql.alter(table, column: column, "DROP NOT NULL")] }
    func undo(_ sql: SchemaSQL) -> [String] { [sql.alter(table, column: column, "SET NOT NULL")] }
}
