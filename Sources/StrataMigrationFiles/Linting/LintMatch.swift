/// A rule that applies, before levels and acknowledgements.
struct LintMatch {
    var rule: LintRule
    var statement: LintStatement
    var message: String
    /// Where it is not the rule's own.
    var level: LintLevel?

    init(_ rule: LintRule, _ statement: LintStatement, _ message: String, level: LintLevel? = nil) {
        self.rule = rule
        self.statement = statement
        self.message = message
        self.level = level
    }
}
