import StrataMigrations
import StrataRepository

/// Columns added to tables that are in use, and columns that change their type.
enum ColumnRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        var matches: [LintMatch] = []
        subject.forEachAction { action, table, statement, _ in
            switch action {
            case .addColumn(let column): matches += addition(column, table, statement, subject)
            case .setType(let column, let type, let using):
                matches += typeChange(column, type, using, table, statement, subject)
            default: break
            }
        }
        return matches + repeatedRewrites(in: subject) + domains(in: subject)
    }

    private static func addition(
        _ column: AddedColumn, _ table: LintName, _ statement: LintStatement, _ subject: LintSubject
    ) -> [LintMatch] {
        var matches: [LintMatch] = []
        let name = "\(table.text).\(column.name)"
        func add(_ rule: LintRule, _ message: String, level: LintLevel? = nil) {
            matches.append(LintMatch(rule, statement, message, level: level))
        }
        let fillsItself =
            column.isIdentity || column.isSerial || column.isGenerated
            || subject.target.domains.contains(column.type.name)
        if column.isNotNull, column.defaultExpression.map({ $0.starts("null") }) ?? true, !fillsItself,
            subject.target.rowEstimates[table.text] != 0
        {
            add(.notNullWithoutDefault, "\(name) is NOT NULL and has no default")
        }
        guard subject.isLarge(table) else { return matches }
        if column.isIdentity || column.isSerial { add(.identityColumn, "\(name) numbers every row of \(table.text)") }
        // A planned stage asks whether that may be (M209).
        if column.isGenerated, column.rest.has("stored"), statement.step?.operation != .addGeneratedColumn {
            add(.generatedStored, "\(name) is computed for every row")
        }
        if subject.target.domains.contains(column.type.name) {
            add(.domainColumn, "\(name) has the constrained domain \(column.type.name)")
        }
        switch column.defaultExpression.map(Volatility.init) {
        case .volatile(let function): add(.volatileDefault, "\(name) has a default that calls \(function)()")
        case .unknown(let function):
            add(
                .volatileDefault, "\(name) has a default that calls \(function)(), which may be volatile",
                level: .warning)
        case .stable, nil: break
        }
        return matches
    }

    private static func typeChange(
        _ column: String, _ type: WrittenType, _ using: LintWords?, _ table: LintName, _ statement: LintStatement,
        _ subject: LintSubject
    ) -> [LintMatch] {
        var matches: [LintMatch] = []
        let old = subject.oldType(column, of: table)
        let name = "\(table.text).\(column)"
        if subject.isLarge(table), !isFree(column, type, using, table, subject) {
            let change =
                old.map { "from \($0.name) to \(type.name)" } ?? "to \(type.name), from a type that is not known,"
            matches.append(
                LintMatch(
                    .typeRewrite, statement, "changing \(name) \(change) rewrites the table",
                    level: old == nil ? .warning : nil))
        }
        let casts = using.map { $0.has("::") || $0.hasAnywhere("cast", "(") || $0.hasAnywhere("::") } ?? false
        if !type.isText, casts, old?.isText ?? true, !subject.isChecked(table) {
            matches.append(
                LintMatch(
                    .uncheckedCast, statement, "no check says that every \(name) can be cast to \(type.name)",
                    level: old == nil ? .warning : nil))
        } else if let old, old.narrows(to: type), subject.script != nil, !subject.isChecked(table) {
            matches.append(
                LintMatch(
                    .uncheckedNarrowing, statement, "no check says that every \(name) fits into \(type.name)"))
        }
        return matches
    }

    private static func isFree(
        _ column: String, _ type: WrittenType, _ using: LintWords?, _ table: LintName, _ subject: LintSubject
    ) -> Bool {
        guard let old = subject.oldType(column, of: table),
            old.becomes(type, timeZone: subject.target.timeZone)
        else { return false }
        guard let using else { return true }
        // `USING x` and `USING x::type` are what the server does anyway; every other expression is computed row by row.
        guard using[0]?.text == column else { return false }
        return using.count == 1 || (using[1]?.is("::") == true && WrittenType(using.from(2)) == type)
    }

    private static func rewrites(_ action: TableAction, _ table: LintName, _ subject: LintSubject) -> Bool {
        switch action {
        case .setType(let column, let type, let using): return !isFree(column, type, using, table, subject)
        case .addColumn(let column):
            if column.isIdentity || column.isSerial || column.rest.has("stored") { return true }
            if case .volatile = column.defaultExpression.map(Volatility.init) { return true }
            return false
        default: return false
        }
    }

    private static func repeatedRewrites(in subject: LintSubject) -> [LintMatch] {
        var seen: Set<String> = []
        return subject.statements.compactMap { statement in
            guard case .alterTable(let table, let actions) = statement.shape, subject.isLarge(table),
                actions.contains(where: { rewrites($0, table, subject) }), !seen.insert(table.text).inserted
            else { return nil }
            return LintMatch(.repeatedRewrites, statement, "\(table.text) is rewritten a second time")
        }
    }

    private static func domains(in subject: LintSubject) -> [LintMatch] {
        subject.statements.compactMap { statement in
            let words = statement.words
            let creates = words.starts("create", "domain") && (words.has("check") || words.has("not", "null"))
            let alters =
                words.starts("alter", "domain")
                && ((words.has("add") && !words.has("not", "valid")) || words.has("set", "not", "null"))
            guard creates || alters else { return nil }
            return LintMatch(.domainConstraint, statement, "a domain gets a constraint")
        }
    }
}
