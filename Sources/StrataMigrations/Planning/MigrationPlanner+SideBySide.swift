import StrataRepository

extension MigrationPlanner {
    /// Throws when a property that is declared side by side cannot be.
    func requireSideBySide(_ flow: ColumnFlow) throws(MigrationError) {
        guard let (reason, remedy) = obstacleToSideBySide(flow) else { return }
        throw MigrationError(
            .usage, "\(flow.property) cannot stand beside its older column: \(reason).", places: [flow.property],
            remedy: remedy)
    }

    /// Old and new code can each write one of two columns only if every value of the new one has one in the old.
    func obstacleToSideBySide(_ flow: ColumnFlow) -> (reason: String, remedy: String)? {
        let remove = "remove .sideBySide(\\\(flow.property)) from the stage's changes"
        if flow.sources.isEmpty { return ("it continues no older property", remove) }
        if flows.tables[flow.place.table] != flow.place.table {
            return ("its class has another table from now on", "rename the class in a stage of its own")
        }
        if flow.conversion != nil {
            return ("its declared conversion has no way back", "convert it in a stage of its own")
        }
        return flow.sources.lazy.compactMap { obstacleToSideBySide(flow, $0, remove: remove) }.first
    }

    private func obstacleToSideBySide(
        _ flow: ColumnFlow, _ source: ColumnFlow.Source, remove: String
    ) -> (reason: String, remedy: String)? {
        if source.place.table != flow.place.table { return ("\(source.property) moves to another class", remove) }
        if source.place.column == flow.place.column { return ("it keeps its name", remove) }
        if names.column(flow.place) != flow.place.column {
            return ("version \(old.version) has another column \(flow.place.column)", "choose a name that is new")
        }
        if flow.isOptional, !source.isOptional {
            return ("old code reads no empty values, and it is optional now", "make it optional in a stage of its own")
        }
        guard let back = wayBack(flow, source), back.obstacle == nil else {
            return ("not every \(flow.definition.type) has a \(source.type)", "change the type in a stage of its own")
        }
        return nil
    }

    /// The old value of a new one.
    private func wayBack(_ flow: ColumnFlow, _ source: ColumnFlow.Source) -> TypeConversion? {
        guard source.isTransformed == flow.isTransformed else { return nil }
        return TypeConversion(
            from: flow.definition.type, to: source.type, column: quoted(flow.place.column),
            isSameValue: source.valueType == flow.valueType && !flow.isTransformed)
    }

    /// A renamed property in two columns: each code writes its own, and a trigger the other.
    mutating func planSideBySide(
        _ flow: ColumnFlow, _ source: ColumnFlow.Source, table: String, column: String
    ) throws(MigrationError) {
        refuseUnconvertible(flow, source)
        guard let back = wayBack(flow, source)?.expression else { return }
        let (name, older) = (quoted(column), quoted(source.place.column))
        let obstacle = conversion(flow, source)?.obstacle
        var value = try expression(flow, source)
        // As in a conversion: old code writes on.
        if let obstacle { value = "CASE WHEN \(obstacle) THEN NULL ELSE \(value) END" }
        let isUnconvertible = obstacle.map { "\(older) IS NOT NULL AND (\($0)) OR " } ?? ""
        draft.add(
            .fillColumns,
            CopyColumn(
                column: column, older: source.place.column, table: table, key: names.key(ofNew: flow.place.table),
                value: value))
        let row = obstacle == nil ? "(SELECT NEW.*)" : Self.unfoldedRow
        let carried =
            value == older
            ? "NEW.\(older) := NEW.\(name);"
            : """
            SELECT CASE WHEN \(name) IS DISTINCT FROM \(value) THEN \(back) ELSE \(older) END
                INTO NEW.\(older) FROM \(row) AS s;
            """
        let followed =
            value == older
            ? "NEW.\(name) := NEW.\(older);" : "SELECT \(value) INTO NEW.\(name) FROM \(row) AS s;"
        if let line = broughtDefault(flow, source) { syncs[table, default: TableSync()].before.append(line) }
        // Where both are given, the new one counts. A row that is copied in a batch keeps its older value as it is.
        syncs[table, default: TableSync()].before.append(
            """
            IF TG_OP = 'INSERT' AND NEW.\(name) IS NOT NULL
                OR TG_OP = 'UPDATE' AND NEW.\(name) IS DISTINCT FROM OLD.\(name) THEN
                \(carried)
            ELSIF TG_OP = 'INSERT' OR NEW.\(older) IS DISTINCT FROM OLD.\(older) THEN
                \(followed)
            END IF;
            """)
        let query = """
            SELECT \(newKey(flow.place.table))::text, \(older)::text FROM \(self.table(table))
            WHERE \(isUnconvertible)\(name) IS DISTINCT FROM \(value)
            """
        draft.add(.verify, Verify(subject: flow.property, queries: [query], tables: [table]))
    }
}
