import StrataRepository

/// A table under the name it has until the switch, with its first partitions and the indexes that need no rows to be built from.
struct CreateTable: PlannedOperation {
    var definition: TableDefinition
    var indexes: [IndexDefinition]

    var kind: MigrationOperation { .createTable }
    var title: String { "create table \(definition.name)" }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { [] }

    func statements(_ sql: SchemaSQL) -> [String] {
        let schemaName = sql.schemaName
        return [definition.creation(in: schemaName).text] + definition.columnStatements(in: schemaName).map(\.text)
            + [definition.firstPartitions(in: schemaName)?.text].compactMap { $0 }
            + indexes.map { definition.creation(of: $0, in: schemaName).text }
    }

    func done(_ sql: SchemaSQL) -> String? { sql.exists(definition.name) }
    func undo(_ sql: SchemaSQL) -> [String] { ["DROP TABLE \(sql.table(definition.name))"] }
}
