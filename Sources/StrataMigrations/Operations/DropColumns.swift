/// Columns that are left over, by the names they have behind the switch.
struct DropColumns: PlannedOperation {
    /// Each with where its values are: `its values are in trip.title`.
    var dropped: [(column: String, whereabouts: String)]
    var table: String

    var kind: MigrationOperation { .dropColumn }
    var title: String { dropped.oneOrMore("drop column") { "\(table).\($0.column)" } }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var notes: [String] { dropped.map { "drops \(table).\($0.column): \($0.whereabouts)" } }

    func statements(_ sql: SchemaSQL) -> [String] {
        [sql.alter(table, dropped.map { "DROP COLUMN \(sql.quoted($0.column))" })]
    }
}
