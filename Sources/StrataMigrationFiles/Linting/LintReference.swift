/// The page about all rules, made from what the rules say about themselves.
package enum LintReference {
    package static var markdown: String {
        var lines = [
            "# Lint rules", "",
            "This page is generated from `LintRule`; a test keeps it equal. Numbers were measured on PostgreSQL 15",
            "with tables of 5 million rows.", "",
            "A finding that somebody has looked at is acknowledged by name, with a reason, on the line above the",
            "statement, or in a note of the step:", "",
            "```sql", "-- lint:allow L101 the table has ten rows", "CREATE INDEX …", "```", "",
            "Nothing is said about locks on tables the script itself creates, nor about scans and rewrites of tables",
            "known to be small. What is not known about the target (old types, row estimates) makes a finding more",
            "likely, never less.",
        ]
        for family in LintRule.Family.allCases {
            lines += ["", "## \(family.title)", ""]
            lines += ["| rule | level | lock | why | instead | versions |", "|---|---|---|---|---|---|"]
            for rule in LintRule.allCases where rule.family == family {
                let facts = rule.facts
                let cells = [
                    "`\(rule.code)` `\(rule.word)`", facts.level.rawValue, facts.lock ?? "", facts.reason, facts.fix,
                    facts.versions ?? "all",
                ]
                lines.append("| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
