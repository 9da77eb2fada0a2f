import StrataRepository

extension MigrationPlanner {
    /// Unique constraints, indexes and foreign keys: what stays, what is built beside the old, what goes.
    mutating func planConstraints() {
        for (table, oldTable) in keptTables {
            let columns = newColumns(of: table, oldTable)
            planUniques(table, oldTable, columns)
            planIndexes(table, oldTable, columns)
            planForeignKeys(table, oldTable, columns)
            planChecks(table, oldTable, columns)
        }
        for table in createdTables {
            if isPopulated(table.name) {
                planUniques(table, nil, [:])
                planIndexes(table, nil, [:])
                planChecks(table, nil, [:])
                for column in table.columns where !column.isNullable && !isBookkeeping(column.name, of: table) {
                    planRequired(
                        ColumnPlace(table: table.name, column: column.name), table: names.table(table.name),
                        column: column.name)
                }
            }
            planForeignKeys(table, nil, [:])
        }
    }

    /// Old column → new column, for those that stay in the table.
    func newColumns(of table: TableDefinition, _ oldTable: TableDefinition) -> [String: String] {
        var result: [String: String] = [:]
        for column in table.columns {
            if let kept = flows.kept(ColumnPlace(table: table.name, column: column.name)), kept.table == oldTable.name {
                result[kept.column] = column.name
            }
        }
        return result
    }

    private func currentColumns(_ columns: [String], of table: TableDefinition) -> [String] {
        columns.map { names.column(ColumnPlace(table: table.name, column: $0)) }
    }

    /// Whether the columns get their values only when no old code runs any more.
    func isLate(_ columns: [String], of table: TableDefinition) -> Bool {
        columns.contains { isMovedLate(ColumnPlace(table: table.name, column: $0)) }
            || insertions.contains { $0.isLate && $0.target.table == table.name }
    }

    // MARK: Unique constraints

    private mutating func planUniques(
        _ table: TableDefinition, _ oldTable: TableDefinition?, _ columns: [String: String]
    ) {
        let oldUniques = oldTable?.uniques ?? []
        for unique in table.uniques {
            if oldUniques.contains(where: { $0.renaming { columns[$0] }?.isSame(as: unique) == true }) { continue }
            let isLate = isLate(unique.columns, of: table)
            let name = isLate ? lateRelation(unique.name) : names.relation(unique.name)
            let tableName = isLate ? table.name : names.table(table.name)
            let current = isLate ? unique.columns : currentColumns(unique.columns, of: table)
            let place: StageDraft.Place = isLate ? .lateIndexes : .buildIndexes
            draft.add(
                place,
                BuildUniqueIndex(
                    name: name, table: tableName, keys: current, nullsNotDistinct: unique.nullsNotDistinct))
            draft.add(
                place, AddUnique(name: name, table: tableName, timing: unique.timing, isLate: isLate))
            refuseDuplicates(of: UniqueRule(unique), in: table)
        }
        for unique in oldUniques {
            let renamed = unique.renaming { columns[$0] }
            if table.uniques.contains(where: { renamed?.isSame(as: $0) == true }) { continue }
            draft.add(
                .dropConstraints,
                DropConstraint(
                    sort: .unique, name: unique.name, nameNow: retiredRelation(unique.name), table: table.name))
        }
    }

    /// Counted before the first statement, for columns whose values are known by then.
    private mutating func refuseDuplicates(of unique: UniqueRule, in table: TableDefinition) {
        guard let oldTable = flows.tables[table.name], !insertions.contains(where: { $0.target.table == table.name })
        else { return refuseDuplicatesAmongRows(of: unique, in: table) }
        func value(_ column: String) -> String? {
            knownValue(of: ColumnPlace(table: table.name, column: column), in: oldTable)
        }
        let values = unique.compared(unique.columns.compactMap(value))
        guard values.count == unique.columns.count, let condition = unique.condition(value) else {
            return refuseDuplicatesAmongRows(of: unique, in: table)
        }
        let entity = new.entities.first { $0.table == table.name }?.name ?? table.name
        let names = values.indices.map { "v\($0 + 1)" }
        draft.checks.append(
            DataCheck(
                code: "M203",
                title:
                    "\(entity): \(unique.columns.joined(separator: ", ")) must be unique\(unique.scope), and rows share values",
                remedy: "remove the duplicates first, in the stage's willMigrate or by hand",
                query: """
                    SELECT string_agg(\(oldKey(oldTable))::text, ', ' ORDER BY \(oldKey(oldTable))), concat_ws(', ', \(names.map { "\($0)::text" }.joined(separator: ", ")))
                    FROM (SELECT \(oldKey(oldTable)), \(zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")) FROM \(self.table(oldTable))\(condition.isEmpty ? "" : " WHERE \(condition)")) AS s
                    \(unique.comparable(names))GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1
                    """))
    }

