import StrataRepository

/// Keys for other programs go on after the ones in use.
struct AdvanceKeys: PlannedOperation {
    var table: String
    var key: String

    var kind: MigrationOperation { .advanceKeys }
    var title: String { "let new keys of \(table) follow those in use" }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { [] }

    func statements(_ sql: SchemaSQL) -> [String] {
        let (name, column) = (sql.table(table), sql.quoted(key))
        let sequence = "pg_get_serial_sequence(\(SQLFragment.literal(name)), \(SQLFragment.literal(key)))"
        return [
            """
            SELECT setval(\(sequence), GREATEST(max(\(column)), nextval(\(sequence)))) FROM \(name)
            WHERE \(column) <= \(KeySpace.largestIdentity)
            """
        ]
    }
}
