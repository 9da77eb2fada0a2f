/// A token as the rules look at it: no comments, keywords in lower case, names without their quotes.
struct LintWord: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A keyword or a name without quotes.
        case plain
        /// A name in quotes: never a keyword.
        case quoted
        case string
        case number
        case symbol
    }

    var kind: Kind
    var text: String
    /// How many parentheses are open around it; a parenthesis belongs to what is outside of it.
    var depth: Int

    func `is`(_ keyword: String) -> Bool { text == keyword && (kind == .plain || kind == .symbol) }
    var isName: Bool { kind == .plain || kind == .quoted }
}
