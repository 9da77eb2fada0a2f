/// Something a reviewer should look at, with the reason and the way out.
package struct LintFinding: Hashable, Sendable {
    package var rule: LintRule
    package var level: LintLevel
    package var file: String?
    /// The step's id; `nil` for SQL that is not part of a stage.
    package var step: String?
    /// In the file, or in the step's statement where the file is not known.
    package var line: Int
    /// What was found, with names.
    package var message: String
    package var reason: String
    package var fix: String
    /// The statement's first line.
    package var source: String

    /// `migrations/0004_v3_v4.sql:14 (step 4.3)`.
    package var place: String {
        guard let file else { return step.map { "step \($0)" } ?? "line \(line)" }
        return "\(file):\(line)" + (step.map { " (step \($0))" } ?? "")
    }

    /// All of it for people, the way rustc shows errors.
    package var frame: String {
        let number = "\(line)"
        let margin = String(repeating: " ", count: number.count)
        var lines = [
            "\(level.rawValue)[\(rule.code)] \(rule.word): \(message)", "\(margin)--> \(place)", "\(margin) |",
            "\(number) | \(source)", "\(margin) |",
        ]
        if let lock = rule.facts.lock { lines.append("\(margin) = lock: \(lock)") }
        lines.append("\(margin) = \(reason)")
        lines.append("\(margin) = fix: \(fix)")
        return lines.joined(separator: "\n")
    }
}
