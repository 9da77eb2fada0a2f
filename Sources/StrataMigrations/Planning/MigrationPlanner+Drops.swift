import StrataRepository

extension MigrationPlanner {
    /// Rows of a class that is dropped must not take others with them, nor be held by them.
    private mutating func refuseHeldRows() {
        for entity in match.droppedEntities {
            let chain = Set(old.chain(of: entity).map(\.table))
            for (holder, _) in keptTables where new.entities.contains(where: { $0.table == holder.name }) {
                for key in holder.foreignKeys
                where key.onDelete != .setNull && !new.isToSuperclass(key, of: holder)
                    && flows.tables[key.referencedTable].map(chain.contains) == true
                {
                    refuseHeldRows(of: entity, by: key, in: holder)
                }
            }
        }
    }

    private mutating func refuseHeldRows(
        of entity: FrozenEntity, by key: ForeignKeyDefinition, in holder: TableDefinition
    ) {
        // A column that is new, or filled when these rows are gone, does not lead to them.
        let places = key.columns.compactMap { flows.kept(ColumnPlace(table: holder.name, column: $0)) }
        guard let column = key.columns.first, let kept = places.first, places.count == key.columns.count,
            places.allSatisfy({ $0.table == flows.tables[holder.name] })
        else { return }
        let referenced = key.referencedColumns.map {
            flows.kept(ColumnPlace(table: key.referencedTable, column: $0))?.column ?? $0
        }
        let isReferred = zip(referenced, places).map { "s.\(quoted($0)) = l.\(quoted($1.column))" }
        let condition = isOfClass(.init(old: entity, new: entity), alias: "s").map { " AND \($0)" } ?? ""
        let owner = new.entities.first { $0.table == holder.name }
        let property =
            owner?.columns.first { $0.column == column }.map { "\(owner?.name ?? "").\($0.property)" }
            ?? "\(holder.name).\(column)"
        let effect = key.onDelete == .cascade ? "they would go as well" : "they hold it"
        draft.checks.append(
            DataCheck(
                code: "M303", title: "\(entity.name) is dropped, and \(property) leads to its rows: \(effect)",
                remedy: "let these rows lead elsewhere, or delete them first",
                query: """
                    SELECT l.\(oldKey(kept.table))::text, l.\(quoted(kept.column))::text FROM \(table(kept.table)) AS l
                    WHERE EXISTS (
                        SELECT 1 FROM \(table(entity.table)) AS s WHERE \(isReferred.joined(separator: " AND "))\(condition))
                    """))
    }

    /// What is left over: columns and tables, each accounted for and its successor verified by then.
    mutating func planDrops() {
        refuseHeldRows()
        var leaving: [ColumnPlace] = []
        for (table, oldTable) in keptTables {
            var dropped: [(column: String, whereabouts: String)] = []
            // What is computed goes before what it is computed from.
            let columns =
                oldTable.columns.filter { $0.generation != nil } + oldTable.columns.filter { $0.generation == nil }
            for column in columns {
                let place = ColumnPlace(table: oldTable.name, column: column.name)
                let isKept = table.columns.contains {
                    flows.kept(ColumnPlace(table: table.name, column: $0.name)) == place
                }
                if isKept { continue }
                leaving.append(place)
                loosen(column, of: oldTable)
                dropped.append((names.lateColumn(place), whereabouts(of: place)))
            }
            if !dropped.isEmpty { draft.add(.dropColumns, DropColumns(dropped: dropped, table: table.name)) }
        }
        let gone = old.database.tables.filter { !flows.tables.values.contains($0.name) }
        // A column that is only added has no question of its own; going back, the step that drops it names what uses it.
        if !isWayBack { refuseDependents(on: leaving, and: gone.map(\.name)) }
        guard !gone.isEmpty else { return }
        draft.add(
            .dropTables,
            DropTables(
                dropped: gone.map { (names.lateTable($0.name), whereabouts(of: $0)) },
                referenced: gone.flatMap { $0.foreignKeys.map { names.lateTable($0.referencedTable) } }))
    }

