import StrataRepository

extension MigrationPlanner {
    /// A name that changes at the switch.
    private struct Rename {
        var sql: (_ from: String, _ to: String) -> String
        var from: String
        var to: String
    }

    /// Everything that gets its final name, in one transaction; it can be taken back as a whole.
    mutating func planSwitch() {
        var renames: [Rename] = []
        for (table, oldTable) in keptTables { renames += columnRenames(table, oldTable) }
        renames += relationRenames()
        renames += tableRenames()
        let statements = renames.map { $0.sql($0.from, $0.to) }
        guard !statements.isEmpty else { return }
        draft.add(
            .switchNames, "switch to the names of version \(new.version)", statements, lock: .accessExclusive,
            on: Set(keptTables.map(\.old.name)).sorted(), undo: renames.reversed().map { $0.sql($0.to, $0.from) })
        if !isNamesOnly(renames) {
            draft.notes.append(
                "old code must be stopped before contract, new code starts after it: names change in the switch")
        }
    }

    private func isNamesOnly(_ renames: [Rename]) -> Bool {
        renames.allSatisfy { $0.sql("", "").hasPrefix("ALTER INDEX") }
    }

    /// Names that others still have are reached by way of a third.
    private func untangled(_ renames: [Rename]) -> [Rename] {
        let taken = Set(renames.map(\.from))
        let tangled = renames.filter { taken.contains($0.to) }
        return tangled.map { Rename(sql: $0.sql, from: $0.from, to: PhysicalNames.temporary($0.to)) }
            + renames.map { rename in
                taken.contains(rename.to)
                    ? Rename(sql: rename.sql, from: PhysicalNames.temporary(rename.to), to: rename.to) : rename
            }
    }

    // MARK: Columns

    private func columnRenames(_ table: TableDefinition, _ oldTable: TableDefinition) -> [Rename] {
        let target = self.table(oldTable.name)
        let sql = { (from: String, to: String) in
            "ALTER TABLE \(target) RENAME COLUMN \(SQLFragment.quoted(from)) TO \(SQLFragment.quoted(to))"
        }
        var retired: [Rename] = []
        var moving: [Rename] = []
        var final: [Rename] = []
        let kept = table.columns.compactMap { column -> (old: String, new: String)? in
            flows.kept(ColumnPlace(table: table.name, column: column.name)).map { ($0.column, column.name) }
        }
        for column in oldTable.columns where !kept.contains(where: { $0.old == column.name }) {
            if table.column(named: column.name) != nil {
                retired.append(Rename(sql: sql, from: column.name, to: PhysicalNames.retired(column.name)))
            }
        }
        for (old, new) in kept where old != new {
            // Two columns that swap names pass through a third.
            if kept.contains(where: { $0.old == new && $0.new != new }) {
                moving.append(Rename(sql: sql, from: old, to: PhysicalNames.temporary(new)))
                final.append(Rename(sql: sql, from: PhysicalNames.temporary(new), to: new))
            } else {
                final.append(Rename(sql: sql, from: old, to: new))
            }
        }
        for column in table.columns {
            let place = ColumnPlace(table: table.name, column: column.name)
            let current = names.column(place)
            if flows.kept(place) == nil, current != column.name {
                final.append(Rename(sql: sql, from: current, to: column.name))
            }
        }
        return retired + moving + final
    }

    // MARK: Tables

    private func tableRenames() -> [Rename] {
        var retired: [Rename] = []
        var final: [Rename] = []
        func sql(_ schema: String) -> (String, String) -> String {
            { from, to in
                "ALTER TABLE \(SQLFragment.quoted(schema)).\(SQLFragment.quoted(from)) RENAME TO \(SQLFragment.quoted(to))"
            }
        }
        for table in old.database.tables where !flows.tables.values.contains(table.name) {
            let late = names.lateTable(table.name)
            if late != table.name { retired.append(Rename(sql: sql(schemaName), from: table.name, to: late)) }
        }
        for (table, oldTable) in keptTables where table.name != oldTable.name {
            final.append(Rename(sql: sql(schemaName), from: oldTable.name, to: table.name))
            if oldTable.column(named: ReservedColumn.key)?.identity != nil {
                let schema = schemaName
                final.append(
                    Rename(
                        sql: {
                            "ALTER SEQUENCE \(SQLFragment.quoted(schema)).\(SQLFragment.quoted($0)) RENAME TO \(SQLFragment.quoted($1))"
                        }, from: Naming.joined(oldTable.name, "pk_seq"), to: Naming.joined(table.name, "pk_seq")))
            }
        }
        for table in createdTables where names.table(table.name) != table.name {
            final.append(Rename(sql: sql(schemaName), from: names.table(table.name), to: table.name))
        }
        return retired + untangled(final)
    }