    /// What a column will hold, as SQL about a row of the old table; `nil` where it cannot be said before the stage.
    func knownValue(of place: ColumnPlace, in oldTable: String) -> String? {
        if let kept = flows.kept(place), kept.table == oldTable { return quoted(kept.column) }
        let flow = flows.flows.first { $0.place == place }
        if let flow, let source = flow.sources.first(where: { $0.place.table == oldTable }),
            let text = try? expression(flow, source)
        {
            // What cannot be converted is another check's finding, and must not end this one.
            let obstacle = flow.conversion == nil ? conversion(flow, source)?.obstacle : nil
            return obstacle.map { "CASE WHEN \($0) THEN NULL ELSE \(text) END" } ?? "(\(text))"
        }
        // All rows get the same, or what the stage says.
        if let flow, flow.sources.isEmpty, let fill = flow.fill, !flow.isOptional, !FillExpression(fill).isVolatile {
            return "(\(fill))"
        }
        return nil
    }

    // MARK: Indexes

    private mutating func planIndexes(
        _ table: TableDefinition, _ oldTable: TableDefinition?, _ columns: [String: String]
    ) {
        func isSame(_ index: IndexDefinition, _ old: IndexDefinition) -> Bool {
            old.renaming { columns[$0] }?.isSame(as: index) == true
        }
        let oldIndexes = oldTable?.indexes ?? []
        for index in table.indexes where !oldIndexes.contains(where: { isSame(index, $0) }) {
            let isLate = isLate(index.allColumns, of: table)
            let tableName = isLate ? table.name : names.table(table.name)
            var built = index
            if !isLate {
                built = index.renaming { names.column(ColumnPlace(table: table.name, column: $0)) } ?? index
            }
            built.name = isLate ? lateRelation(index.name) : names.relation(index.name)
            var host = table
            host.name = tableName
            draft.add(isLate ? .lateIndexes : .buildIndexes, BuildIndex(definition: built, host: host))
            if index.isUnique { refuseDuplicates(of: UniqueRule(index), in: table) }
        }
        for old in oldIndexes where !table.indexes.contains(where: { isSame($0, old) }) {
            draft.add(
                .dropIndexes,
                DropIndex(name: old.name, nameNow: retiredRelation(old.name), table: table.name))
        }
    }

    /// After the switch the old names are free; what is built then has its own name at once.
    private func lateRelation(_ name: String) -> String { name }

    /// What an old index is called after the switch: it makes way for a new one of its name.
    private func retiredRelation(_ name: String) -> String {
        new.database.tables.contains { $0.indexNames.contains(name) } ? InterimName.old(name) : name
    }

    // MARK: Foreign keys

    private mutating func planForeignKeys(
        _ table: TableDefinition, _ oldTable: TableDefinition?, _ columns: [String: String]
    ) {
        let oldKeys = oldTable?.foreignKeys ?? []
        let keys = ForeignKeyContinuations(from: oldKeys, to: table.foreignKeys, columns, tables: flows.tables)
        for (key, replaced) in keys.added {
            let isEarly =
                replaced == nil && !oldKeys.contains { $0.name == key.name } && !isLate(key.columns, of: table)
                && !insertions.contains { $0.isLate && $0.target.table == key.referencedTable }
            isEarly
                ? addEarly(key, to: table)
                : replace(key, of: table, old: replaced.map { (key: $0, name: keys.retiredName(of: $0)) })
            if let oldTable { refuseOrphans(of: key, in: table, oldTable, columns) }
        }
        for old in keys.dropped {
            draft.add(
                .dropConstraints,
                DropConstraint(
                    sort: .foreignKey(referenced: names.lateTable(old.referencedTable)), name: old.name,
                    nameNow: keys.retiredName(of: old), table: table.name))
        }
    }

