/// Tables that nothing leads to any more.
struct DropTables: PlannedOperation {
    /// Each with where its rows are: `its objects go on as Trip`.
    var dropped: [(table: String, whereabouts: String)]
    /// The tables that foreign keys of the dropped ones lead to: they are locked as well.
    var referenced: [String]

    private var names: [String] { dropped.map(\.table) }
    var kind: MigrationOperation { .dropTables }
    var title: String { "drop " + names.joined(separator: ", ") }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { (names + referenced).eachOnce }
    var notes: [String] { dropped.map { "drops table \($0.table): \($0.whereabouts)" } }

    func statements(_ sql: SchemaSQL) -> [String] {
        ["DROP TABLE " + names.map { sql.table($0) }.joined(separator: ", ")]
    }
}

extension [String] {
    /// Each once, in order.
    var eachOnce: [String] { reduce(into: []) { result, name in if !result.contains(name) { result.append(name) } } }
}
