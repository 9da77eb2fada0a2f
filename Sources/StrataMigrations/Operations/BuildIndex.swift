import StrataRepository

/// An index, built while everybody works.
struct BuildIndex: PlannedOperation {
    var definition: IndexDefinition
    /// The table by the name it has now.
    var host: TableDefinition

    var kind: MigrationOperation { definition.isUnique ? .buildUniqueIndex : .buildIndex }
    var title: String { "build index \(definition.name)" }
    func execution(_ sql: SchemaSQL) -> MigrationStep.Execution { .alone }
    var lock: MigrationStep.Lock { .shareUpdateExclusive }
    var tables: [String] { [host.name] }
    var index: String? { definition.name }

    func statements(_ sql: SchemaSQL) -> [String] {
        [host.creation(of: definition, in: sql.schemaName, concurrently: true).text]
    }

    func done(_ sql: SchemaSQL) -> String? { sql.isValidIndex(definition.name) }
}
