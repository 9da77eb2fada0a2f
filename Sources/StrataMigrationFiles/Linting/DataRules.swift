import StrataRepository

/// What the data may refuse, and protection that must not lapse.
enum DataRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        narrowing(in: subject) + uniqueGaps(in: subject) + checksBeforeBackfills(in: subject)
            + subject.groups.flatMap { group in group.statements.flatMap { enumValues($0, group) } }
    }

    // MARK: - Narrowing

    /// Only stages have checks; about other SQL nothing can be said.
    private static func narrowing(in subject: LintSubject) -> [LintMatch] {
        guard subject.script != nil else { return [] }
        return subject.groups.flatMap { group in
            group.statements.compactMap { statement in
                guard let table = statement.table, subject.isInUse(table), !subject.isChecked(table),
                    let what = narrowed(statement, table, group, subject)
                else { return nil }
                return LintMatch(.uncheckedNarrowing, statement, "no check looks at \(table.text) before \(what)")
            }
        }
    }

    private static func narrowed(
        _ statement: LintStatement, _ table: LintName, _ group: LintSubject.Group, _ subject: LintSubject
    ) -> String? {
        /// New columns hold what the script puts there.
        func isOld(_ columns: [String]) -> Bool { columns.contains { !subject.wasAdded($0, to: table) } }
        let before = { (columns: [String]) in columns.map { subject.namesBefore.column($0, of: table.text) } }
        if case .createIndex(let index) = statement.shape, index.isUnique {
            let columns = index.columns + index.expressionColumns
            // Values that were unique as they are need not be so as what an expression makes of them.
            let wereUnique =
                index.expressionColumns.isEmpty && subject.renamed(table)?.hasUnique(among: before(columns)) == true
            if isOld(columns), !wereUnique { return "\(columns.joined(separator: ", ")) must be unique" }
        }
        for action in statement.actions {
            switch action {
            case .setNotNull(let column)
            where isOld([column]) && !subject.isFilled(table, column: column, before: statement):
                return "\(column) must not be null"
            case .addConstraint(let added) where added.kind == .unique && !added.usesIndex && isOld(added.columns):
                return "\(added.columns.joined(separator: ", ")) must be unique"
            // One that takes another's place has had its values checked all the time.
            case .addConstraint(let added)
            // Where a new one is NULL there is no reference (MATCH SIMPLE).
            where added.kind == .foreignKey && added.columns.allSatisfy({ isOld([$0]) })
                && !group.replaces(added, on: table):
                // The same columns may have had a key before: with another action, or to a table whose keys are all there.
                let referenced = subject.namesBefore.table(added.referenced?.text ?? "")
                let had = subject.renamed(table)?.foreignKeys.contains { key in
                    key.columns == before(added.columns) && subject.hasKeys(key.referencedTable, of: referenced)
                }
                if had != true { return "\(added.columns.joined(separator: ", ")) must refer to something" }
            default: break
            }
        }
        return nil
    }

    // MARK: - Order

    private static func uniqueGaps(in subject: LintSubject) -> [LintMatch] {
        let builds = subject.statements.compactMap { statement -> (table: String, position: Int)? in
            guard let table = statement.table, subject.isInUse(table) else { return nil }
            if case .createIndex(let index) = statement.shape {
                return index.isUnique ? (table.text, statement.position) : nil
            }
            let adds = statement.actions.contains { action in
                if case .addConstraint(let added) = action { added.kind == .unique && !added.usesIndex } else { false }
            }
            return adds ? (table.text, statement.position) : nil
        }
        return subject.groups.flatMap { group in
            group.statements.compactMap { statement -> LintMatch? in
                guard let (table, name) = droppedUnique(statement, subject) else { return nil }
                // In one transaction nobody sees the gap.
                let later = builds.contains { build in
                    build.table == table && build.position > statement.position
                        && !(group.isTransaction && group.statements.contains { $0.position == build.position })
                }
                guard later else { return nil }
                return LintMatch(
                    .uniqueProtectionGap, statement,
                    "\(name) is dropped before the next unique index of \(table) is built")
            }
        }
    }

    private static func droppedUnique(_ statement: LintStatement, _ subject: LintSubject) -> (String, String)? {
        switch statement.shape {
        case .alterTable(let table, let actions):
            for case .dropConstraint(let name) in actions {
                let isUnique = subject.old(table).map { $0.uniques.contains { $0.name == name } }
                if isUnique ?? soundsUnique(name) { return (table.text, name) }
            }
            return nil
        case .dropIndex(let names, _):
            for name in names {
                guard let before = subject.target.before else { continue }
                for table in before.tables where table.indexes.contains(where: { $0.name == name.text && $0.isUnique })
                {
                    return (table.name, name.text)
                }
            }
            return nil
        default: return nil
        }
    }

    private static func soundsUnique(_ name: String) -> Bool {
        name.hasSuffix("_key") || name.hasSuffix("_uq") || name.contains("unique")
    }

    private static func checksBeforeBackfills(in subject: LintSubject) -> [LintMatch] {
        let statements = subject.statements
        return statements.flatMap { statement -> [LintMatch] in
            guard case .alterTable(let table, let actions) = statement.shape, subject.isInUse(table) else { return [] }
            return actions.compactMap { action in
                guard case .addConstraint(let added) = action, added.kind == .check || added.kind == .notNull else {
                    return nil
                }
                let expression = added.kind == .notNull ? added.rest : added.expression
                let fill = statements.first { other in
                    guard other.position > statement.position, case .update(let updated, let rest) = other.shape,
                        updated.text == table.text
                    else { return false }
                    return assigned(rest).contains { column in
                        expression.mentions(column) && !isMet(expression, by: column, in: rest)
                    }
                }
                guard let fill else { return nil }
                return LintMatch(
                    .checkBeforeBackfill, statement,
                    "\(added.name ?? "the check") on \(table.text) comes before: \(fill.source)")
            }
        }
    }

    /// Whether the rows that the update will reach have a value until then that a list of values allows.
    private static func isMet(_ expression: LintWords, by column: String, in update: LintWords) -> Bool {
        let allowed = Set(expression.words.filter { $0.kind == .string }.map(\.text))
        guard expression.has("in"), let start = update.index(of: "where") else { return false }
        let words = update.from(start).words
        return words.indices.dropLast(2).contains { index in
            guard words[index].isName, words[index].text == column else { return false }
            if words[index + 1].is("=") {
                return words[index + 2].kind == .string && allowed.contains(words[index + 2].text)
            }
            guard words[index + 1].is("in"), words[index + 2].is("(") else { return false }
            let list = words[(index + 3)...].prefix { !$0.is(")") }.filter { !$0.is(",") }
            return !list.isEmpty && list.allSatisfy { $0.kind == .string && allowed.contains($0.text) }
        }
    }

    /// The columns an UPDATE sets.
    static func assigned(_ rest: LintWords) -> [String] {
        guard let start = rest.index(of: "set") else { return [] }
        let ends = [
            rest.index(of: "where", from: start), rest.index(of: "from", from: start),
            rest.index(of: "returning", from: start),
        ]
        let list = rest.upTo(ends.compactMap { $0 }.min() ?? rest.count).from(start + 1)
        return list.parts.flatMap { part in
            part.starts("(") ? part.inside()?.names ?? [] : part[0].map { [$0.text] } ?? []
        }
    }

    // MARK: - Enums

    private static func enumValues(_ statement: LintStatement, _ group: LintSubject.Group) -> [LintMatch] {
        let words = statement.words
        if words.starts("delete", "from"), words.mentions("pg_enum") {
            return [LintMatch(.enumValueRemoved, statement, "a row of pg_enum is deleted")]
        }
        guard words.starts("alter", "type") else { return [] }
        if words.has("drop", "value") { return [LintMatch(.enumValueRemoved, statement, "an enum value is dropped")] }
        guard let start = words.index(of: "add", "value"),
            let value = words.from(start).words.first(where: { $0.kind == .string })
        else { return [] }
        var matches: [LintMatch] = []
        if !words.has("before"), !words.has("after") {
            matches.append(LintMatch(.enumValueWithoutPlace, statement, "'\(value.text)' goes to the end"))
        }
        if group.isTransaction {
            for other in group.after(statement) where other.words.words.contains(value) || uses(value.text, other) {
                matches.append(
                    LintMatch(
                        .enumValueUsedInTransaction, other, "'\(value.text)' is used in the transaction that adds it"))
            }
        }
        return matches
    }

    private static func uses(_ value: String, _ statement: LintStatement) -> Bool {
        statement.words.words.contains { $0.kind == .string && $0.text == value }
    }
}

extension TableDefinition {
    /// Whether no two rows agreed in these columns.
    fileprivate func hasUnique(among columns: [String]) -> Bool {
        let keys = [primaryKey?.columns ?? []] + uniques.map(\.columns)
        return keys.contains { !$0.isEmpty && Set($0).isSubset(of: columns) }
    }
}
