import StrataRepository

/// Defaults of columns: for programs that leave a column out.
///
/// While old and new code run side by side, a value that is missing means that a trigger has to bring it, and a default would be taken for one. So
/// what is new gets its default when no old code runs any more, and what new code leaves out loses it before any does.
extension MigrationPlanner {
    /// Defaults that come, change and go behind the switch.
    mutating func planDefaults() {
        for table in new.database.tables {
            var ended: [String] = []
            for column in table.columns {
                let place = ColumnPlace(table: table.name, column: column.name)
                let (early, late) = (earlyDefault(of: column, at: place, of: table), column.defaultExpression)
                if early == late { continue }
                if late == nil, flows.kept(place) == nil {
                    ended.append(column.name)
                } else {
                    draft.add(.tighten, SetDefault(column: column.name, table: table.name, expression: late))
                }
            }
            if !ended.isEmpty { draft.add(.tighten, EndFilling(filled: ended, table: table.name)) }
        }
    }

    /// What a column has until then.
    func earlyDefault(of column: ColumnDefinition, at place: ColumnPlace, of table: TableDefinition) -> String? {
        if let kept = flows.kept(place) {
            return old.database.table(named: kept.table)?.column(named: kept.column)?.defaultExpression
        }
        // The class of a row stands in no other column: its default is there with the column.
        guard table.hasServerDefault(column) || column.defaultExpression == nil else { return column.defaultExpression }
        if flows.tables[table.name] != nil { return constantFill(of: column, at: place) }
        return isPopulated(table.name) ? nil : column.defaultExpression
    }

    /// The default of a new column by which the rows of its table are filled, as is what old code inserts.
    func constantFill(of column: ColumnDefinition, at place: ColumnPlace) -> String? {
        let flow = flows.flows.first { $0.place == place }
        let isFed = flow?.sources.isEmpty == false || flows.links.contains { $0.to.isAt(place) }
        guard !column.isNullable, !isFed, let fill = flow?.fill, FillExpression(fill).isConstant else { return nil }
        return fill
    }

    /// Gives rows what the default of an old column was, in the trigger that keeps the column in step and behind what brings the new value; `nil`
    /// where it cannot be told from a value of new code.
    ///
    /// Where both codes require the value, a row without any comes from a program that leaves it to the default.
    func broughtDefault(_ flow: ColumnFlow, _ source: ColumnFlow.Source) -> String? {
        let expression = old.database.table(named: source.place.table)?.column(named: source.place.column)?
            .defaultExpression
        guard let expression, !flows.links.contains(where: { $0.from.isAt(source.place) }) else { return nil }
        // What is brought is followed by all.
        for other in flows.flows {
            for follower in other.sources where follower.place == source.place {
                if !canBring(expression, other, follower) { return nil }
            }
        }
        let name = quoted(source.place.column)
        let isMoved = source.place.table != names.table(flow.place.table)
        let isMissing = [name] + (isMoved ? [] : [quoted(names.column(flow.place))])
        return """
            IF TG_OP = 'INSERT' AND \(isMissing.map { "NEW.\($0) IS NULL" }.joined(separator: " AND ")) THEN
                NEW.\(name) := \(expression);
            END IF;
            """
    }

    private func canBring(_ expression: String, _ flow: ColumnFlow, _ source: ColumnFlow.Source) -> Bool {
        if flow.isOptional || source.isOptional { return false }
        guard source.place.table != names.table(flow.place.table) else { return true }
        // What is converted on the way is not brought back to the old column.
        if flows.isConverted(flow, source) { return false }
        return source.rows.allSatisfy { rows in
            // A rule that splits rows reads what they are given.
            if rows.condition != nil { return false }
            // What moves behind the switch has no trigger.
            if insertions.contains(where: { $0.isLate && $0.rows == rows && $0.target.table == flow.place.table }) {
                return false
            }
            // The row above is there first, and has been filled by then.
            let tables = old.chain(of: rows.old).map(\.table)
            guard let fill = flow.fill, fill != expression, let target = flows.tables[flow.place.table],
                let above = tables.firstIndex(of: target), let below = tables.firstIndex(of: source.place.table)
            else { return true }
            return above > below
        }
    }
}
