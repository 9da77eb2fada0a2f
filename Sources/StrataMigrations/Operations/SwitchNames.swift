import StrataModels

/// Everything that gets its final name, in one transaction; it can be taken back as a whole.
struct SwitchNames: PlannedOperation {
    var renames: [Rename]
    var version: Schema.Version
    var tables: [String]

    var kind: MigrationOperation { renames.allSatisfy(\.kind.isHidden) ? .switchHiddenNames : .switchNames }
    var title: String { "switch to the names of version \(version)" }
    var lock: MigrationStep.Lock { .accessExclusive }

    func statements(_ sql: SchemaSQL) -> [String] { renames.map { $0.statement(sql) } }
    func undo(_ sql: SchemaSQL) -> [String] { renames.reversed().map { $0.inverse.statement(sql) } }
}
