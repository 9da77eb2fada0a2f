import StrataRepository

/// Rules of classes: those that stay, those that are added beside the old, those that go.
extension MigrationPlanner {
    mutating func planChecks(
        _ table: TableDefinition, _ oldTable: TableDefinition?, _ columns: [String: String]
    ) {
        let rules = RuleContinuations(from: oldTable?.rules ?? [], to: table.rules, columns)
        for check in rules.added {
            let isLate = isLateRule(check, of: table)
            var added = check
            if !isLate {
                added = check.renaming { names.column(ColumnPlace(table: table.name, column: $0)) } ?? check
                added.name = interimName(of: check, oldTable)
            }
            let tableName = isLate ? table.name : names.table(table.name)
            draft.add(isLate ? .lateChecks : .addChecks, AddCheck(check: added, table: tableName, isLate: isLate))
            draft.add(
                isLate ? .validateLateChecks : .validateChecks, ValidateConstraint(name: added.name, table: tableName))
            if !isLate { refuseBreaches(of: check, in: table) }
        }
        for old in rules.dropped {
            draft.add(
                .dropConstraints,
                DropConstraint(
                    sort: .check, name: old.name, nameNow: retiredName(of: old, table), table: table.name))
        }
    }

    /// What has another name behind the switch.
    func checkRenames(
        _ table: TableDefinition, _ oldTable: TableDefinition, _ columns: [String: String]
    ) -> (retired: [Rename], final: [Rename]) {
        func rename(_ from: String, _ to: String) -> Rename? {
            from == to ? nil : Rename(kind: .constraint(table: oldTable.name), from: from, to: to)
        }
        let rules = RuleContinuations(from: oldTable.rules, to: table.rules, columns)
        return (
            rules.dropped.compactMap { rename($0.name, retiredName(of: $0, table)) },
            rules.kept.compactMap { rename($0.old.name, $0.new.name) }
                + rules.added.filter { !isLateRule($0, of: table) }
                .compactMap { rename(interimName(of: $0, oldTable), $0.name) }
        )
    }

    private func interimName(of check: CheckDefinition, _ oldTable: TableDefinition?) -> String {
        oldTable?.checks.contains { $0.name == check.name } == true ? InterimName.new(check.name) : check.name
    }

    /// What an old rule is called behind the switch: it makes way for a new one of its name.
    private func retiredName(of old: CheckDefinition, _ table: TableDefinition) -> String {
        table.checks.contains { $0.name == old.name } ? InterimName.old(old.name) : old.name
    }

    // MARK: Rows

    /// Whether rows may break the rule until the user's code has seen to them, or until they are deleted.
    private func isLateRule(_ check: CheckDefinition, of table: TableDefinition) -> Bool {
        if isLate(check.columns, of: table) { return true }
        if stage.hasDidMigrate || hasStatements(in: .contract), !isAboutKept(check, of: table) { return true }
        return (draft.entries[.deleteRows] ?? []).contains { $0.operation.tables.contains(table.name) }
    }

    /// Whether all columns hold what they held before the stage.
    private func isAboutKept(_ check: CheckDefinition, of table: TableDefinition) -> Bool {
        guard let oldTable = flows.tables[table.name] else { return false }
        return check.columns.allSatisfy {
            flows.kept(ColumnPlace(table: table.name, column: $0))?.table == oldTable
        }
    }

    private func hasStatements(in wanted: MigrationPhase) -> Bool {
        match.changes.contains { if case .sql(_, let phase) = $0.kind { phase == wanted } else { false } }
    }

    /// Counted before the first statement, for columns whose values are known by then.
    private mutating func refuseBreaches(of check: CheckDefinition, in table: TableDefinition) {
        // The plan's own statements may give what is new other values before rows are held to the rule. A rule
        // without columns is about no row.
        let isFilled = hasStatements(in: .expand) || hasStatements(in: .backfill)
        guard case .expression(let expression) = check.condition, !expression.columns.isEmpty,
            let oldTable = flows.tables[table.name], !isFilled || isAboutKept(check, of: table),
            !insertions.contains(where: { $0.target.table == table.name })
        else { return }
        var values: [String: String] = [:]
        for column in Set(expression.columns) {
            guard let value = knownValue(of: ColumnPlace(table: table.name, column: column), in: oldTable) else {
                return
            }
            values[column] = value
        }
        let shown = Set(expression.columns).sorted().compactMap { values[$0] }.map { "(\($0))::text" }
        let entity = new.entities.first { $0.table == table.name }?.name ?? table.name
        draft.checks.append(
            DataCheck(
                code: "M207", title: "\(entity): rows break the rule \(check.name)",
                remedy: "change these rows first, in the stage's willMigrate or by hand",
                query: """
                    SELECT \(oldKey(oldTable))::text, concat_ws(', ', \(shown.joined(separator: ", ")))
                    FROM \(self.table(oldTable)) WHERE (\(expression.sql { values[$0] ?? quoted($0) })) IS FALSE
                    """))
    }
}

/// Which rules of a table go on as which, one as one. Several may have the same condition.
private struct RuleContinuations {
    private(set) var kept: [(old: CheckDefinition, new: CheckDefinition)] = []
    private(set) var added: [CheckDefinition] = []
    /// Old rules that are none of the new ones.
    private(set) var dropped: [CheckDefinition]

    /// - Parameter columns: old column → new column, for those that stay in the table.
    init(from old: [CheckDefinition], to new: [CheckDefinition], _ columns: [String: String]) {
        dropped = old
        var continued: [CheckDefinition?] = []
        for rule in new { continued.append(Self.take(rule, from: &dropped, columns) { $0 == rule.name }) }
        // A rule keeps its name before another one takes it over.
        for (index, rule) in new.enumerated() where continued[index] == nil {
            continued[index] = Self.take(rule, from: &dropped, columns) { _ in true }
        }
        for (rule, old) in zip(new, continued) {
            if let old { kept.append((old, rule)) } else { added.append(rule) }
        }
    }

    private static func take(
        _ rule: CheckDefinition, from old: inout [CheckDefinition], _ columns: [String: String],
        named isNamed: (String) -> Bool
    ) -> CheckDefinition? {
        let place = old.firstIndex {
            isNamed($0.name) && $0.renaming { columns[$0] }?.condition == rule.condition
        }
        return place.map { old.remove(at: $0) }
    }
}

extension TableDefinition {
    /// The checks beside the one that lists the classes.
    var rules: [CheckDefinition] { checks.filter { $0 != classCheck } }
}
