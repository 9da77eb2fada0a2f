/// A constraint of a table.
struct AddedConstraint: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case check, unique, primaryKey, foreignKey, exclude, notNull
    }

    var name: String?
    var kind: Kind
    /// Behind the kind's keyword.
    var rest: LintWords

    /// Begins at CONSTRAINT or at the kind.
    init?(_ words: LintWords) {
        var index = 0
        if words.skip("constraint", at: &index) { name = words.name(at: &index)?.text }
        if words.skip("check", at: &index) {
            kind = .check
        } else if words.skip("unique", at: &index) {
            kind = .unique
        } else if words.skip("primary", "key", at: &index) {
            kind = .primaryKey
        } else if words.skip("foreign", "key", at: &index) {
            kind = .foreignKey
        } else if words.skip("exclude", at: &index) {
            kind = .exclude
        } else if words.skip("not", "null", at: &index) {
            kind = .notNull
        } else {
            return nil
        }
        rest = words.from(index)
    }

    var isNotValid: Bool { rest.has("not", "valid") }
    var usesIndex: Bool { rest.has("using", "index") && rest[0]?.is("using") == true }
    /// Of a key; for a check everything it says.
    var columns: [String] { rest[0]?.is("(") == true ? rest.inside()?.names ?? [] : [] }
    var expression: LintWords { rest.inside() ?? LintWords(words: []) }
    var referenced: LintName? {
        guard var index = rest.index(of: "references").map({ $0 + 1 }) else { return nil }
        return rest.name(at: &index)
    }

    /// The column of `CHECK (column IS NOT NULL)` and of `NOT NULL column`.
    var provenNotNull: String? {
        switch kind {
        case .check:
            let words = expression.words.filter { !$0.is("(") && !$0.is(")") }
            guard words.count == 4, LintWords(words: words).matches(["is", "not", "null"], at: 1) else { return nil }
            return words[0].text
        case .notNull: return rest[0]?.text
        default: return nil
        }
    }
}
