import StrataRepository

/// What the classes do not say.
extension ModelPlanner {
    mutating func noteTheRest() {
        for table in database.tables {
            let definition = table.definition
            coverage.tables.total += 1
            coverage.columns.total += definition.columns.count
            let exclusions = table.peculiarities.filter { $0.hasSuffix("is an exclusion constraint") }.count
            coverage.constraints.total +=
                (definition.primaryKey == nil ? 0 : 1) + definition.uniqueSets.count + definition.foldedUniqueSets.count
                + definition.foreignKeys.count
                + definition.checks.count + exclusions
            for line in table.peculiarities { note(table.name, nil, line) }
            for line in table.remarks { remark(line, in: table.name) }
            if let policy = table.definition.policy, case .column(let column, _) = policy.condition {
                remark(
                    "it says whose row it is: the policy \(RowPolicyDefinition.name) compares it with the setting \(RowPolicyDefinition.setting). Mark it "
                        + "@Attribute(.tenant), and take it out of what is unique and indexed, where it is the first by itself then",
                    in: table.name, column: column)
            }
            switch roles.roles[table.name] {
            case .objects?:
                coverage.tables.expressed += 1
                // No class of its own: its own key says nothing of where keys of new rows come from.
                if roles.parent(of: table.name) == nil { noteKey(of: table) }
            case .pairs?: coverage.tables.expressed += 1
            case .none(let reason)?: note(table.name, nil, "no class: \(reason)")
            case nil: break
            }
        }
        for other in database.others { note(other.name, nil, "no class: it is \(other.kind)") }
    }

    private mutating func noteKey(of table: DatabaseDescription.Table) {
        guard let key = table.definition.soleKey.flatMap({ table.definition.column(named: $0) }) else { return }
        guard !table.definition.declaresKey, !key.isNumberedBySequence, let expression = key.defaultExpression else {
            return
        }
        remark(
            "its default \(expression) is not a sequence's next value as it is, so objects can be read, changed and deleted, and not inserted",
            in: table.name, column: key.name)
    }
}
