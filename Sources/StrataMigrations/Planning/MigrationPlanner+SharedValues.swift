import StrataRepository

extension MigrationPlanner {
    /// Counts values that must be unique where rows of several old tables come together, or values come from elsewhere.
    mutating func refuseDuplicatesAmongRows(of unique: UniqueRule, in table: TableDefinition) {
        guard let entity = new.entities.first(where: { $0.table == table.name }) else { return }
        let kinds = match.rowClasses.filter { new.chain(of: $0.new).contains(entity) }
        // A row that is split off is counted as what it was.
        let whole = kinds.filter { rows in
            rows.condition == nil || !kinds.contains { $0.condition == nil && $0.old == rows.old }
        }
        var selects: [String] = []
        for rows in whole {
            var values: [String] = []
            for column in unique.columns {
                guard let value = newValue(of: ColumnPlace(table: table.name, column: column), for: rows) else {
                    return
                }
                values.append(value)
            }
            values = unique.compared(values).enumerated().map { "\($1) AS v\($0)" }
            let place = { ColumnPlace(table: table.name, column: $0) }
            guard let scope = unique.condition({ newValue(of: place($0), for: rows) }) else { return }
            let conditions = [isOfClass(rows, alias: "s"), scope.isEmpty ? nil : scope].compactMap(\.self)
            let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
            selects.append(
                "SELECT \(sql.selectedKey(names.key(ofOld: rows.old.table), of: "s")), \(values.joined(separator: ", ")) FROM \(self.table(rows.old.table)) AS s\(condition)"
            )
        }
        guard !selects.isEmpty else { return }
        let values = unique.columns.indices.map { "v\($0)" }
        let check = DataCheck(
            code: "M203",
            title:
                "\(entity.name): \(unique.columns.joined(separator: ", ")) must be unique\(unique.scope), and rows share values",
            remedy: "remove the duplicates first, in the stage's willMigrate or by hand",
            query: """
                SELECT string_agg("pk"::text, ', ' ORDER BY "pk"), concat_ws(', ', \(values.map { "\($0)::text" }.joined(separator: ", ")))
                FROM (\(selects.joined(separator: " UNION ALL "))) AS r
                \(unique.comparable(values))GROUP BY \(values.joined(separator: ", ")) HAVING count(*) > 1
                """)
        if !draft.checks.contains(check) { draft.checks.append(check) }
    }

    /// What a new column will hold for rows of an old class, over that class's table `s`; `nil` where only the rows can tell.
    private func newValue(of place: ColumnPlace, for rows: SchemaCorrespondence.RowClass) -> String? {
        guard let flow = flows.flows.first(where: { $0.place == place }) else { return nil }
        if let source = flow.sources.first(where: { $0.rows.contains(rows) }), let text = try? expression(flow, source)
        {
            if source.place.table == rows.old.table { return "(\(text))" }
            let isSame = isSameKey(source.place.table, "x", rows.old.table, "s")
            return "(SELECT \(text) FROM \(table(source.place.table)) AS x WHERE \(isSame))"
        }
        if flows.links.contains(where: { $0.to.isAt(place) }) { return nil }
        if !flow.isOptional, let fill = flow.fill { return "(\(fill))" }
        return "NULL::\(flow.definition.type)"
    }
}
