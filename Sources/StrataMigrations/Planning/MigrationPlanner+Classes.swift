import StrataRepository

extension MigrationPlanner {
    /// The `class` column: which rows are of which class, and what it may hold.
    mutating func planClasses() {
        for rows in match.rowClasses { planClass(of: rows) }
        for (table, oldTable) in keptTables where isClassColumn(table) { planCheck(table, oldTable) }
    }

    private func hadClassColumn(_ table: String) -> Bool {
        old.entities.contains { $0.table == table && $0.parent == nil && !old.children(of: $0).isEmpty }
    }

    private mutating func planClass(of rows: SchemaCorrespondence.RowClass) {
        guard let root = new.chain(of: rows.new).first, !new.children(of: root).isEmpty,
            let oldRoot = old.chain(of: rows.old).first, flows.tables[root.table] == oldRoot.table
        else { return }
        let had = hadClassColumn(oldRoot.table)
        let before = had ? rows.old.discriminator : root.discriminator
        let after = rows.new.discriminator
        guard before != after else { return }
        // Code that knows a class column reads nothing of a class it does not know: it must be gone by then.
        let isLate = had
        let tableName = isLate ? root.table : oldRoot.table
        var conditions = ["t.\"class\" = \(SQLFragment.literal(before))"]
        if let condition = rows.condition {
            let own = isLate ? names.lateTable(rows.old.table) : rows.old.table
            conditions.append(
                own == tableName
                    ? "(\(condition))"
                    : "EXISTS (SELECT 1 FROM \(table(own)) AS s WHERE s.\"pk\" = t.\"pk\" AND (\(condition)))")
        }
        draft.add(
            isLate ? .reclassify : .classify, "make rows of \(rows.old.name) rows of \(rows.new.name)",
            [
                """
                UPDATE \(table(tableName)) AS t SET "class" = \(SQLFragment.literal(after))
                WHERE \(range("t.\"pk\"")) AND \(conditions.joined(separator: " AND "))
                """
            ], execution: batches(tableName), lock: .rowExclusive, on: [tableName])
        if isLate {
            draft.notes.append(
                "old code must be stopped before contract: rows of \(rows.old.name) become \(rows.new.name)")
        } else if let condition = rows.condition, rows.old.table == oldRoot.table {
            syncs[oldRoot.table, default: TableSync()].before.append(
                """
                IF NEW."class" = \(SQLFragment.literal(before)) AND (SELECT (\(condition)) FROM (SELECT NEW.*) AS s) THEN
                    NEW."class" := \(SQLFragment.literal(after));
                END IF;
                """)
        }
    }

    /// The values the column may hold: the old ones and the new ones while both codes run, the new ones in the end.
    private mutating func planCheck(_ table: TableDefinition, _ oldTable: TableDefinition) {
        guard let check = table.classCheck, case .isOneOf(let column, let values) = check.condition else { return }
        let oldCheck = oldTable.classCheck
        var oldValues: [String] = []
        if case .isOneOf(_, let list)? = oldCheck?.condition { oldValues = list }
        let all = values + oldValues.filter { !values.contains($0) }
        let isWidened = oldValues != all && Set(oldValues) != Set(all)
        if isWidened {
            add(
                check, column: column, values: all, to: oldTable.name, replacing: oldCheck, at: .widenClasses,
                validation: .validate)
        }
        if isWidened ? all == values : oldValues == values && oldCheck?.name == check.name { return }
        let current = isWidened ? check : oldCheck
        add(
            check, column: column, values: values, to: table.name, replacing: current, at: .tighten,
            validation: .validateTight)
    }

    private mutating func add(
        _ check: CheckDefinition, column: String, values: [String], to name: String, replacing old: CheckDefinition?,
        at place: StageDraft.Place, validation: StageDraft.Place
    ) {
        var wide = check
        wide.condition = .isOneOf(column: column, values: values)
        var statements: [String] = []
        if let old { statements.append("ALTER TABLE \(table(name)) DROP CONSTRAINT \(quoted(old.name))") }
        statements.append("ALTER TABLE \(table(name)) ADD \(wide.clause) NOT VALID")
        var undo: [String] = []
        if place == .widenClasses {
            undo.append("ALTER TABLE \(table(name)) DROP CONSTRAINT \(quoted(wide.name))")
            if let old { undo.append("ALTER TABLE \(table(name)) ADD \(old.clause)") }
        }
        draft.add(
            place, "allow \(name).class the values \(values.joined(separator: ", "))", statements,
            lock: .accessExclusive,
            on: [name], undo: undo)
        draft.add(
            validation, "validate \(wide.name)",
            ["ALTER TABLE \(table(name)) VALIDATE CONSTRAINT \(quoted(wide.name))"],
            lock: .shareUpdateExclusive, on: [name])
    }
}

extension TableDefinition {
    var classCheck: CheckDefinition? {
        checks.first { if case .isOneOf(ReservedColumn.discriminator, _) = $0.condition { true } else { false } }
    }
}
