import StrataRepository

/// Checks: those that `#Check` says exactly so, and the rest, which is the server's alone.
extension ModelPlanner {
    mutating func planChecks(of table: DatabaseDescription.Table) {
        for check in table.definition.checks {
            if case .isOneOf(let column, _) = check.condition, roles.classColumns[table.name] == column {
                coverage.constraints.expressed += 1
            } else if let condition = swiftCondition(of: check, in: table) {
                coverage.constraints.expressed += 1
                let rule = ruleName(of: check, in: table.name)
                drafts[table.name]?.model.checks.append(
                    PlannedCheck(rule: rule, constraint: check.name, condition: condition))
            } else {
                note(table.name, nil, "the check \(check.name) is the server's alone: \(Self.text(check.condition))")
            }
        }
    }

    private static func text(_ condition: CheckDefinition.Condition) -> String {
        switch condition {
        case .isOneOf(let column, let values): "\(column) IN (\(values.joined(separator: ", ")))"
        case .expression(let expression): expression.sql
        }
    }

    private func swiftCondition(of check: CheckDefinition, in table: DatabaseDescription.Table) -> String? {
        guard case .expression(let expression) = check.condition, let draft = drafts[table.name] else { return nil }
        return SwiftCheck(expression.sql) { name in
            guard let column = table.definition.column(named: name), let property = draft.propertyOfColumn[name],
                let type = draft.types[property]
            else { return nil }
            return SwiftCheck.Operand(
                name: property, type: type.name, isOptional: column.isNullable || column.isGenerated)
        }?.condition
    }

    /// `products_unit_price_check` of the table `products` is the rule `unitPrice`.
    private func ruleName(of check: CheckDefinition, in table: String) -> String {
        var words = SwiftName.words(check.name)
        let tableWords = SwiftName.words(table)
        if words.starts(with: tableWords), words.count > tableWords.count { words.removeFirst(tableWords.count) }
        if words.count > 1, let last = words.last, ["check", "chk", "ck"].contains(last.lowercased()) {
            words.removeLast()
        }
        let letters = SwiftName.lowerCamel(words).filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let stem = letters.first?.isLetter == true ? letters : "rule" + letters
        let taken = Set(drafts[table]?.model.checks.map(\.rule) ?? [])
        var (name, number) = (stem, 1)
        while taken.contains(name) {
            number += 1
            name = "\(stem)\(number)"
        }
        return name
    }
}
