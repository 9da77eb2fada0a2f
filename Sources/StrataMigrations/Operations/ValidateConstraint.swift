/// A constraint that was added for new rows only, proven for all.
struct ValidateConstraint: PlannedOperation {
    var name: String
    var table: String
    /// In place of the name, for people: `that trip.name is never empty`.
    var meaning: String?

    var kind: MigrationOperation { .validateConstraint }
    var title: String { "validate \(meaning ?? name)" }
    var lock: MigrationStep.Lock { .shareUpdateExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] { [sql.alter(table, "VALIDATE CONSTRAINT \(sql.quoted(name))")] }
}
