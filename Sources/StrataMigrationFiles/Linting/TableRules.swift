/// What takes or rewrites a whole table.
enum TableRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        var matches: [LintMatch] = []
        subject.forEachAction { action, table, statement, group in
            guard case .other(let words) = action else { return }
            if words.starts("detach", "partition") {
                if !words.has("concurrently") {
                    matches.append(
                        LintMatch(.detachNotConcurrent, statement, "a partition of \(table.text) is detached"))
                } else if group.isTransaction {
                    matches.append(
                        LintMatch(
                            .concurrentInTransaction, statement, "DETACH … CONCURRENTLY cannot run in a transaction"))
                }
            }
            let rewrites = ["logged", "unlogged", "tablespace", "access"].contains {
                words.matches(["set", $0], at: 0)
            }
            if rewrites, subject.isLarge(table) {
                matches.append(LintMatch(.storageRewrite, statement, "\(table.text) is copied"))
            }
        }
        for statement in subject.statements {
            let words = statement.words
            if words.starts("cluster") || (words.starts("vacuum") && words.hasAnywhere("full")) {
                matches.append(LintMatch(.vacuumFull, statement, "a table is rewritten under lock"))
            }
            if words.starts("lock"), !words.starts("lock", "timeout") {
                matches.append(LintMatch(.lockTable, statement, "a table is locked explicitly"))
            }
        }
        return matches
    }
}
