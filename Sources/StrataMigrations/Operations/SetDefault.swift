/// The default of a column from now on.
struct SetDefault: PlannedOperation {
    var column: String
    var table: String
    /// `nil` for none.
    var expression: String?

    var kind: MigrationOperation { .setDefault }
    var title: String { "change the default of \(table).\(column)" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] {
        [sql.alter(table, column: column, expression.map { "SET DEFAULT \($0)" } ?? "DROP DEFAULT")]
    }
}
