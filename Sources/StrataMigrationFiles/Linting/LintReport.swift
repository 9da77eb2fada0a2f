import StrataMigrations

/// From matches to findings: levels, acknowledgements, places.
struct LintReport {
    let target: LintTarget
    let file: String?
    /// By the statement's position.
    private var allowances: [Int: [LintAllowance]] = [:]
    private var statements: [Int: LintStatement] = [:]
    private var unreadable: [LintFinding] = []

    init(target: LintTarget, file: String?) {
        self.target = target
        self.file = file
    }

    /// The statements; what cannot be read is a finding.
    mutating func statements(of sql: String, step: MigrationStep?) -> [TokenizedStatement] {
        do {
            let parts = try SQLTokenizer.parts(of: sql)
            for comment in parts.trailing {
                guard let allowance = LintAllowance(comment.text, line: comment.line, scope: .statement(-1)) else {
                    continue
                }
                unreadable += [unused(allowance, "no statement follows", step: step?.id, source: comment.text)]
            }
            return parts.statements
        } catch {
            let line = error.places.first?.split(separator: ":").last.flatMap { Int($0) } ?? 1
            let source = sql.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropFirst(line - 1)
                .first
            unreadable.append(
                finding(.unreadableSql, error.message, step: step?.id, line: line, source: String(source ?? "")))
            return []
        }
    }

    mutating func take(_ comments: [SQLToken], before statement: LintStatement) {
        let scope = LintAllowance.Scope.statement(statement.position)
        take(comments.compactMap { LintAllowance($0.text, line: $0.line, scope: scope) }, statement)
    }

    /// A step's notes count for all its statements.
    mutating func take(_ notes: [String], before statement: LintStatement) {
        let scope = LintAllowance.Scope.step(statement.step?.id ?? "")
        take(notes.compactMap { LintAllowance($0, line: 0, scope: scope) }, statement)
    }

    private mutating func take(_ taken: [LintAllowance], _ statement: LintStatement) {
        guard !taken.isEmpty else { return }
        allowances[statement.position, default: []] += taken
        statements[statement.position] = statement
    }

    func findings(in subject: LintSubject) -> [LintFinding] {
        let rules = [
            IndexRules.matches, ConstraintRules.matches, ColumnRules.matches, TableRules.matches, WorkRules.matches,
            TimeoutRules.matches, PhaseRules.matches, DataRules.matches, TypeRules.matches, HygieneRules.matches,
            ClientRules.matches,
        ]
        let matches = rules.flatMap { $0(subject) }.filter { isWanted($0.rule) }
        var used: Set<LintAllowance> = []
        var found: [(position: Int, finding: LintFinding)] = []
        for match in matches {
            let position = match.statement.position
            if let allowance = allowances[position]?.first(where: { $0.rule == match.rule && $0.fault == nil }) {
                used.insert(allowance)
                continue
            }
            let finding = finding(
                match.rule, match.message, level: match.level, step: match.statement.step?.id,
                line: match.statement.line,
                source: match.statement.source)
            if !found.contains(where: { $0.position == position && $0.finding == finding }) {
                found.append((position, finding))
            }
        }
        if isWanted(.unusedAllow) {
            var reported: Set<LintAllowance> = []
            for (position, taken) in allowances.sorted(by: { $0.key < $1.key }) {
                for allowance in taken where !used.contains(allowance) && reported.insert(allowance).inserted {
                    let why = allowance.fault ?? "\(allowance.name) finds nothing here"
                    let statement = statements[position]
                    found.append(
                        (position, unused(allowance, why, step: statement?.step?.id, source: statement?.source ?? "")))
                }
            }
        }
        return unreadable
            + found.sorted {
                ($0.position, $0.finding.rule.code, $0.finding.message) < (
                    $1.position, $1.finding.rule.code, $1.finding.message
                )
            }
            .map(\.finding)
    }

    private func isWanted(_ rule: LintRule) -> Bool {
        !target.optedOut.contains(rule) && (rule.level != .off || target.optedIn.contains(rule))
    }

    private func unused(_ allowance: LintAllowance, _ why: String, step: String?, source: String) -> LintFinding {
        finding(.unusedAllow, why, step: step, line: max(1, allowance.line), source: source)
    }

    private func finding(
        _ rule: LintRule, _ message: String, level: LintLevel? = nil, step: String?, line: Int, source: String
    ) -> LintFinding {
        let facts = rule.facts
        // A rule that somebody asked for is a warning.
        return LintFinding(
            rule: rule, level: max(.warning, level ?? facts.level), file: file, step: step, line: line,
            message: message,
            reason: facts.reason, fix: facts.fix, source: source)
    }
}
