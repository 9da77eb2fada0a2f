import StrataRepository

extension MigrationPlanner {
    /// What is left over: columns and tables, each accounted for and its successor verified by then.
    mutating func planDrops() {
        for (table, oldTable) in keptTables {
            for column in oldTable.columns {
                let place = ColumnPlace(table: oldTable.name, column: column.name)
                let isKept = table.columns.contains {
                    flows.kept(ColumnPlace(table: table.name, column: $0.name)) == place
                }
                if isKept { continue }
                loosen(column, of: oldTable)
                let name = names.lateColumn(place)
                draft.add(
                    .dropColumns, "drop column \(table.name).\(name)",
                    ["ALTER TABLE \(self.table(table.name)) DROP COLUMN \(quoted(name))"], lock: .accessExclusive,
                    on: [table.name])
            }
        }
        let dropped = old.database.tables.filter { !flows.tables.values.contains($0.name) }.map {
            names.lateTable($0.name)
        }
        if !dropped.isEmpty {
            draft.add(
                .dropTables, "drop " + dropped.joined(separator: ", "),
                ["DROP TABLE " + dropped.map { self.table($0) }.joined(separator: ", ")], lock: .accessExclusive,
                on: dropped)
        }
    }

    /// New code does not know the column: its inserts must not fail because of it.
    private mutating func loosen(_ column: ColumnDefinition, of table: TableDefinition) {
        guard !column.isNullable, column.defaultExpression == nil, column.identity == nil else { return }
        let place = ColumnPlace(table: table.name, column: column.name)
        let isFollowed =
            flows.flows.contains { $0.sources.contains { $0.place == place } }
            || flows.links.contains { $0.from.isAt(place) }
        // A value that old code can read, where nothing follows the column any more.
        let zero = isFollowed ? nil : Self.zeros[column.type]
        let change = zero.map { "SET DEFAULT \($0)" } ?? "DROP NOT NULL"
        draft.add(
            .loosen, "let new code leave out \(table.name).\(column.name)",
            ["ALTER TABLE \(self.table(table.name)) ALTER COLUMN \(quoted(column.name)) \(change)"],
            lock: .accessExclusive,
            on: [table.name],
            undo: [
                "ALTER TABLE \(self.table(table.name)) ALTER COLUMN \(quoted(column.name)) \(zero == nil ? "SET NOT NULL" : "DROP DEFAULT")"
            ])
    }

    private static let zeros = [
        "text": "''", "smallint": "0", "integer": "0", "bigint": "0", "real": "0", "double precision": "0",
        "numeric": "0",
        "boolean": "false", "timestamptz": "'epoch'", "bytea": "''",
        "uuid": "'00000000-0000-0000-0000-000000000000'",
    ]
}
