import StrataRepository

/// The values that the column with the class may have from now on.
struct AllowClasses: PlannedOperation {
    var check: CheckDefinition
    /// The column with the class.
    var column: String
    var values: [String]
    var older: CheckDefinition?
    var table: String
    /// Whether old code runs beside it: then it can be taken back.
    var isEarly: Bool

    var kind: MigrationOperation { .allowClasses }
    var title: String { "allow \(table).\(column) the values \(values.joined(separator: ", "))" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] {
        (older.map { [sql.dropConstraint($0.name, of: table)] } ?? [])
            + [sql.alter(table, "ADD \(check.clause) NOT VALID")]
    }

    func undo(_ sql: SchemaSQL) -> [String] {
        guard isEarly else { return [] }
        return [sql.dropConstraint(check.name, of: table)]
            + (older.map { [sql.alter(table, "ADD \($0.clause)")] } ?? [])
    }
}
