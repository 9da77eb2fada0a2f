/// SQL that fails, surprises or cannot be run again.
enum HygieneRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        subject.statements.flatMap { statement($0, subject) } + transactions(in: subject)
    }

    private static func statement(_ statement: LintStatement, _ subject: LintSubject) -> [LintMatch] {
        var matches: [LintMatch] = []
        func add(_ rule: LintRule, _ message: String) { matches.append(LintMatch(rule, statement, message)) }
        let words = statement.words
        if let name = words.words.first(where: { $0.isName && $0.text.utf8.count > 63 }) {
            add(.identifierTooLong, "\(name.text) is \(name.text.utf8.count) bytes long")
        }
        if selectsEverything(words) { add(.selectStar, "the columns are not listed") }
        if words.starts("truncate"), words.has("cascade") {
            add(.truncateCascade, "referencing tables are emptied too")
        }
        if words.starts("drop", "database") { add(.dropDatabase, "a database is dropped") }
        if case .update(_, let rest) = statement.shape, let column = repeated(DataRules.assigned(rest)) {
            add(.duplicateAssignment, "\(column) is set twice")
        }
        if let what = notRerunnable(statement) { add(.notRerunnable, "\(what) fails the second time") }
        return matches
    }

    private static func selectsEverything(_ words: LintWords) -> Bool {
        words.words.indices.contains { index in
            guard let star = words[index + 1], star.kind == .symbol, star.text == "*", let word = words[index] else {
                return false
            }
            // What EXISTS returns nobody sees.
            if word.is("select") { return !(words[index - 2]?.is("exists") ?? false) }
            return word.is(".")
        }
    }

    private static func repeated(_ names: [String]) -> String? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }

    private static func notRerunnable(_ statement: LintStatement) -> String? {
        let words = statement.words
        switch statement.shape {
        case .createTable where !words.has("if", "not", "exists"): return "CREATE TABLE"
        // With CONCURRENTLY, IF NOT EXISTS would accept an INVALID index.
        case .createIndex(let index) where !index.isConcurrent && !index.ifNotExists: return "CREATE INDEX"
        case .dropTable where !words.has("if", "exists"), .dropIndex where !words.has("if", "exists"),
            .drop where !words.has("if", "exists"):
            return "DROP"
        case .alterTable:
            if words.has("add", "column"), !words.has("add", "column", "if", "not", "exists") { return "ADD COLUMN" }
            if words.has("drop", "column"), !words.has("drop", "column", "if", "exists") { return "DROP COLUMN" }
            return nil
        default: return nil
        }
    }

    private static func transactions(in subject: LintSubject) -> [LintMatch] {
        var matches: [LintMatch] = []
        var open: LintStatement?
        for group in subject.groups {
            for statement in group.statements {
                switch statement.shape {
                case .begin:
                    if open != nil || group.step?.execution == .transaction {
                        matches.append(LintMatch(.nestedTransaction, statement, "BEGIN inside a transaction"))
                    } else {
                        open = statement
                    }
                case .commit:
                    if open == nil, group.step?.execution == .transaction {
                        matches.append(
                            LintMatch(
                                .nestedTransaction, statement, "COMMIT ends the step before its record is written"))
                    }
                    open = nil
                default:
                    if statement.words.starts("rollback"), !statement.words.has("to") { open = nil }
                }
            }
            if group.step != nil, let begin = open {
                matches.append(LintMatch(.uncommittedTransaction, begin, "the step ends without COMMIT"))
                open = nil
            }
        }
        if let open { matches.append(LintMatch(.uncommittedTransaction, open, "BEGIN has no COMMIT")) }
        return matches
    }
}
