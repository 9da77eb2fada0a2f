import StrataRepository

extension MigrationPlanner {
    /// Everything that gets its final name, in one transaction; it can be taken back as a whole.
    mutating func planSwitch() {
        var renames: [Rename] = []
        for (table, oldTable) in keptTables { renames += columnRenames(table, oldTable) }
        renames += relationRenames()
        renames += tableRenames()
        guard !renames.isEmpty else { return }
        let marks = keptMarks()
        for mark in marks { refuseOtherComment(of: mark.old) }
        draft.add(
            .switchNames,
            SwitchNames(
                renames: renames, marks: marks, version: new.version,
                tables: Set(keptTables.map(\.old.name)).sorted()))
        if !renames.allSatisfy(\.kind.isHidden) {
            draft.notes.append(
                "old code must be stopped before contract, new code starts after it: names change in the switch")
        }
    }

    /// Names that others still have are reached by way of a third.
    private func untangled(_ renames: [Rename]) -> [Rename] {
        let taken = Set(renames.map(\.from))
        let tangled = renames.filter { taken.contains($0.to) }
        let away = tangled.map { Rename(kind: $0.kind, from: $0.from, to: InterimName.new($0.to)) }
        // What was built beside something old has such a name already. A name that others get is free when these have theirs.
        return away.filter { $0.from != $0.to } + renames.filter { !taken.contains($0.to) }
            + tangled.map { Rename(kind: $0.kind, from: InterimName.new($0.to), to: $0.to) }
    }

    // MARK: Columns

    /// Generated columns that go on, where what they are computed of has other names.
    private func keptMarks() -> [(old: SwitchNames.MarkedColumn, new: SwitchNames.MarkedColumn)] {
        keptTables.flatMap { table, oldTable in
            table.columns.compactMap { column in
                guard let mark = column.mark,
                    let kept = flows.kept(ColumnPlace(table: table.name, column: column.name)),
                    let oldMark = oldTable.column(named: kept.column)?.mark, oldMark != mark
                else { return nil }
                return (
                    .init(table: oldTable.name, column: kept.column, mark: oldMark),
                    .init(table: table.name, column: column.name, mark: mark)
                )
            }
        }
    }

    /// The switch writes the mark over the comment of the column, which may be somebody's.
    private mutating func refuseOtherComment(of column: SwitchNames.MarkedColumn) {
        draft.check(
            DataCheck(
                code: "M210",
                title:
                    "the comment of \(column.table).\(column.column) is somebody's, and the switch writes there what the column is computed by",
                remedy: "write it elsewhere, on the table for example, and take it away: COMMENT ON COLUMN … IS NULL",
                query: """
                    SELECT a.attname::text, d.description FROM pg_catalog.pg_attribute AS a
                    JOIN pg_catalog.pg_description AS d ON (d.classoid, d.objoid, d.objsubid) = ('pg_catalog.pg_class'::pg_catalog.regclass, a.attrelid, a.attnum)
                    WHERE a.attrelid = to_regclass(\(SQLFragment.literal(self.table(column.table)))) AND a.attname = \(SQLFragment.literal(column.column))
                        AND \(DefinitionMark.isNone("d.description"))
                    """))
    }

    private func columnRenames(_ table: TableDefinition, _ oldTable: TableDefinition) -> [Rename] {
        let kind = Rename.Kind.column(table: oldTable.name)
        var retired: [Rename] = []
        var moving: [Rename] = []
        var final: [Rename] = []
        var moved: [Rename] = []
        let kept = table.columns.compactMap { column -> (old: String, new: String)? in
            flows.kept(ColumnPlace(table: table.name, column: column.name)).map { ($0.column, column.name) }
        }
        for column in oldTable.columns where !kept.contains(where: { $0.old == column.name }) {
            if table.column(named: column.name) != nil {
                retired.append(
                    Rename(kind: kind, from: column.name, to: InterimName.old(column.name)))
            }
        }
        for (old, new) in kept where old != new {
            // A column that gets a name which another has until now passes through a third name, and waits for the other.
            if kept.contains(where: { $0.old == new && $0.new != new }) {
                moving.append(Rename(kind: kind, from: old, to: InterimName.new(new)))
                moved.append(Rename(kind: kind, from: InterimName.new(new), to: new))
            } else {
                final.append(Rename(kind: kind, from: old, to: new))
            }
        }
        for column in table.columns {
            let place = ColumnPlace(table: table.name, column: column.name)
            let current = names.column(place)
            if flows.kept(place) == nil, current != column.name {
                final.append(Rename(kind: kind, from: current, to: column.name))
            }
        }
        return retired + moving + final + moved
    }

