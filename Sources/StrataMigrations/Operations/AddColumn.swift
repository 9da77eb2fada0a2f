import StrataRepository

/// A column of a table in use.
struct AddColumn: PlannedOperation {
    var column: ColumnDefinition
    var table: String
    /// Classes whose rows a constant default fills; `nil` where the default is none for filling.
    ///
    /// It costs no rewrite (PostgreSQL manual, ALTER TABLE, notes), and fills what old code inserts as well.
    var filledByDefault: [String]?

    var kind: MigrationOperation { .addColumn }
    var title: String { "add column \(table).\(column.name)" + (filledByDefault == nil ? "" : " with a default") }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var silentlyFilled: [String] { filledByDefault ?? [] }

    func statements(_ sql: SchemaSQL) -> [String] {
        let storage = column.storage.map { [SetStorage.statement($0, of: column.name, in: table, sql)] } ?? []
        return [sql.alter(table, "ADD COLUMN \(column.clause)")] + storage
    }

    func done(_ sql: SchemaSQL) -> String? { sql.hasColumn(column.name, in: table) }
    func undo(_ sql: SchemaSQL) -> [String] { [sql.alter(table, "DROP COLUMN \(sql.quoted(column.name))")] }
}
