import StrataRepository

/// A foreign key for new rows, before the switch.
struct AddForeignKey: PlannedOperation {
    /// With the names that columns and tables have now.
    var key: ForeignKeyDefinition
    var table: String
    /// Whether the rows are looked at now: there are none in a new table, and PostgreSQL adds no foreign key to a partitioned one that is `NOT
    /// VALID` (before version 18).
    var isChecked = false

    var kind: MigrationOperation { .addForeignKey }
    var title: String { "add foreign key \(key.name)" }
    var lock: MigrationStep.Lock { .shareRowExclusive }
    var tables: [String] { [table, key.referencedTable] }
    var columns: [String] { key.columns }

    func statements(_ sql: SchemaSQL) -> [String] {
        [sql.alter(table, "ADD \(key.clause(in: sql.schemaName))\(isChecked ? "" : " NOT VALID")")]
    }

    func done(_ sql: SchemaSQL) -> String? { sql.hasConstraint(key.name, on: table) }
    func undo(_ sql: SchemaSQL) -> [String] { [sql.dropConstraint(key.name, of: table)] }
}
