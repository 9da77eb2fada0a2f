/// The end of defaults that were there for the time of the stage alone.
struct EndFilling: PlannedOperation {
    var filled: [String]
    var table: String

    var kind: MigrationOperation { .setDefault }
    var title: String { "drop the default of " + filled.map { "\(table).\($0)" }.joined(separator: ", ") }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] {
        [sql.alter(table, filled.map { "ALTER COLUMN \(sql.quoted($0)) DROP DEFAULT" })]
    }
}
