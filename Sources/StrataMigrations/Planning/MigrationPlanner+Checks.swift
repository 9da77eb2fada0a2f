import StrataRepository

/// Rules of classes: those that stay, those that are added beside the old, those that go.
extension MigrationPlanner {
    mutating func planChecks(
        _ table: TableDefinition, _ oldTable: TableDefinition?, _ columns: [String: String]
    ) {
        let oldChecks = oldTable?.rules ?? []
        for check in table.rules where !oldChecks.contains(where: { $0.isKept(as: check, columns) }) {
            let isLate = isLate(check.columns, of: table)
            var added = check
            if !isLate {
                added = check.renaming { names.column(ColumnPlace(table: table.name, column: $0)) } ?? check
                added.name = interimName(of: check, oldTable)
            }
            let tableName = isLate ? table.name : names.table(table.name)
            draft.add(isLate ? .lateChecks : .addChecks, AddCheck(check: added, table: tableName, isLate: isLate))
            draft.add(
                isLate ? .validateLateChecks : .validateChecks, ValidateConstraint(name: added.name, table: tableName))
            refuseBreaches(of: check, in: table)
        }
        for old in oldChecks where !table.rules.contains(where: { old.isKept(as: $0, columns) }) {
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
        let kind = Rename.Kind.constraint(table: oldTable.name)
        var (retired, final): ([Rename], [Rename]) = ([], [])
        for old in oldTable.rules {
            if let kept = table.rules.first(where: { old.isKept(as: $0, columns) }) {
                if kept.name != old.name { final.append(Rename(kind: kind, from: old.name, to: kept.name)) }
            } else if retiredName(of: old, table) != old.name {
                retired.append(Rename(kind: kind, from: old.name, to: retiredName(of: old, table)))
            }
        }
        for check in table.rules where !oldTable.rules.contains(where: { $0.isKept(as: check, columns) }) {
            let interim = interimName(of: check, oldTable)
            guard interim != check.name, !isLate(check.columns, of: table) else { continue }
            final.append(Rename(kind: kind, from: interim, to: check.name))
        }
        return (retired, final)
    }

    private func interimName(of check: CheckDefinition, _ oldTable: TableDefinition?) -> String {
        oldTable?.checks.contains { $0.name == check.name } == true ? InterimName.new(check.name) : check.name
    }

    /// What an old rule is called behind the switch: it makes way for a new one of its name.
    private func retiredName(of old: CheckDefinition, _ table: TableDefinition) -> String {
        table.checks.contains { $0.name == old.name } ? InterimName.old(old.name) : old.name
    }

    /// Counted before the first statement, for columns whose values are known by then.
    private mutating func refuseBreaches(of check: CheckDefinition, in table: TableDefinition) {
        guard case .expression(let expression) = check.condition, let oldTable = flows.tables[table.name],
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

extension TableDefinition {
    /// The checks beside the one that lists the classes.
    var rules: [CheckDefinition] { checks.filter { $0 != classCheck } }
}

extension CheckDefinition {
    /// Whether it goes on as another one: its name may change.
    fileprivate func isKept(as other: CheckDefinition, _ columns: [String: String]) -> Bool {
        renaming { columns[$0] }?.condition == other.condition
    }
}
