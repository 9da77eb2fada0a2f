import StrataRepository

/// New code does not know a column that a check requires in rows of a class: its inserts must not fail because of it.
struct OmitCheck: PlannedOperation {
    /// As the old version has it.
    var check: CheckDefinition
    var column: String
    var table: String

    var kind: MigrationOperation { .omitColumn }
    var title: String { "let new code leave out \(table).\(column)" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var columns: [String] { [column] }

    func statements(_ sql: SchemaSQL) -> [String] {
        [sql.alter(table, "DROP CONSTRAINT IF EXISTS \(sql.quoted(check.name))")]
    }

    func undo(_ sql: SchemaSQL) -> [String] { [sql.alter(table, "ADD \(check.clause)")] }
}