    /// Columns that had no foreign key, or one to another table, may hold keys of rows that are not there.
    private mutating func refuseOrphans(
        of key: ForeignKeyDefinition, in table: TableDefinition, _ oldTable: TableDefinition,
        _ columns: [String: String]
    ) {
        let oldColumns = key.columns.compactMap { column in columns.first { $0.value == column }?.key }
        guard let referenced = flows.tables[key.referencedTable], let column = key.columns.first,
            !new.isToSuperclass(key, of: table), oldColumns.count == key.columns.count,
            !insertions.contains(where: { $0.target.table == key.referencedTable }),
            !oldTable.foreignKeys.contains(where: { $0.columns == oldColumns && $0.referencedTable == referenced })
        else { return }
        let places = key.referencedColumns.map {
            flows.kept(ColumnPlace(table: key.referencedTable, column: $0))?.column ?? $0
        }
        let values = oldColumns.map { "s.\(quoted($0))" }
        let isReferred = zip(places, values).map { "t.\(quoted($0)) = \($1)" }.joined(separator: " AND ")
        let shown = values.count == 1 ? "\(values[0])::text" : "concat_ws(', ', \(values.joined(separator: ", ")))"
        let place = ColumnPlace(table: table.name, column: column)
        let property =
            flows.flows.first { $0.place == place }?.property ?? sharing(key, of: table) ?? "\(table.name).\(column)"
        let isKey =
            table.primaryKey?.columns.contains(column) == true && new.entities.contains { $0.table == table.name }
        // A table of pairs has no key of its own: there it is the partner.
        let holder = oldTable.primaryKey?.columns.first { !oldColumns.contains($0) } ?? names.key(ofOld: oldTable.name)
        draft.checks.append(
            DataCheck(
                code: "M402", title: "\(property): rows refer to what does not exist",
                remedy: isKey
                    ? "delete these rows, whose key it is, or store what they refer to"
                    : "clear these references, or store what they refer to",
                query: """
                    SELECT s.\(quoted(holder))::text, \(shown) FROM \(self.table(oldTable.name)) AS s
                    WHERE \(values.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))
                        AND NOT EXISTS (SELECT 1 FROM \(self.table(referenced)) AS t WHERE \(isReferred))
                    """))
    }

    /// The relationship that has these columns, and none of them for itself.
    private func sharing(_ key: ForeignKeyDefinition, of table: TableDefinition) -> String? {
        new.entities.lazy.filter { $0.table == table.name }.compactMap { entity in
            entity.relationships.first { $0.columns == key.columns }.map { "\(entity.name).\($0.name)" }
        }.first
    }

    private mutating func addEarly(_ key: ForeignKeyDefinition, to table: TableDefinition) {
        var current = key
        current.columns = currentColumns(key.columns, of: table)
        current.referencedColumns = key.referencedColumns.map {
            names.column(ColumnPlace(table: key.referencedTable, column: $0))
        }
        current.referencedTable = names.table(key.referencedTable)
        let name = names.table(table.name)
        let isChecked = table.partitioning != nil && flows.tables[table.name] == nil && !isPopulated(table.name)
        draft.add(.addForeignKeys, AddForeignKey(key: current, table: name, isChecked: isChecked))
        if !isChecked { draft.add(.validateForeignKeys, ValidateConstraint(name: key.name, table: name)) }
    }

    /// - Parameter old: with the name that it has by then.
    private mutating func replace(
        _ key: ForeignKeyDefinition, of table: TableDefinition, old: (key: ForeignKeyDefinition, name: String)?
    ) {
        let older = old.map {
            ReplaceForeignKey.Older(name: $0.name, referencedTable: names.lateTable($0.key.referencedTable))
        }
        draft.add(.replaceForeignKeys, ReplaceForeignKey(key: key, older: older, table: table.name))
        draft.add(.validateLateForeignKeys, ValidateConstraint(name: key.name, table: table.name))
    }
}
