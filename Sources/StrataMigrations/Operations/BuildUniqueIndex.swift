/// The index of a unique constraint or a primary key, built while everybody works.
struct BuildUniqueIndex: PlannedOperation {
    var name: String
    var table: String
    var keys: [String]
    /// Whether NULL equals NULL.
    var nullsNotDistinct = false

    var kind: MigrationOperation { .buildUniqueIndex }
    var title: String { "build unique index \(name)" }
    func execution(_ sql: SchemaSQL) -> MigrationStep.Execution { .alone }
    var lock: MigrationStep.Lock { .shareUpdateExclusive }
    var tables: [String] { [table] }
    var index: String? { name }

    func statements(_ sql: SchemaSQL) -> [String] {
        [
            "CREATE UNIQUE INDEX CONCURRENTLY \(sql.quoted(name)) ON \(sql.table(table)) \(sql.list(keys))"
                + (nullsNotDistinct ? " NULLS NOT DISTINCT" : "")
        ]
    }

    func done(_ sql: SchemaSQL) -> String? { sql.isValidIndex(name) }
}
