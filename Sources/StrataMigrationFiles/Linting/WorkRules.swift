/// Work on many rows: how much at once, and what else its transaction holds.
enum WorkRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        subject.groups.flatMap { group in
            group.statements.flatMap { statement -> [LintMatch] in
                change(statement, group, subject) + references(statement, group, subject)
                    + triggers(statement, group, subject)
            }
        }
    }

    private static func isLarge(_ change: BulkChange, _ subject: LintSubject) -> Bool {
        subject.isLarge(change.source ?? change.table)
    }

    private static func hasWork(_ statements: [LintStatement], _ subject: LintSubject) -> Bool {
        statements.contains { BulkChange($0, in: subject).map { !$0.isBounded && isLarge($0, subject) } ?? false }
    }

    private static func change(
        _ statement: LintStatement, _ group: LintSubject.Group, _ subject: LintSubject
    ) -> [LintMatch] {
        guard let change = BulkChange(statement, in: subject) else { return [] }
        var matches: [LintMatch] = []
        let table = change.table.text
        if isLarge(change, subject), !change.isBounded {
            let isMild = change.source != nil || { if case .condition = change.extent { true } else { false } }()
            let from = change.source.map { ", from \($0.text)" } ?? ""
            matches.append(
                LintMatch(
                    .unboundedChange, statement, "\(table) is changed in one go\(from)", level: isMild ? .warning : nil)
            )
            let lock = group.isTransaction ? group.before(statement).first { locks($0, subject) } : nil
            if let lock {
                matches.append(
                    LintMatch(
                        .ddlWithBulkChange, statement,
                        "\(table) is changed in one go under the lock of: \(lock.source)"))
            }
        }
        var repeats = !change.isBounded
        if case .batches = group.step?.execution { repeats = true }
        if repeats, subject.target.historyTables.contains(table), !statement.isUnrecorded,
            (subject.target.rowEstimates[table] ?? .max) > subject.target.smallTable
        {
            matches.append(
                LintMatch(.recordedBulkChange, statement, "the history records every row of \(table)"))
        }
        return matches
    }

    /// Takes a lock that stops others; triggers have a rule of their own.
    private static func locks(_ statement: LintStatement, _ subject: LintSubject) -> Bool {
        switch statement.shape {
        case .alterTable(let table, let actions):
            return subject.isInUse(table)
                && actions.contains { action in
                    switch action {
                    case .validate: false
                    case .other(let words): !(words.starts("enable", "trigger") || words.starts("disable", "trigger"))
                    default: true
                    }
                }
        case .createIndex(let index): return subject.isInUse(index.table)
        case .dropTable(let tables): return tables.contains(where: subject.isInUse)
        default: return statement.words.starts("lock")
        }
    }

    private static func references(
        _ statement: LintStatement, _ group: LintSubject.Group, _ subject: LintSubject
    ) -> [LintMatch] {
        guard group.isTransaction else { return [] }
        if case .createTable(let table, let items, _, _) = statement.shape, hasWork(group.after(statement), subject) {
            let parents = items.compactMap { item -> LintName? in
                guard var index = item.index(of: "references").map({ $0 + 1 }) else { return nil }
                return item.name(at: &index)
            }
            if let parent = parents.first(where: subject.isLarge) {
                return [
                    LintMatch(
                        .createReferencesThenWork, statement,
                        "\(table.text) references \(parent.text), which takes no writes until the work is done")
                ]
            }
        }
        guard let dropped = droppedReference(statement, subject),
            hasWork(group.statements, subject) || group.step?.lockTimeout == 0
        else { return [] }
        return [LintMatch(.dropReferencesWithWork, statement, "\(dropped) locks the referenced table as well")]
    }

    /// A foreign key, or a table that has one.
    private static func droppedReference(_ statement: LintStatement, _ subject: LintSubject) -> String? {
        switch statement.shape {
        case .dropTable(let tables):
            return tables.first { table in
                subject.isInUse(table)
                    && (subject.target.before == nil || subject.old(table)?.foreignKeys.isEmpty == false)
            }.map { "dropping \($0.text)" }
        case .alterTable(let table, let actions) where subject.isInUse(table):
            for case .dropConstraint(let name) in actions {
                let isForeignKey = subject.old(table).map { $0.foreignKeys.contains { $0.name == name } }
                if isForeignKey ?? name.contains("fk") { return "dropping \(name)" }
            }
            return nil
        default: return nil
        }
    }

    private static func triggers(
        _ statement: LintStatement, _ group: LintSubject.Group, _ subject: LintSubject
    ) -> [LintMatch] {
        let switches = statement.actions.contains { action in
            if case .other(let words) = action {
                words.starts("enable", "trigger") || words.starts("disable", "trigger")
            } else {
                false
            }
        }
        guard statement.createsTrigger || switches, group.isTransaction, hasWork(group.after(statement), subject) else {
            return []
        }
        return [LintMatch(.triggerWithWork, statement, "the trigger's lock is kept while rows are changed")]
    }
}
