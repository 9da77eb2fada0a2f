/// `-- lint:allow L101 maintenance window on Sunday`: a finding somebody has looked at.
struct LintAllowance: Hashable, Sendable {
    static let marker = "lint:allow"

    /// As written: a code or a word.
    var name: String
    var rule: LintRule?
    var reason: String
    var line: Int
    /// Where it counts: a statement, or all of a step. Two that read the same are two.
    var scope: Scope

    enum Scope: Hashable, Sendable {
        case statement(Int)
        case step(String)
    }

    /// `nil` for any other comment or note.
    init?(_ text: String, line: Int, scope: Scope) {
        let trimmed = text.drop { $0 == "-" || $0.isWhitespace }
        guard trimmed.hasPrefix(Self.marker) else { return nil }
        let rest = trimmed.dropFirst(Self.marker.count).drop(while: \.isWhitespace)
        name = String(rest.prefix { !$0.isWhitespace })
        rule = LintRule(named: name)
        reason = rest.dropFirst(name.count).drop(while: \.isWhitespace).description
        self.line = line
        self.scope = scope
    }

    /// Why it allows nothing, whatever is found.
    var fault: String? {
        if rule == nil { return "there is no rule \(name.isEmpty ? "without a name" : name)" }
        if reason.isEmpty { return "\(name) is allowed without a reason" }
        return rule == .unusedAllow ? "\(name) cannot be allowed" : nil
    }
}
