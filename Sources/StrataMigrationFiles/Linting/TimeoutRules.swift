/// How long a statement waits for its lock while everyone queues behind it.
enum TimeoutRules {
    static func matches(in subject: LintSubject) -> [LintMatch] {
        subject.script == nil ? ofSettings(in: subject) : ofSteps(in: subject)
    }

    private static func ofSteps(in subject: LintSubject) -> [LintMatch] {
        subject.groups.flatMap { group -> [LintMatch] in
            guard let step = group.step, let first = group.statements.first else { return [] }
            var matches: [LintMatch] = []
            if step.lockTimeout > 0, step.lockTimeout < subject.target.deadlockTimeout {
                matches.append(tooShort(first, step.lockTimeout))
            }
            let waits = step.lock == .shareRowExclusive || step.lock == .accessExclusive
            if step.lockTimeout == 0, step.execution == .transaction,
                waits || group.statements.contains(where: { locks($0, subject) })
            {
                matches.append(
                    LintMatch(.missingLockTimeout, first, "the step waits for its lock without end"))
            }
            return matches
        }
    }

    private static func ofSettings(in subject: LintSubject) -> [LintMatch] {
        var matches = subject.statements.compactMap { statement -> LintMatch? in
            guard let timeout = statement.setting("lock_timeout").flatMap(milliseconds), timeout > 0,
                timeout < subject.target.deadlockTimeout
            else { return nil }
            return tooShort(statement, timeout)
        }
        // One finding says it all.
        if let first = subject.statements.first(where: { locks($0, subject) && ($0.lockTimeout ?? 0) == 0 }) {
            matches.append(
                LintMatch(.missingLockTimeout, first, "no lock_timeout is set before the first lock that stops others"))
        }
        return matches
    }

    private static func tooShort(_ statement: LintStatement, _ timeout: Int) -> LintMatch {
        LintMatch(.lockTimeoutTooShort, statement, "a lock_timeout of \(timeout) ms never outlasts autovacuum")
    }

    private static func locks(_ statement: LintStatement, _ subject: LintSubject) -> Bool {
        switch statement.shape {
        case .alterTable(let table, let actions):
            // Who waits to validate stops neither reads nor writes, and may wait as long as it takes.
            let onlyValidates = actions.allSatisfy { if case .validate = $0 { true } else { false } }
            return subject.isInUse(table) && !onlyValidates
        case .createIndex(let index): return !index.isConcurrent && subject.isInUse(index.table)
        case .dropIndex(let names, let concurrently):
            return !concurrently && names.contains { !subject.createdNames.contains($0.text) }
        case .dropTable(let tables): return tables.contains(where: subject.isInUse)
        default: return statement.createsTrigger || statement.words.starts("drop", "trigger")
        }
    }
}