    /// What of somebody else's would keep a column or table from being dropped, when everything else is done: views, functions, policies,
    /// triggers of a column, generated columns, publications, foreign keys. What changes its type is a new column, and the older one is dropped.
    private mutating func refuseDependents(on columns: [ColumnPlace], and tables: [String]) {
        let parts =
            columns.map { (SQLFragment.literal(table($0.table)), SQLFragment.literal($0.column)) }
            + tables.map { (SQLFragment.literal(table($0)), "NULL") }
        guard !parts.isEmpty else { return }
        let list = parts.map { "(\($0)::text, \($1)::text)" }.joined(separator: ", ")
        // Views and foreign keys of the version's own come down by then.
        let own = relationLookups(of: views.dropped)
        let referring = relationLookups(of: referringTables(columns, tables))
        let others =
            own.isEmpty
            ? ""
            : "\n    AND NOT EXISTS (SELECT FROM pg_catalog.pg_rewrite AS w WHERE d.classid = 'pg_rewrite'::regclass"
                + " AND w.oid = d.objid AND w.ev_class IN (\(own)))"
        // A referring table that somebody has dropped is NULL: NOT IN would be true of no foreign key any more.
        let isForeign =
            "k.contype = 'f'"
            + (referring.isEmpty ? "" : " AND (k.conrelid = ANY (ARRAY[\(referring)]::oid[])) IS NOT TRUE")
        // The policies of tables that go, go with them.
        let policies =
            tables.isEmpty
            ? ""
            : "\n    OR g.name IS NULL AND EXISTS (SELECT FROM pg_catalog.pg_policy AS p WHERE d.classid = "
                + "'pg_policy'::regclass AND p.oid = d.objid AND "
                + "(p.polrelid = ANY (ARRAY[\(relationLookups(of: tables))]::oid[])) IS NOT TRUE)"
        let losing = tablesLosingPolicies
        let ownPolicies =
            losing.isEmpty
            ? ""
            : "\n    AND NOT EXISTS (SELECT FROM pg_catalog.pg_policy AS p WHERE d.classid = 'pg_policy'::regclass AND p.oid = d.objid AND "
                + "p.polname = \(SQLFragment.literal(RowPolicyDefinition.name)) AND p.polrelid = ANY (ARRAY[\(relationLookups(of: losing))]::oid[]))"
        draft.check(
            DataCheck(
                code: "M502",
                title: "what this stage changes the type of, or drops, is used by objects of others",
                remedy:
                    "drop them before, and make them again after the stage; or do it in the stage, with "
                    + ".sql(\"DROP VIEW …\", phase: .contract), and --allow M502",
                query: """
                    SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
                    FROM (VALUES \(list)) AS g (relation, name)
                    JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
                    LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
                    LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
                    LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
                    WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
                        OR \(isForeign)\(policies)
                        OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
                            'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)))\(others)\(ownPolicies)\(isNoGenerated(of: columns))
                    """))
    }

    /// SQL that looks up what the catalogs know relations by; of a relation that is not there it is NULL.
    private func relationLookups(of names: [String]) -> String {
        names.map { "to_regclass(\(SQLFragment.literal(table($0))))" }.joined(separator: ", ")
    }

    /// The tables of the version's own with foreign keys that lead there.
    private func referringTables(_ columns: [ColumnPlace], _ tables: [String]) -> [String] {
        old.database.tables.filter { table in
            table.foreignKeys.contains { key in
                tables.contains(key.referencedTable)
                    || columns.contains { $0.table == key.referencedTable && key.referencedColumns.contains($0.column) }
            }
        }.map(\.name)
    }

    // MARK: Notes

    /// What the plan has named; on the way back, what the older version does not have.
    private var acknowledgement: String {
        isWayBack ? "version \(new.version) does not have it" : "acknowledged"
    }

    /// Where the values of a column are that goes.
    private func whereabouts(of place: ColumnPlace) -> String {
        let fed = flows.flows.filter { $0.sources.contains { $0.place == place } }.map(\.place)
        let links = flows.links.filter { $0.from.isAt(place) }.map(\.to)
        if !fed.isEmpty {
            return "its values are in " + fed.map { "\($0.table).\($0.column)" }.joined(separator: ", ")
        }
        if !links.isEmpty { return "its links are in " + links.map(\.table).joined(separator: ", ") }
        if let relationship = orderedRelationship(at: place) {
            return "the order of \(relationship) is not stored any more"
        }
        return isBookkeeping(place) ? "nothing needs it any more" : acknowledgement
    }

