import StrataRepository

extension MigrationPlanner {
    mutating func planColumns() throws(MigrationError) {
        for (table, oldTable) in keptTables {
            var added: [AddColumns.Column] = []
            var generated: [ColumnDefinition] = []
            for column in table.columns {
                let place = ColumnPlace(table: table.name, column: column.name)
                if let kept = flows.kept(place), let definition = oldTable.column(named: kept.column) {
                    planKept(column, from: definition, at: place, of: oldTable)
                } else if column.generation != nil {
                    generated.append(column)
                } else {
                    added.append(planAdded(column, at: place, of: oldTable))
                }
            }
            if !added.isEmpty { draft.add(.addColumns, AddColumns(added: added, table: oldTable.name)) }
            planGenerated(generated, of: table, oldTable)
        }
        for flow in flows.flows { try planValues(of: flow) }
    }

    // MARK: Columns that stay

    private mutating func planKept(
        _ column: ColumnDefinition, from old: ColumnDefinition, at place: ColumnPlace, of table: TableDefinition
    ) {
        if column.isNullable, !old.isNullable {
            draft.add(.loosen, LoosenColumn(column: old.name, table: table.name))
        }
        if !column.isNullable, old.isNullable { planRequired(place, table: table.name, column: old.name) }
        if column.storage != old.storage {
            draft.add(
                .loosen,
                SetStorage(column: old.name, table: table.name, storage: column.storage, before: old.storage))
        }
        if column.identity != old.identity {
            draft.add(.tighten, SetIdentity(column: column.name, table: place.table, identity: column.identity))
        }
    }

    // MARK: Columns that come

    private mutating func planAdded(
        _ column: ColumnDefinition, at place: ColumnPlace, of oldTable: TableDefinition
    ) -> AddColumns.Column {
        var added = column
        added.name = names.column(place)
        added.identity = nil
        var filled: [String]?
        if column.name != new.database.table(named: place.table)?.classColumn {
            added.defaultExpression = constantFill(of: column, at: place)
            if added.defaultExpression != nil {
                filled = family(of: place.table)
            } else {
                added.isNullable = true
            }
        }
        if !column.isNullable, added.isNullable {
            planRequired(place, table: oldTable.name, column: added.name)
        }
        return AddColumns.Column(definition: added, filledByDefault: filled)
    }

    // MARK: Required columns

    /// Proves that a column is never empty before it is declared so: SET NOT NULL then needs no scan (PostgreSQL manual,
    /// ALTER TABLE). `table` and `column` are the names before the switch.
    mutating func planRequired(_ place: ColumnPlace, table: String, column: String) {
        let flow = flows.flows.first { $0.place == place }
        let isFilled = flow?.fill != nil || flow?.sources.isEmpty == false && flow?.unfed.isEmpty == true
        let isLate = stage.isCustom || !isFilled || isMovedLate(place)
        let (proof, tableNow, columnNow) =
            isLate ? (StageDraft.Place.lateProve, place.table, place.column) : (.prove, table, column)
        for step in RequiredColumn(column: columnNow, table: tableNow, isLate: isLate).steps { draft.add(proof, step) }
        guard !stage.isCustom, let flow else { return }
        if flow.fill == nil { refuseEmpty(flow) }
        if !isLate, flow.fill == nil, flow.sources.contains(where: { emptiness(flow, $0) != nil }) {
            draft.notes.append("old code must not write an empty \(flow.property): it is required from backfill on")
        }
    }

    /// ` AND` what the old rows `s` of these classes have in common; nothing where they are all rows of the table.
    private func isAny(of rows: [SchemaCorrespondence.RowClass]) -> String {
        let conditions = rows.map { isOfClass($0, alias: "s") }
        guard !conditions.contains(nil) else { return "" }
        return " AND (\(conditions.compactMap(\.self).joined(separator: " OR ")))"
    }

    /// Without a value to fill in, rows without one must not exist.
    mutating func refuseEmpty(_ flow: ColumnFlow) {
        let remedy =
            "give \(flow.property) a default, declare .filled(\\\(flow.property), with:), or fill it in a custom stage"
        let isShared = new.entity(named: flow.subject.entity).map { new.sharesTable($0) } ?? false
        for source in flow.sources {
            guard let emptiness = emptiness(flow, source) else { continue }
            draft.check(
                DataCheck(
                    code: "M201",
                    title: "\(flow.property) is required now, and \(source.property) is empty in some rows",
                    remedy: remedy,
                    query: "SELECT \(oldKey(source.place.table))::text, 'empty' "
                        + (isShared
                            ? "FROM \(self.table(source.place.table)) AS s WHERE \(emptiness)\(isAny(of: source.rows))"
                            : "FROM \(self.table(source.place.table)) WHERE \(emptiness)")))
        }
        // Links that come from elsewhere are a value, too.
        func unlinked(_ rows: SchemaCorrespondence.RowClass) -> [String] {
            flows.links.filter { $0.to.isAt(flow.place) }.map { link in
                let key = link.to.rows == .own ? link.from.own : link.from.other
                let value = link.to.rows == .own ? link.from.other : link.from.own
                return """
                    NOT EXISTS (SELECT 1 FROM \(self.table(link.from.table)) AS l
                        WHERE l.\(quoted(key)) = s.\(oldKey(rows.old.table)) AND l.\(quoted(value)) IS NOT NULL)
                    """
            }
        }
        for rows in flow.unfed {
            let conditions = (isOfClass(rows, alias: "s").map { [$0] } ?? []) + unlinked(rows)
            let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
            draft.check(
                DataCheck(
                    code: "M202", title: "\(flow.property) is required and new, and \(rows.old.name) has rows",
                    remedy: remedy,
                    query: "SELECT s.\(oldKey(rows.old.table))::text, 'no value' "
                        + "FROM \(self.table(rows.old.table)) AS s\(condition)"))
        }
    }

    /// True for rows whose value is or becomes NULL; `nil` where none does.
    func emptiness(_ flow: ColumnFlow, _ source: ColumnFlow.Source) -> String? {
        if let conversion = flow.conversion { return "(\(conversion)) IS NULL" }
        let isShortened = source.type.isList && !flow.definition.type.isList
        return source.isOptional || isShortened ? conversion(flow, source)?.emptiness : nil
    }

    func isMovedLate(_ place: ColumnPlace) -> Bool {
        flows.links.contains { $0.to.isAt(place) }
            || insertions.contains { $0.isLate && $0.target.table == place.table }
    }
}
