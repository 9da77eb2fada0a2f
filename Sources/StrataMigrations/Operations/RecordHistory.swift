import StrataModels
import StrataRepository

/// The new version's names are those that the history records by.
struct RecordHistory: PlannedOperation {
    var version: Schema.Version
    /// What takes effect, and what did before.
    var calls: [HistoryCall]
    var before: HistoryCall
    /// Triggers that come or go need a lock on their table.
    var lock: MigrationStep.Lock
    var tables: [String]

    var kind: MigrationOperation { .recordHistory }
    var title: String { "record history by version \(version)" }

    func statements(_ sql: SchemaSQL) -> [String] { calls.map { $0.statement(in: sql.schemaName) } }
    func undo(_ sql: SchemaSQL) -> [String] { [before.statement(in: sql.schemaName)] }
}
