/// A column that is left over, by the name it has behind the switch.
struct DropColumn: PlannedOperation {
    var column: String
    var table: String
    /// Where its values are: `its values are in trip.title`.
    var whereabouts: String

    var kind: MigrationOperation { .dropColumn }
    var title: String { "drop column \(table).\(column)" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var notes: [String] { ["drops \(table).\(column): \(whereabouts)"] }

    func statements(_ sql: SchemaSQL) -> [String] { [sql.alter(table, "DROP COLUMN \(sql.quoted(column))")] }
}
