import StrataRepository

/// Columns of a table in use: one lock for all of them.
struct AddColumns: PlannedOperation {
    struct Column: Sendable {
        var definition: ColumnDefinition
        /// Classes whose rows a constant default fills; `nil` where the default is none for filling.
        ///
        /// It costs no rewrite (PostgreSQL manual, ALTER TABLE, notes), and fills what old code inserts as well.
        var filledByDefault: [String]?
    }

    var added: [Column]
    var table: String

    var kind: MigrationOperation { .addColumn }
    var title: String {
        added.oneOrMore("add column") { column in
            "\(table).\(column.definition.name)" + (column.filledByDefault == nil ? "" : " with a default")
        }
    }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { [table] }
    var silentlyFilled: [String] { added.flatMap { $0.filledByDefault ?? [] }.eachOnce }

    func statements(_ sql: SchemaSQL) -> [String] {
        let additions = added.map { "ADD COLUMN \($0.definition.clause)" }
        let storage = added.compactMap { column in
            column.definition.storage.map { SetStorage.statement($0, of: column.definition.name, in: table, sql) }
        }
        return [sql.alter(table, additions)] + storage
    }

    func done(_ sql: SchemaSQL) -> String? { sql.hasColumns(added.map(\.definition.name), in: table) }

    func undo(_ sql: SchemaSQL) -> [String] {
        [sql.alter(table, added.map { "DROP COLUMN \(sql.quoted($0.definition.name))" }.joined(separator: ", "))]
    }
}

extension Array {
    /// `add column a`, `add columns a, b`.
    func oneOrMore(_ words: String, _ name: (Element) -> String) -> String {
        words + (count == 1 ? " " : "s ") + map(name).joined(separator: ", ")
    }
}