    /// Keys, classes and the columns of join tables: no property of anybody's.
    private func isBookkeeping(_ place: ColumnPlace) -> Bool {
        !old.entities.contains { $0.table == place.table && $0.columns.contains { $0.column == place.column } }
            && !old.entities.contains { entity in
                entity.relationships.contains {
                    Links($0, of: entity, in: old).isAt(place)
                }
            }
    }

    private func whereabouts(of table: TableDefinition) -> String {
        if let entity = old.entities.first(where: { $0.table == table.name }) {
            let rows = match.rowClasses.filter { rows in old.chain(of: rows.old).contains { $0.name == entity.name } }
            let targets = rows.map(\.new.name).eachOnce
            return targets.isEmpty
                ? acknowledgement : "its objects go on as \(targets.joined(separator: ", "))"
        }
        let links = flows.links.filter { $0.from.isJoinTable && $0.from.table == table.name }.map(\.to)
        return links.isEmpty
            ? acknowledgement : "its links are in " + links.map(\.table).eachOnce.joined(separator: ", ")
    }

    /// New code does not know the column: its inserts must not fail because of it, and where something follows the column, they bring no value of
    /// it, for which its default would be taken.
    private mutating func loosen(_ column: ColumnDefinition, of table: TableDefinition) {
        guard column.identity == nil, column.name != table.classColumn || column.defaultExpression == nil else {
            return
        }
        let place = ColumnPlace(table: table.name, column: column.name)
        let isFollowed =
            flows.flows.contains { $0.sources.contains { $0.place == place } }
            || flows.links.contains { $0.from.isAt(place) }
        if let expression = column.defaultExpression {
            // Otherwise it is what new code's rows have.
            guard isFollowed else { return }
            // Behind the triggers: until they are there, the default is what rows have that come without a value.
            let change = OmitColumn.Change.dropDefault(expression)
            draft.add(.dropDefaults, OmitColumn(column: column.name, table: table.name, change: change))
            let isBrought = flows.flows.contains { flow in
                flow.sources.contains { $0.place == place && broughtDefault(flow, $0) != nil }
            }
            if !isBrought {
                draft.notes.append(
                    "programs that leave \(table.name).\(column.name) to its default must bring a value: it has none while the stage is under way"
                )
            }
        }
        // Where classes share the table, a check requires the value.
        let required = column.isNullable ? table.requiredCheck(of: column.name) : nil
        guard !column.isNullable || required != nil else { return }
        // A value that old code can read, where nothing follows the column any more.
        let zero = isFollowed ? nil : Self.zero(of: column.type)
        if let required, zero == nil || !table.takesAnyDefault(column.name) {
            // A check of the new version has its name: the property stays, and what new code writes is written in the old column too.
            if new.database.tables.contains(where: { $0.checks.contains { $0.name == required.name } }) { return }
            return draft.add(.loosen, OmitCheck(check: required, column: column.name, table: table.name))
        }
        let change = zero.map { OmitColumn.Change.setDefault($0) } ?? .dropNotNull
        draft.add(.loosen, OmitColumn(column: column.name, table: table.name, change: change))
    }

    private static func zero(of type: ColumnType) -> String? {
        guard !type.isList, type.parameters.isEmpty else { return nil }
        return switch type.base {
        case .text, .bytea: "''"
        case .smallint, .integer, .bigint, .real, .double, .numeric: "0"
        case .boolean: "false"
        case .timestamptz, .date: "'epoch'"
        case .time: "'00:00'"
        case .interval: "'0'"
        case .uuid: "'00000000-0000-0000-0000-000000000000'"
        case .jsonb, .other: nil
        }
    }
}

extension TableDefinition {
    /// The check that requires a property of a class in a table that classes share.
    fileprivate func requiredCheck(of column: String) -> CheckDefinition? {
        checks.first { $0.name == Naming.joined(name, column, "required") }
    }

    /// Whether all rows may have one value in a column. A default of it stands in rows of other classes of the table too.
    fileprivate func takesAnyDefault(_ column: String) -> Bool {
        !uniques.contains { $0.columns.contains(column) } && !foreignKeys.contains { $0.columns.contains(column) }
            && !indexes.contains { $0.isUnique && $0.columns.contains(column) }
    }
}