    // MARK: Indexes and constraints

    private func relationRenames() -> [Rename] {
        var retired: [Rename] = []
        var final: [Rename] = []
        func index(_ from: String, _ to: String) -> Rename {
            let schema = schemaName
            return Rename(
                sql: {
                    "ALTER INDEX \(SQLFragment.quoted(schema)).\(SQLFragment.quoted($0)) RENAME TO \(SQLFragment.quoted($1))"
                }, from: from, to: to)
        }
        func constraint(_ from: String, _ to: String, on tableName: String) -> Rename {
            let target = table(tableName)
            return Rename(
                sql: {
                    "ALTER TABLE \(target) RENAME CONSTRAINT \(SQLFragment.quoted($0)) TO \(SQLFragment.quoted($1))"
                }, from: from, to: to)
        }
        var wanted: Set<String> = []
        for table in new.database.tables {
            wanted.formUnion(table.uniques.map(\.name) + table.indexes.map(\.name))
        }
        for (table, oldTable) in keptTables {
            var columns: [String: String] = [:]
            for column in table.columns {
                if let kept = flows.kept(ColumnPlace(table: table.name, column: column.name)) {
                    columns[kept.column] = column.name
                }
            }
            if let key = table.primaryKey, let oldKey = oldTable.primaryKey, key.name != oldKey.name,
                isSamePrimaryKey(table, oldTable)
            {
                final.append(constraint(oldKey.name, key.name, on: oldTable.name))
            }
            for old in oldTable.uniques {
                let kept = table.uniques.first {
                    old.columns.map { columns[$0] } == $0.columns && $0.isDeferrable == old.isDeferrable
                }
                if let kept {
                    if kept.name != old.name { final.append(constraint(old.name, kept.name, on: oldTable.name)) }
                } else if wanted.contains(old.name) {
                    retired.append(constraint(old.name, PhysicalNames.retired(old.name), on: oldTable.name))
                }
            }
            for old in oldTable.indexes {
                let kept = table.indexes.first {
                    old.columns.map { columns[$0] } == $0.columns && $0.method == old.method
                        && $0.predicate == old.predicate
                }
                if let kept {
                    if kept.name != old.name { final.append(index(old.name, kept.name)) }
                } else if wanted.contains(old.name) {
                    retired.append(index(old.name, PhysicalNames.retired(old.name)))
                }
            }
            for old in oldTable.foreignKeys {
                let kept = table.foreignKeys.first {
                    old.columns.map { columns[$0] } == $0.columns
                        && flows.tables[$0.referencedTable] == old.referencedTable
                        && $0.onDelete == old.onDelete
                }
                if let kept, kept.name != old.name { final.append(constraint(old.name, kept.name, on: oldTable.name)) }
            }
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
        for place in [StageDraft.Place.buildIndexes, .createTables] {
            for table in new.database.tables {
                for unique in table.uniques where isBuilt(unique.name, at: place) {
                    result.append(constraint(names.relation(unique.name), unique.name, names.table(table.name)))
                }
                for definition in table.indexes where isBuilt(definition.name, at: place) {
                    result.append(index(names.relation(definition.name), definition.name))
                }
            }
        }
        return result
    }

    private func isBuilt(_ name: String, at place: StageDraft.Place) -> Bool {
        let current = names.relation(name)
        guard current != name else { return false }
        return (draft.steps[place] ?? []).contains { step in
            step.statements.contains {
                $0.contains("INDEX " + quoted(current)) || $0.contains("CONCURRENTLY " + quoted(current))
                    || $0.contains("CONSTRAINT " + quoted(current))
            }
        }
    }
}
