/// A unique index that becomes a constraint of its name.
struct AddUnique: PlannedOperation {
    var name: String
    var table: String
    /// ` DEFERRABLE`, or more of it; empty for what is checked row by row.
    var timing: String
    /// Whether it happens behind the switch: then it is not taken back.
    var isLate: Bool

    var kind: MigrationOperation { .addUnique }
    var title: String { "make \(name) a constraint" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] {
        let constraint = sql.quoted(name)
        return [
            sql.alter(
                table,
                "ADD CONSTRAINT \(constraint) UNIQUE USING INDEX \(constraint)" + timing)
        ]
    }

    func done(_ sql: SchemaSQL) -> String? { sql.hasConstraint(name, on: table) }
    func undo(_ sql: SchemaSQL) -> [String] { isLate ? [] : [sql.dropConstraint(name, of: table)] }
}
