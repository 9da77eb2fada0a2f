import StrataRepository

/// Constraints on tables that are in use: what scans, and what can be proven first.
enum ConstraintRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        var matches: [LintMatch] = []
        subject.forEachAction { action, table, statement, group in
            switch action {
            case .addConstraint(let constraint):
                matches += addition(constraint, table, statement, subject)
            case .addColumn(let column) where subject.isLarge(table):
                matches += inline(column, table, statement)
            case .validate(let name) where subject.isLarge(table):
                matches += validation(name, table, statement, group, subject)
            case .setNotNull(let column)
            where subject.isLarge(table) && !isProven(column, of: table, before: statement, in: subject):
                matches.append(
                    LintMatch(
                        .setNotNullUnproven, statement, "SET NOT NULL of \(table.text).\(column) scans the table"))
            default: break
            }
        }
        return matches + onFilledTables(in: subject)
    }

    private static func addition(
        _ constraint: AddedConstraint, _ table: LintName, _ statement: LintStatement, _ subject: LintSubject
    ) -> [LintMatch] {
        guard subject.isLarge(table) else { return [] }
        let name = constraint.name ?? "the constraint"
        func match(_ rule: LintRule, _ message: String) -> [LintMatch] { [LintMatch(rule, statement, message)] }
        switch constraint.kind {
        case .unique where !constraint.usesIndex:
            return match(.uniqueConstraintDirect, "\(name) on \(table.text) builds its index under lock")
        case .primaryKey where !constraint.usesIndex:
            return match(.primaryKeyDirect, "\(name) on \(table.text) builds its index under lock")
        case .primaryKey:
            guard let column = nullableColumn(of: constraint, table, statement, subject) else { return [] }
            return match(.primaryKeyDirect, "\(table.text).\(column) is nullable, so the table is scanned")
        case .foreignKey where !constraint.isNotValid:
            return match(.foreignKeyValidated, "\(name) on \(table.text) scans the table under lock")
        case .check where !constraint.isNotValid:
            return match(.checkValidated, "\(name) on \(table.text) scans the table under lock")
        case .notNull where !constraint.isNotValid:
            return match(.setNotNullUnproven, "\(name) on \(table.text) scans the table under lock")
        case .exclude:
            return match(.exclusionConstraint, "\(name) on \(table.text) builds its index under lock")
        default: return []
        }
    }

    private static func nullableColumn(
        of constraint: AddedConstraint, _ table: LintName, _ statement: LintStatement, _ subject: LintSubject
    ) -> String? {
        guard let index = constraint.rest[2]?.text, let old = subject.old(table) else { return nil }
        let columns =
            subject.statements.lazy.compactMap { statement -> [String]? in
                if case .createIndex(let created) = statement.shape, created.name == index {
                    created.columns
                } else {
                    nil
                }
            }.first ?? old.indexes.first { $0.name == index }?.columns ?? []
        return columns.first { column in
            let isNullable = old.column(named: column)?.isNullable ?? true
            let isSet = subject.statements.contains { other in
                other.position < statement.position && other.table == table
                    && other.actions.contains(.setNotNull(column))
            }
            return isNullable && !isSet
        }
    }

    private static func inline(_ column: AddedColumn, _ table: LintName, _ statement: LintStatement) -> [LintMatch] {
        var matches: [LintMatch] = []
        let name = "\(table.text).\(column.name)"
        if column.rest.has("unique") {
            matches.append(LintMatch(.columnUnique, statement, "\(name) is added with UNIQUE"))
        }
        if column.rest.has("primary", "key") {
            matches.append(LintMatch(.primaryKeyDirect, statement, "\(name) is added as primary key"))
        }
        if column.rest.has("check") {
            matches.append(LintMatch(.columnCheckInline, statement, "\(name) is added with a CHECK"))
        }
        // Without a default all values are NULL, and PostgreSQL knows that there is nothing to look up.
        if column.rest.has("references"), let value = column.defaultExpression, !value.starts("null") {
            matches.append(
                LintMatch(.columnReferencesDefault, statement, "\(name) is added with REFERENCES and a default"))
        }
        return matches
    }

    private static func validation(
        _ name: String, _ table: LintName, _ statement: LintStatement, _ group: LintSubject.Group,
        _ subject: LintSubject
    ) -> [LintMatch] {
        guard group.isTransaction || isAddedHere(name, statement) else { return [] }
        let earlier = group.before(statement)
        if (earlier + [statement]).contains(where: { isAddedHere(name, $0) }) {
            return [
                LintMatch(
                    .validateInSameTransaction, statement, "\(name) is added and validated in one transaction")
            ]
        }
        let blocker = earlier.first { other in
            guard let table = other.table, subject.isInUse(table) else { return other.createsTrigger }
            return !other.actions.isEmpty
                && !other.actions.allSatisfy { if case .validate = $0 { true } else { false } }
        }
        guard let blocker else { return [] }
        return [
            LintMatch(
                .validateWhileBlocking, statement, "\(name) is validated under the lock of: \(blocker.source)")
        ]
    }

    private static func isAddedHere(_ name: String, _ statement: LintStatement) -> Bool {
        statement.actions.contains { if case .addConstraint(let added) = $0 { added.name == name } else { false } }
    }

    /// Whether a valid CHECK says already that the column is not null.
    private static func isProven(
        _ column: String, of table: LintName, before statement: LintStatement, in subject: LintSubject
    ) -> Bool {
        let printed = ["(\(column) IS NOT NULL)", "(\"\(column)\" IS NOT NULL)", "\"\(column)\" IS NOT NULL"]
        if subject.old(table)?.checks.contains(where: { check in
            if case .expression(let expression) = check.condition { printed.contains(expression.sql) } else { false }
        }) == true {
            return true
        }
        var names: Set<String> = []
        for other in subject.statements where other.position < statement.position && other.table?.text == table.text {
            for action in other.actions {
                switch action {
                case .addConstraint(let added) where added.provenNotNull == column:
                    if !added.isNotValid { return true }
                    if let name = added.name { names.insert(name) }
                case .validate(let name) where names.contains(name): return true
                default: break
                }
            }
        }
        return false
    }

    /// A table the script made is in nobody's use, but the table its foreign key points to is.
    private static func onFilledTables(in subject: LintSubject) -> [LintMatch] {
        var matches: [LintMatch] = []
        for statement in subject.statements {
            guard case .alterTable(let table, let actions) = statement.shape, !subject.isInUse(table),
                subject.isFilled(table, before: statement)
            else { continue }
            for case .addConstraint(let added) in actions where added.kind == .foreignKey && !added.isNotValid {
                guard let parent = added.referenced, subject.isLarge(parent) else { continue }
                matches.append(
                    LintMatch(
                        .foreignKeyValidated, statement,
                        "\(added.name ?? "the foreign key") stops writes to \(parent.text) while it scans"
                    ))
            }
        }
        return matches
    }
}
