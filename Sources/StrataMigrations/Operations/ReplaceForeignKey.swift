import StrataRepository

/// A foreign key behind the switch, in the place of another or of none.
struct ReplaceForeignKey: PlannedOperation {
    /// A key that goes in the same transaction.
    struct Older: Sendable {
        var name: String
        var referencedTable: String
    }

    var key: ForeignKeyDefinition
    var older: Older?
    var table: String

    var kind: MigrationOperation { .replaceForeignKey }
    var title: String { "\(older == nil ? "add" : "replace") foreign key \(key.name)" }
    /// Dropping the older one stops readers as well.
    var lock: MigrationStep.Lock { older == nil ? .shareRowExclusive : .accessExclusive }
    var tables: [String] { ([table, key.referencedTable] + (older.map { [$0.referencedTable] } ?? [])).eachOnce }

    func statements(_ sql: SchemaSQL) -> [String] {
        (older.map { [sql.dropConstraint($0.name, of: table)] } ?? [])
            + [sql.alter(table, "ADD \(key.clause(in: sql.schemaName)) NOT VALID")]
    }
}
