import StrataRepository

extension MigrationPlanner {
    /// The `class` column: which rows are of which class, and what it may hold.
    mutating func planClasses() throws(MigrationError) {
        for rows in try orderedClassChanges() { planClass(of: rows) }
        for (table, oldTable) in keptTables where isClassColumn(table) { planCheck(table, oldTable) }
    }

    /// Rows leave a class before others become rows of it, and the ones that are split off before the rest.
    private func orderedClassChanges() throws(MigrationError) -> [SchemaCorrespondence.RowClass] {
        var waiting = match.rowClasses.compactMap { rows in classChange(of: rows).map { (rows: rows, change: $0) } }
        try refuseTakenNames(waiting.map(\.change))
        var ordered: [SchemaCorrespondence.RowClass] = []
        while !waiting.isEmpty {
            let next = waiting.indices.first { index in
                let (rows, change) = waiting[index]
                return !waiting.indices.contains { other in
                    other != index && waiting[other].change.table == change.table
                        && (waiting[other].change.before == change.after
                            || rows.condition == nil && waiting[other].rows.condition != nil
                                && waiting[other].change.before == change.before)
                }
            }
            guard let next else {
                let names = waiting.map(\.rows.old.name).joined(separator: ", ")
                throw MigrationError(
                    .planRefused, "The classes \(names) take each other's names, and rows are told apart by them.",
                    places: waiting.map { "\($0.rows.old.name) → \($0.rows.new.name)" },
                    remedy: "rename in two versions, by way of a name that is new")
            }
            ordered.append(waiting.remove(at: next).rows)
        }
        return ordered
    }

    /// Rows that go are told apart by their class at the end: no others may have its name by then.
    private func refuseTakenNames(_ changes: [ClassChange]) throws(MigrationError) {
        let leaving = match.rowClasses.filter { rows in
            guard classChange(of: rows) == nil, let root = new.chain(of: rows.new).first else { return false }
            return flows.tables[root.table] != old.chain(of: rows.old).first?.table
        }
        for entity in match.droppedEntities + leaving.map(\.old) {
            guard let root = old.chain(of: entity).first, hadClassColumn(root.table) else { continue }
            let literal = SQLFragment.literal(entity.discriminator)
            guard changes.contains(where: { $0.after == literal && flows.tables[$0.table] == root.table }) else {
                continue
            }
            throw MigrationError(
                .planRefused,
                "\(entity.name) leaves its hierarchy, and another class takes its name in the same stage.",
                places: [entity.name], remedy: "do one of both in a version of its own")
        }
    }

    private func hadClassColumn(_ table: String) -> Bool {
        old.entities.contains { $0.table == table && $0.parent == nil && !old.children(of: $0).isEmpty }
    }

    func classChange(of rows: SchemaCorrespondence.RowClass) -> ClassChange? {
        guard let root = new.chain(of: rows.new).first, !new.children(of: root).isEmpty,
            let oldRoot = old.chain(of: rows.old).first, flows.tables[root.table] == oldRoot.table
        else { return nil }
        let isLate = hadClassColumn(oldRoot.table)
        var change = ClassChange(
            table: isLate ? root.table : oldRoot.table, isLate: isLate,
            key: isLate ? names.key(ofNew: root.table, isLate: true) : names.key(ofOld: oldRoot.table),
            column: names.classColumn(ofNew: root.table, isLate: isLate),
            before: SQLFragment.literal(isLate ? rows.old.discriminator : root.discriminator),
            after: SQLFragment.literal(rows.new.discriminator))
        guard change.before != change.after else { return nil }
        if let condition = rows.condition {
            let isSame = isSameKey(rows.old.table, "s", oldRoot.table, "t", isLate: isLate)
            let own = isLate ? names.lateTable(rows.old.table) : rows.old.table
            change.condition =
                own == change.table
                ? "(\(condition))"
                : "EXISTS (SELECT 1 FROM \(table(own)) AS s WHERE \(isSame) AND (\(condition)))"
        }
        return change
    }

    /// The change that a batch makes to the very rows that it copies to the new table: its lock on them is then the one
    /// that the copy needs, and each is written once. `nil` where the two are steps of their own.
    func classChange(with insertion: RowInsertion) -> ClassChange? {
        guard !insertion.isLate, insertion.rows.condition != nil,
            let change = classChange(of: insertion.rows), !change.isLate, change.table == insertion.rows.old.table,
            insertions.filter({ $0.rows == insertion.rows }).count == 1
        else { return nil }
        return change
    }

    private mutating func planClass(of rows: SchemaCorrespondence.RowClass) {
        guard let change = classChange(of: rows) else { return }
        if !insertions.contains(where: { $0.rows == rows && classChange(with: $0) != nil }) {
            draft.add(
                change.isLate ? .reclassify : .classify,
                ChangeClass(change: change, older: rows.old.name, newer: rows.new.name))
        }
        if change.isLate {
            draft.notes.append(
                "old code must be stopped before contract: rows of \(rows.old.name) become \(rows.new.name)")
        } else if let condition = rows.condition, rows.old.table == change.table {
            syncs[change.table, default: TableSync()].before.append(
                """
                IF NEW.\(quoted(change.column)) = \(change.before) AND (SELECT (\(condition)) FROM (SELECT NEW.*) AS s) THEN
                    NEW.\(quoted(change.column)) := \(change.after);
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
                check, column: names.column(ColumnPlace(table: table.name, column: column)), values: all,
                to: oldTable.name, replacing: oldCheck, at: .widenClasses,
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
        draft.add(
            place,
            AllowClasses(
                check: wide, column: column, values: values, older: old, table: name, isEarly: place == .widenClasses))
        draft.add(validation, ValidateConstraint(name: wide.name, table: name))
    }
}

extension TableDefinition {
    var classCheck: CheckDefinition? {
        checks.first { if case .isOneOf(classColumn, _) = $0.condition { true } else { false } }
    }
}
