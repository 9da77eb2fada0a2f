import StrataMigrations

/// What old code that still runs would miss.
enum PhaseRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        subject.groups.flatMap { group in
            group.statements.flatMap { statement in
                drops(statement, group, subject) + renames(statement, group, subject)
                    + triggerFunctions(statement, group, subject)
            }
        }
    }

    private struct Drop {
        var what: String
        var name: String
        /// Values are lost with it.
        var losesValues = false
        /// Old code may do without it, depending on what the constraint or default was for.
        var isMild = false
    }

    private static func drops(_ statement: LintStatement, _ group: LintSubject.Group, _ subject: LintSubject)
        -> [LintMatch]
    {
        dropped(statement, group, subject).compactMap { drop in
            guard let phase = statement.step?.phase else {
                return LintMatch(.dropBeforeContract, statement, "\(drop.what) is dropped", level: .warning)
            }
            if phase != .contract {
                return LintMatch(
                    .dropBeforeContract, statement, "\(drop.what) is dropped in phase \(phase.rawValue)",
                    level: drop.isMild ? .warning : nil)
            }
            guard drop.losesValues, !isAcknowledged(drop, statement.step, subject) else { return nil }
            return LintMatch(.dropUnacknowledged, statement, "\(drop.what) is dropped without a note")
        }
    }

    /// The planner drops what the plan accounts for. Whoever writes a drop by hand names it in a note.
    private static func isAcknowledged(_ drop: Drop, _ step: MigrationStep?, _ subject: LintSubject) -> Bool {
        if let step, [.dropColumn, .dropTables].contains(step.operation) { return true }
        let notes = (step?.notes ?? []) + (subject.script?.notes ?? [])
        return notes.contains { $0.contains(drop.name) }
    }

    private static func dropped(
        _ statement: LintStatement, _ group: LintSubject.Group, _ subject: LintSubject
    ) -> [Drop] {
        switch statement.shape {
        case .dropTable(let tables):
            return tables.filter(subject.isInUse).map {
                Drop(what: "table \($0.text)", name: $0.text, losesValues: true)
            }
        case .drop("trigger", let name?) where !subject.createdNames.contains(name.text):
            return [Drop(what: "trigger \(name.text)", name: name.text)]
        // The planner lets new code leave a column out: old code does without what that takes away.
        case .alterTable where statement.step?.operation == .omitColumn: return []
        case .alterTable(let table, let actions) where subject.isInUse(table):
            return actions.compactMap { action in
                switch action {
                case .dropColumn(let column) where !subject.wasAdded(column, to: table):
                    return Drop(what: "column \(table.text).\(column)", name: column, losesValues: true)
                case .dropConstraint(let name) where !subject.createdNames.contains(name):
                    return isReplaced(name, on: table, in: group)
                        ? nil : Drop(what: "constraint \(name)", name: name, isMild: true)
                case .dropDefault(let column) where !subject.wasAdded(column, to: table):
                    return Drop(what: "the default of \(table.text).\(column)", name: column, isMild: true)
                default: return nil
                }
            }
        default: return []
        }
    }

    /// Widening a constraint is a drop with an addition in the same transaction.
    private static func isReplaced(_ name: String, on table: LintName, in group: LintSubject.Group) -> Bool {
        group.statements.contains { statement in
            statement.table?.text == table.text
                && statement.actions.contains { if case .addConstraint = $0 { true } else { false } }
        }
    }

    private static func renames(_ statement: LintStatement, _ group: LintSubject.Group, _ subject: LintSubject)
        -> [LintMatch]
    {
        // No old code runs any more: that is what the phase is for.
        if statement.step?.phase == .contract { return [] }
        var matches: [LintMatch] = []
        func add(_ message: String) { matches.append(LintMatch(.renameBreaksClients, statement, message)) }
        let words = statement.words
        if case .alterTable(let table, let actions) = statement.shape, subject.isInUse(table) {
            for action in actions {
                switch action {
                case .renameTable(let new) where !hasView(table.text, in: group):
                    add("table \(table.text) becomes \(new)")
                case .renameColumn(let old, _)
                where !subject.wasAdded(old, to: table) && !hasView(table.text, in: group):
                    add("column \(table.text).\(old) is renamed")
                case .other(let words) where words.starts("set", "schema"): add("\(table.text) goes to another schema")
                default: break
                }
            }
        } else if words.starts("alter", "type"), words.has("rename", "value") {
            add("an enum value is renamed")
        } else if words.has("rename", "to") || words.has("set", "schema"), let object = alteredObject(words),
            !subject.createdNames.contains(object.name), !isReplacedView(object, in: group)
        {
            add("\(object.kind) \(object.name) is renamed")
        } else if words.starts("alter", "schema"), words.has("rename", "to") {
            add("a schema is renamed")
        }
        return matches
    }

    /// What else than tables code names: the kind, and the name of the one that an `ALTER` is about.
    private static func alteredObject(_ words: LintWords) -> (kind: String, name: String)? {
        var index = words.starts("alter", "materialized") ? 2 : 1
        guard words.starts("alter"), let kind = words[index],
            ["type", "view", "function", "domain"].contains(where: kind.is)
        else { return nil }
        index += 1
        _ = words.skip("if", "exists", at: &index)
        return (kind.text, words.name(at: &index)?.text ?? "")
    }

    /// Whether it is a view whose name another view gets in the same transaction. Whoever reads one does not notice; a type or a
    /// function of that name need not be what code calls.
    private static func isReplacedView(_ object: (kind: String, name: String), in group: LintSubject.Group) -> Bool {
        object.kind == "view" && group.isTransaction
            && group.statements.contains { statement in
                guard alteredObject(statement.words)?.kind == "view",
                    let start = statement.words.index(of: "rename"), statement.words[start + 1]?.is("to") == true
                else { return false }
                var index = start + 2
                return statement.words.name(at: &index)?.text == object.name
            }
    }

    private static func hasView(_ name: String, in group: LintSubject.Group) -> Bool {
        group.statements.contains { statement in
            guard statement.words.starts("create"), let start = statement.words.index(of: "view") else { return false }
            var index = start + 1
            return statement.words.name(at: &index)?.text == name
        }
    }

    private static func triggerFunctions(
        _ statement: LintStatement, _ group: LintSubject.Group, _ subject: LintSubject
    ) -> [LintMatch] {
        guard case .alterTable(let table, let actions) = statement.shape,
            let functions = subject.target.triggerFunctions[table.text]
        else { return [] }
        var matches: [LintMatch] = []
        for case .dropColumn(let column) in actions {
            for (function, body) in functions.sorted(by: { $0.key < $1.key }) {
                // A body that cannot be taken apart is looked at as text: better once too often.
                let names =
                    (try? SQLTokenizer.tokens(of: body))?.contains { $0.name == column } ?? body.contains(column)
                let isReplaced = group.statements.contains { other in
                    other.words.starts("create", "or", "replace", "function") && other.words.mentions(function)
                }
                guard names, !isReplaced else { continue }
                matches.append(
                    LintMatch(
                        .droppedColumnInTriggerFunction, statement,
                        "\(function)() still names \(table.text).\(column)"))
            }
        }
        return matches
    }
}
