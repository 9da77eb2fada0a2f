import StrataModels
import StrataRepository

/// All tables of a version, in an empty database.
struct CreateVersion: PlannedOperation {
    var version: Schema.Version
    var database: DatabaseDefinition

    var kind: MigrationOperation { .createVersion }
    var title: String { "create the tables of version \(version)" }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { [] }

    func statements(_ sql: SchemaSQL) -> [String] {
        let store = """
            INSERT INTO "strata"."store" ("schema_name") VALUES (\(SQLFragment.literal(sql.schemaName))) ON CONFLICT DO NOTHING
            """
        return TableCreation(database, in: sql.schemaName).statements.map(\.text) + [store]
    }
}
