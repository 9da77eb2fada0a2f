/// A column that is declared never empty, once that has been proven.
struct RequireColumn: PlannedOperation {
    var required: RequiredColumn

    var kind: MigrationOperation { .requireColumn }
    var title: String { "make \(required.table).\(required.column) required" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [required.table] }
    var columns: [String] { required.isLate ? [] : [required.column] }

    func statements(_ sql: SchemaSQL) -> [String] {
        [
            sql.alter(required.table, column: required.column, "SET NOT NULL"),
            sql.dropConstraint(required.check, of: required.table),
        ]
    }

    func done(_ sql: SchemaSQL) -> String? { sql.isRequired(required.column, in: required.table) }

    func undo(_ sql: SchemaSQL) -> [String] {
        required.isLate ? [] : [sql.alter(required.table, column: required.column, "DROP NOT NULL")]
    }
}
