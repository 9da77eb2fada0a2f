import StrataRepository

/// A rule for new rows, proven for all by the step that validates it.
struct AddCheck: PlannedOperation {
    /// With the names that its columns have now.
    var check: CheckDefinition
    var table: String
    /// Whether it happens behind the switch: then it is not taken back.
    var isLate: Bool

    var kind: MigrationOperation { .addCheck }
    var title: String { "add check \(check.name)" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var columns: [String] { Array(Set(check.columns)).sorted() }

    func statements(_ sql: SchemaSQL) -> [String] { [sql.alter(table, "ADD \(check.clause) NOT VALID")] }
    func done(_ sql: SchemaSQL) -> String? { sql.hasConstraint(check.name, on: table) }
    func undo(_ sql: SchemaSQL) -> [String] { isLate ? [] : [sql.dropConstraint(check.name, of: table)] }
}
