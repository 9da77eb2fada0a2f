import Testing

@testable import StrataMigrationFiles
@testable import StrataMigrations

/// SQL in which a rule must fire, next to SQL in which it must not.
struct LintCase: CustomTestStringConvertible, Sendable {
    let rule: LintRule
    let firing: String
    let quiet: String
    var target: LintTarget

    init(_ rule: LintRule, _ firing: String, quiet: String, target: LintTarget = LintTarget()) {
        self.rule = rule
        self.firing = firing
        self.quiet = quiet
        self.target = target
        self.target.optedIn.insert(rule)
    }

    var testDescription: String { "\(rule.code) \(firing)" }
}

func expectOnlyFiring(_ example: LintCase) {
    let lint = MigrationLint(target: example.target)
    #expect(lint.findings(sql: example.firing).contains { $0.rule == example.rule }, "does not fire")
    let wrong = lint.findings(sql: example.quiet).filter { $0.rule == example.rule }
    #expect(wrong.isEmpty, "fires where all is well")
}