    // MARK: Tables

    private func tableRenames() -> [Rename] {
        var retired: [Rename] = []
        var final: [Rename] = []
        for table in old.database.tables where !flows.tables.values.contains(table.name) {
            let late = names.lateTable(table.name)
            if late != table.name { retired.append(Rename(kind: .table, from: table.name, to: late)) }
        }
        for (table, oldTable) in keptTables {
            if table.name != oldTable.name {
                final.append(Rename(kind: .table, from: oldTable.name, to: table.name))
            }
            // The server has called it so when it made the table.
            if let key = table.keyColumn, let oldKey = oldTable.keyColumn, oldTable.hasIdentity {
                let (from, to) = (
                    Naming.joined(oldTable.name, oldKey, "seq"), Naming.joined(table.name, key, "seq")
                )
                if from != to { final.append(Rename(kind: .sequence, from: from, to: to)) }
            }
        }
        for table in createdTables where names.table(table.name) != table.name {
            final.append(Rename(kind: .table, from: names.table(table.name), to: table.name))
        }
        return retired + untangled(final)
    }

    // MARK: Indexes and constraints

    private func relationRenames() -> [Rename] {
        var retired: [Rename] = []
        var final: [Rename] = []
        func index(_ from: String, _ to: String) -> Rename { Rename(kind: .index, from: from, to: to) }
        func constraint(_ from: String, _ to: String, on tableName: String) -> Rename {
            Rename(kind: .constraint(table: tableName), from: from, to: to)
        }
        let wanted = Set(new.database.tables.flatMap(\.indexNames))
        for (table, oldTable) in keptTables {
            let columns = newColumns(of: table, oldTable)
            if let key = table.primaryKey, let oldKey = oldTable.primaryKey, key.name != oldKey.name,
                isSamePrimaryKey(table, oldTable)
            {
                final.append(constraint(oldKey.name, key.name, on: oldTable.name))
            }
            for old in oldTable.uniques {
                let renamed = old.renaming { columns[$0] }
                let kept = table.uniques.first { renamed?.isSame(as: $0) == true }
                if let kept {
                    if kept.name != old.name { final.append(constraint(old.name, kept.name, on: oldTable.name)) }
                } else if wanted.contains(old.name) {
                    retired.append(constraint(old.name, InterimName.old(old.name), on: oldTable.name))
                }
            }
            for old in oldTable.indexes {
                let renamed = old.renaming { columns[$0] }
                let kept = table.indexes.first { renamed?.isSame(as: $0) == true }
                if let kept {
                    if kept.name != old.name { final.append(index(old.name, kept.name)) }
                } else if wanted.contains(old.name) {
                    retired.append(index(old.name, InterimName.old(old.name)))
                }
            }
            let keys = ForeignKeyContinuations(
                from: oldTable.foreignKeys, to: table.foreignKeys, columns, tables: flows.tables)
            let ofTable = [keys.renames(in: oldTable.name), checkRenames(table, oldTable, columns)]
            retired += ofTable.flatMap(\.retired)
            final += ofTable.flatMap(\.final)
        }
        return retired + untangled(final) + builtRenames(index: index, constraint: constraint)
    }

    /// What was built under a name for the time until now.
    private func builtRenames(
        index: (String, String) -> Rename, constraint: (String, String, String) -> Rename
    ) -> [Rename] {
        var result: [Rename] = []
        for table in createdTables {
            if let key = table.primaryKey, names.relation(key.name) != key.name {
                result.append(constraint(names.relation(key.name), key.name, names.table(table.name)))
            }
        }
        let built = Set((draft.entries[.buildIndexes] ?? []).compactMap(\.operation.index))
        let isMade = { (table: TableDefinition) in createdTables.contains { $0.name == table.name } }
        // Those of a table that is filled later are built, the others come with it.
        let places = [
            { (name: String, _: TableDefinition) in built.contains(name) },
            { (_: String, table: TableDefinition) in isMade(table) && !isPopulated(table.name) },
        ]
        for isBuilt in places {
            for table in new.database.tables {
                for unique in table.uniques {
                    let current = names.relation(unique.name)
                    guard current != unique.name, isBuilt(current, table) else { continue }
                    result.append(constraint(current, unique.name, names.table(table.name)))
                }
                for definition in table.indexes {
                    let current = names.relation(definition.name)
                    guard current != definition.name, isBuilt(current, table) else { continue }
                    result.append(index(current, definition.name))
                }
            }
        }
        return result
    }
}
