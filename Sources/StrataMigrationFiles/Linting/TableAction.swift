/// One of the things an `ALTER TABLE` does.
enum TableAction: Hashable, Sendable {
    case addColumn(AddedColumn)
    case addConstraint(AddedConstraint)
    case dropColumn(String)
    case dropConstraint(String)
    case validate(String)
    case setNotNull(String)
    case dropNotNull(String)
    case setDefault(String)
    case dropDefault(String)
    case setType(column: String, type: WrittenType, using: LintWords?)
    case renameColumn(from: String, to: String)
    case renameTable(to: String)
    case other(LintWords)

    init(_ words: LintWords) {
        self =
            TableAction.addition(words) ?? TableAction.removal(words) ?? TableAction.alteration(words)
            ?? TableAction.renaming(words) ?? .other(words)
    }

    private static let constraintWords: Set<String> = [
        "constraint", "check", "unique", "primary", "foreign", "exclude",
    ]

    private static func addition(_ words: LintWords) -> TableAction? {
        guard words.starts("add"), let next = words[1] else { return nil }
        if next.kind == .plain, constraintWords.contains(next.text) || words.starts("add", "not", "null") {
            return AddedConstraint(words.from(1)).map(TableAction.addConstraint)
        }
        var index = 1
        _ = words.skip("column", at: &index)
        _ = words.skip("if", "not", "exists", at: &index)
        return AddedColumn(words.from(index)).map(TableAction.addColumn)
    }

    private static func removal(_ words: LintWords) -> TableAction? {
        guard words.starts("drop") else { return nil }
        let isConstraint = words.starts("drop", "constraint")
        var index = isConstraint || words.starts("drop", "column") ? 2 : 1
        _ = words.skip("if", "exists", at: &index)
        return words.name(at: &index).map { isConstraint ? .dropConstraint($0.text) : .dropColumn($0.text) }
    }

    private static func alteration(_ words: LintWords) -> TableAction? {
        if words.starts("validate", "constraint") { return words[2].map { .validate($0.text) } }
        guard words.starts("alter"), !words.starts("alter", "constraint") else { return nil }
        var index = words.starts("alter", "column") ? 2 : 1
        guard let column = words.name(at: &index)?.text else { return nil }
        let rest = words.from(index)
        if rest.starts("set", "not", "null") { return .setNotNull(column) }
        if rest.starts("drop", "not", "null") { return .dropNotNull(column) }
        if rest.starts("set", "default") { return .setDefault(column) }
        if rest.starts("drop", "default") { return .dropDefault(column) }
        guard rest.starts("type") || rest.starts("set", "data", "type") else { return nil }
        let using = rest.index(of: "using")
        let type = rest.upTo(using ?? rest.count).from(rest.starts("type") ? 1 : 3)
        return .setType(column: column, type: WrittenType(type), using: using.map { rest.from($0 + 1) })
    }

    private static func renaming(_ words: LintWords) -> TableAction? {
        guard words.starts("rename"), !words.starts("rename", "constraint") else { return nil }
        if words.starts("rename", "to") { return words[2].map { .renameTable(to: $0.text) } }
        let start = words.starts("rename", "column") ? 2 : 1
        guard let old = words[start], let new = words[start + 2] else { return nil }
        return .renameColumn(from: old.text, to: new.text)
    }
}
