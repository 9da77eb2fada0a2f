/// New code does not know a column: its inserts must not fail because of it.
struct OmitColumn: PlannedOperation {
    var column: String
    var table: String
    /// A value that old code can read; `nil` where the column may be empty, because something follows it.
    var zero: String?

    var kind: MigrationOperation { .omitColumn }
    var title: String { "let new code leave out \(table).\(column)" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var columns: [String] { zero == nil ? [column] : [] }

    func statements(_ sql: SchemaSQL) -> [String] {
        [sql.alter(table, column: column, zero.map { "SET DEFAULT \($0)" } ?? "DROP NOT NULL")]
    }

    func undo(_ sql: SchemaSQL) -> [String] {
        [sql.alter(table, column: column, zero == nil ? "SET NOT NULL" : "DROP DEFAULT")]
    }
}
