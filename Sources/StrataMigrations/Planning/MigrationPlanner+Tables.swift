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
                initial.checks = table.classCheck.map { [$0] } ?? []
                for index in initial.columns.indices where !isBookkeeping(initial.columns[index].name, of: table) {
                    initial.columns[index].isNullable = true
                    if table.hasServerDefault(initial.columns[index]) { initial.columns[index].defaultExpression = nil }
                }
            } else {
                for index in initial.uniques.indices {
                    initial.uniques[index].name = names.relation(initial.uniques[index].name)
                }
            }
            if let key = initial.primaryKey { initial.primaryKey?.name = names.relation(key.name) }
            let indexes = (isPopulated ? [] : table.indexes).map { index in
                var index = index
                index.name = names.relation(index.name)
                return index
            }
            draft.add(.createTables, CreateTable(definition: initial, indexes: indexes))
        }
    }

    /// Pairs whose sides change places: their key is searched from the other side from now on.
    mutating func planPrimaryKeys() {
        for (table, oldTable) in keptTables {
            guard let key = table.primaryKey, let oldKey = oldTable.primaryKey, !isSamePrimaryKey(table, oldTable)
            else {
                continue
            }
            let index = key.name == oldKey.name ? InterimName.new(key.name) : key.name
            draft.add(.lateIndexes, BuildUniqueIndex(name: index, table: table.name, keys: key.columns))
            draft.add(
                .lateIndexes, ReplacePrimaryKey(name: key.name, index: index, older: oldKey.name, table: table.name))
        }
    }

    func isSamePrimaryKey(_ table: TableDefinition, _ oldTable: TableDefinition) -> Bool {
        let columns = table.primaryKey?.columns.map { flows.kept(ColumnPlace(table: table.name, column: $0))?.column }
        return columns == oldTable.primaryKey?.columns.map { $0 }
    }

    /// The key, the class, and both columns of a join table: never empty, whoever fills the table.
    func isBookkeeping(_ column: String, of table: TableDefinition) -> Bool {
        table.primaryKey?.columns.contains(column) == true
            || column == table.classColumn && isClassColumn(table)
    }

    func isClassColumn(_ table: TableDefinition) -> Bool {
        new.entities.contains { $0.table == table.name && $0.parent == nil && !new.children(of: $0).isEmpty }
    }
}
