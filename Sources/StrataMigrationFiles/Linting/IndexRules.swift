/// How indexes are built, dropped and named.
enum IndexRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        subject.groups.flatMap { group in
            group.statements.flatMap { statement in
                switch statement.shape {
                case .createIndex(let index): creation(index, statement, group, subject)
                case .dropIndex(let names, let concurrently):
                    removal(names, concurrently, statement, group, subject)
                default: rebuilding(statement, group)
                }
            }
        }
    }

    private static func creation(
        _ index: LintShape.CreatedIndex, _ statement: LintStatement, _ group: LintSubject.Group, _ subject: LintSubject
    ) -> [LintMatch] {
        var matches: [LintMatch] = []
        func add(_ rule: LintRule, _ message: String) { matches.append(LintMatch(rule, statement, message)) }
        let name = index.name ?? "the index"
        if !index.isConcurrent, subject.isLarge(index.table) {
            add(.indexNotConcurrent, "\(name) on \(index.table.text) is built without CONCURRENTLY")
        }
        // A unique one has the columns of what it keeps unique: of a key, or of both sides of pairs.
        if index.columnCount > 3, !index.isUnique { add(.wideIndex, "\(name) has \(index.columnCount) columns") }
        guard index.isConcurrent else { return matches }
        if group.isTransaction {
            add(.concurrentInTransaction, "CREATE INDEX CONCURRENTLY cannot run in a transaction")
        }
        if (140_000..<140_004).contains(subject.target.serverVersion) {
            add(.concurrentIndexServer, "\(name) may become corrupt on this server")
        }
        if index.ifNotExists { add(.concurrentIndexIfNotExists, "an INVALID \(name) would be taken for a good one") }
        if let timeout = statement.lockTimeout, timeout != 0 {
            add(.lockTimeoutOnConcurrentIndex, "\(name) is built with a lock_timeout of \(timeout) ms")
        }
        return matches
    }

    private static func removal(
        _ names: [LintName], _ concurrently: Bool, _ statement: LintStatement, _ group: LintSubject.Group,
        _ subject: LintSubject
    ) -> [LintMatch] {
        if concurrently {
            guard group.isTransaction else { return [] }
            return [
                LintMatch(.concurrentInTransaction, statement, "DROP INDEX CONCURRENTLY cannot run in a transaction")
            ]
        }
        return names.filter { !subject.createdNames.contains($0.text) }.map {
            LintMatch(.dropIndexNotConcurrent, statement, "\($0.text) is dropped without CONCURRENTLY")
        }
    }

    private static func rebuilding(_ statement: LintStatement, _ group: LintSubject.Group) -> [LintMatch] {
        guard statement.words.starts("reindex") else { return [] }
        guard statement.words.hasAnywhere("concurrently") else {
            return [LintMatch(.reindexNotConcurrent, statement, "REINDEX without CONCURRENTLY")]
        }
        guard group.isTransaction else { return [] }
        return [LintMatch(.concurrentInTransaction, statement, "REINDEX CONCURRENTLY cannot run in a transaction")]
    }
}
