import StrataRepository

extension MigrationPlanner {
    /// New tables that this stage makes, and those among them that get rows of older classes.
    var createdTables: [TableDefinition] {
        DatabaseDefinition(tables: new.database.tables.filter { flows.tables[$0.name] == nil }).creationOrder.tables
    }

    /// New and old definition of every table that stays.
    var keptTables: [(new: TableDefinition, old: TableDefinition)] {
        new.database.tables.compactMap { table in
            flows.tables[table.name].flatMap { old.database.table(named: $0) }.map { (table, $0) }
        }
    }

    func isPopulated(_ table: String) -> Bool {
        insertions.contains { $0.target.table == table }
            || flows.links.contains { $0.to.isJoinTable && $0.to.table == table }
    }

    mutating func planTables() {
        for table in createdTables {
            let isPopulated = isPopulated(table.name)
            var initial = table
            initial.name = names.table(table.name)
            initial.foreignKeys = []
            if isPopulated {
                initial.uniques = []
                for index in initial.columns.indices where !isBookkeeping(initial.columns[index].name, of: table) {
                    initial.columns[index].isNullable = true
                }
            } else {
                for index in initial.uniques.indices {
                    initial.uniques[index].name = names.relation(initial.uniques[index].name)
                }
            }
            if let key = initial.primaryKey { initial.primaryKey?.name = names.relation(key.name) }
            var statements = [initial.creation(in: schemaName).text]
            statements += initial.storageStatements(in: schemaName).map(\.text)
            if !isPopulated {
                for index in table.indexes {
                    var renamed = index
                    renamed.name = names.relation(index.name)
                    statements.append(initial.creation(of: renamed, in: schemaName).text)
                }
            }
            draft.add(
                .createTables, "create table \(initial.name)", statements, done: exists(initial.name),
                undo: ["DROP TABLE \(self.table(initial.name))"])
        }
    }

    /// Pairs whose sides change places: their key is searched from the other side from now on.
    mutating func planPrimaryKeys() {
        for (table, oldTable) in keptTables {
            guard let key = table.primaryKey, let oldKey = oldTable.primaryKey, !isSamePrimaryKey(table, oldTable)
            else {
                continue
            }
            let columns = key.columns.map { quoted($0) }.joined(separator: ", ")
            draft.add(
                .lateIndexes, "build unique index \(key.name)",
                ["CREATE UNIQUE INDEX CONCURRENTLY \(quoted(key.name)) ON \(self.table(table.name)) (\(columns))"],
                execution: .alone, lock: .shareUpdateExclusive, on: [table.name],
                done: """
                    SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index \
                    WHERE indexrelid = to_regclass(\(SQLFragment.literal(self.table(key.name)))) AND indisvalid)
                    """, index: key.name)
            draft.add(
                .lateIndexes, "make \(key.name) the primary key",
                [
                    """
                    ALTER TABLE \(self.table(table.name)) DROP CONSTRAINT \(quoted(oldKey.name)),
                    ADD CONSTRAINT \(quoted(key.name)) PRIMARY KEY USING INDEX \(quoted(key.name))
                    """
                ], lock: .accessExclusive, on: [table.name])
        }
    }

    func isSamePrimaryKey(_ table: TableDefinition, _ oldTable: TableDefinition) -> Bool {
        let columns = table.primaryKey?.columns.map { flows.kept(ColumnPlace(table: table.name, column: $0))?.column }
        return columns == oldTable.primaryKey?.columns.map { $0 }
    }

    /// The key, the class, and both columns of a join table: never empty, whoever fills the table.
    func isBookkeeping(_ column: String, of table: TableDefinition) -> Bool {
        table.primaryKey?.columns.contains(column) == true
            || column == ReservedColumn.discriminator && isClassColumn(table)
    }

    func isClassColumn(_ table: TableDefinition) -> Bool {
        new.entities.contains { $0.table == table.name && $0.parent == nil && !new.children(of: $0).isEmpty }
    }

    func exists(_ table: String) -> String {
        "SELECT to_regclass(\(SQLFragment.literal(self.table(table)))) IS NOT NULL"
    }
}
