/// An index that the new version does not have.
struct DropIndex: PlannedOperation {
    /// What the old version calls it.
    var name: String
    /// What it is called behind the switch.
    var nameNow: String
    var table: String

    var kind: MigrationOperation { .dropIndex }
    var title: String { "drop index \(name)" }
    func execution(_ sql: SchemaSQL) -> MigrationStep.Execution { .alone }
    var lock: MigrationStep.Lock { .shareUpdateExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] {
        ["DROP INDEX CONCURRENTLY IF EXISTS \(sql.table(nameNow))"]
    }
    func done(_ sql: SchemaSQL) -> String? { sql.isGone(nameNow) }
}
