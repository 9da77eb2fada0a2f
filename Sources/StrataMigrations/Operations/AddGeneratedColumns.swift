import StrataRepository

/// Columns that the server computes, of a table in use: it is written anew, and nobody reads or writes it until that is done (PostgreSQL manual, ALTER
/// TABLE, notes).
struct AddGeneratedColumns: PlannedOperation {
    struct Column {
        /// With the names that are there until the switch.
        var definition: ColumnDefinition
        /// What the comment says, of the names that are there from then on.
        var mark: DefinitionMark?
    }

    var added: [Column]
    var table: String

    var kind: MigrationOperation { .addGeneratedColumn }
    var title: String { added.oneOrMore("add generated column") { "\(table).\($0.definition.name)" } }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var notes: [String] {
        [
            "writes \(table) anew, and nobody reads or writes it until that is done",
            "from then on a row of which the column cannot be computed is refused, whoever writes it: old code does not know of it",
        ]
    }

    func statements(_ sql: SchemaSQL) -> [String] {
        let name = TableName(schema: sql.schemaName, name: table)
        return [sql.alter(table, added.map { "ADD COLUMN \($0.definition.clause)" })]
            + added.compactMap { column in column.mark?.comment(on: column.definition.name, of: name).text }
    }

    func done(_ sql: SchemaSQL) -> String? { sql.hasColumns(added.map(\.definition.name), in: table) }

    func undo(_ sql: SchemaSQL) -> [String] {
        [sql.alter(table, added.map { "DROP COLUMN \(sql.quoted($0.definition.name))" }.joined(separator: ", "))]
    }
}
