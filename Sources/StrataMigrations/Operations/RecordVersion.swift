import StrataModels
import StrataRepository

/// The database is at this version.
struct RecordVersion: PlannedOperation {
    var version: Schema.Version
    var fingerprint: String
    var stage: StageName

    var kind: MigrationOperation { .recordVersion }
    var title: String { "record version \(version)" }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { [] }

    func statements(_ sql: SchemaSQL) -> [String] {
        let values = [sql.schemaName, "\(version)", fingerprint, stage.recorded].map { SQLFragment.literal($0) }
        return [
            """
            INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
            VALUES (\(values.joined(separator: ", ")))
            """
        ]
    }
}
