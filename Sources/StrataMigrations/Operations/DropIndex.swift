/// An index that the new version does not have.
struct DropIndex: PlannedOperation {
    /// What the old version calls it.
    var name: String
    /// What it is called behind the switch.
    var nameNow: String
    var table: String
    /// Whether the table is divided: PostgreSQL drops no index of all partitions `CONCURRENTLY`.
    var isPartitioned = false

    var kind: MigrationOperation { .dropIndex }
    var title: String { "drop index \(name)" }
    func execution(_ sql: SchemaSQL) -> MigrationStep.Execution { isPartitioned ? .transaction : .alone }
    var lock: MigrationStep.Lock { isPartitioned ? .accessExclusive : .shareUpdateExclusive }
    var tables: [String] { [table] }

    func statements(_ sql: SchemaSQL) -> [String] {
        ["DROP INDEX \(isPartitioned ? "" : "CONCURRENTLY ")IF EXISTS \(sql.table(nameNow))"]
    }
    func done(_ sql: SchemaSQL) -> String? { sql.isGone(nameNow) }
}
