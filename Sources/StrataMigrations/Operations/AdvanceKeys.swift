import StrataRepository

/// Keys for other programs go on after the ones in use.
struct AdvanceKeys: PlannedOperation {
    var table: String

    var kind: MigrationOperation { .advanceKeys }
    var title: String { "let new keys of \(table) follow those in use" }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { [] }

    func statements(_ sql: SchemaSQL) -> [String] {
        let name = sql.table(table)
        let sequence = "pg_get_serial_sequence(\(SQLFragment.literal(name)), 'pk')"
        return [
            """
            SELECT setval(\(sequence), GREATEST(max("pk"), nextval(\(sequence)))) FROM \(name)
            WHERE "pk" <= \(KeySpace.largestIdentity)
            """
        ]
    }
}
