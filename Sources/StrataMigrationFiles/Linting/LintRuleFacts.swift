/// What people are told about a rule.
package struct LintRuleFacts: Hashable, Sendable {
    package var level: LintLevel
    /// The lock the flagged form takes, as the manual names it; `nil` where no lock is the point.
    package var lock: String?
    /// Where it holds, if not everywhere.
    package var versions: String?
    package var reason: String
    package var fix: String

    init(_ level: LintLevel, lock: String? = nil, versions: String? = nil, _ reason: String, fix: String) {
        self.level = level
        self.lock = lock
        self.versions = versions
        self.reason = reason
        self.fix = fix
    }
}

extension LintRule {
    package var facts: LintRuleFacts {
        switch family {
        case .locking: lockingFacts
        case .data, .hygiene: dataFacts
        case .clients: clientFacts
        }
    }

    package var level: LintLevel { facts.level }
}
