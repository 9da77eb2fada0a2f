package import StrataMigrations

/// Reads scripts the way an experienced reviewer does: what locks, what rewrites, what old code would miss.
///
/// It reads text and what is known about the target; it never connects.
package struct MigrationLint: Sendable {
    package var target: LintTarget

    package init(target: LintTarget = LintTarget()) {
        self.target = target
    }

    /// What there is to say about a stage, in the order of its statements.
    ///
    /// - Parameters:
    ///   - file: the name for places.
    ///   - text: what the file says, for its lines and for acknowledgements in comments.
    package func findings(in script: StageScript, file: String? = nil, text: String? = nil) -> [LintFinding] {
        var report = LintReport(target: target, file: file)
        var written = ((try? text.map { try SQLTokenizer.statements(of: $0) }) ?? nil ?? [])[...]
        var groups: [LintSubject.Group] = []
        var position = 0
        for step in script.steps {
            if case .closure = step.execution { continue }
            if step.execution == .verify { continue }
            var group = LintSubject.Group(isTransaction: step.execution == .transaction, step: step, statements: [])
            for source in step.statements {
                for parsed in report.statements(of: source, step: step) {
                    var statement = LintStatement(parsed, position: position, step: step)
                    var comments = parsed.comments
                    if let index = written.firstIndex(where: { $0.tokens.map(\.text) == parsed.tokens.map(\.text) }) {
                        statement.line = written[index].line
                        comments += written[index].comments
                        written = written[(index + 1)...]
                    }
                    report.take(comments, before: statement)
                    report.take(step.notes, before: statement)
                    group.statements.append(statement)
                    position += 1
                }
            }
            groups.append(group)
        }
        return report.findings(in: LintSubject(groups: groups, target: target, script: script))
    }

    /// What there is to say about SQL that somebody wrote by hand.
    package func findings(sql: String, file: String? = nil) -> [LintFinding] {
        var report = LintReport(target: target, file: file)
        var groups: [LintSubject.Group] = []
        var isOpen = false
        var timeout: Int?
        var isUnrecorded = false
        for (position, parsed) in report.statements(of: sql, step: nil).enumerated() {
            var statement = LintStatement(parsed, position: position)
            if let value = statement.setting("lock_timeout") { timeout = milliseconds(value) }
            if statement.words.mentions("strata"), let value = statement.setting("history") {
                isUnrecorded = value == "off"
            }
            statement.lockTimeout = timeout
            statement.isUnrecorded = isUnrecorded
            report.take(parsed.comments, before: statement)
            if isOpen, let last = groups.indices.last {
                groups[last].statements.append(statement)
            } else {
                groups.append(
                    LintSubject.Group(isTransaction: statement.shape == .begin, step: nil, statements: [statement]))
            }
            if statement.shape == .begin { isOpen = true }
            if statement.shape == .commit || statement.words.starts("rollback") && !statement.words.has("to") {
                isOpen = false
            }
        }
        return report.findings(in: LintSubject(groups: groups, target: target))
    }
}
