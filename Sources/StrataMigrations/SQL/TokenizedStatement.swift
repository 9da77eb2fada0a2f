/// One statement of a text of several.
package struct TokenizedStatement: Hashable, Sendable {
    /// From its first token to its last, without the semicolon and without comments around it; those within stay.
    package let text: String
    /// The line of the first token.
    package let line: Int
    /// Without comments and without the semicolon.
    package let tokens: [SQLToken]
    /// Between the statement before, or the beginning, and the first token.
    package let comments: [SQLToken]

    package init(text: String, line: Int, tokens: [SQLToken], comments: [SQLToken]) {
        self.text = text
        self.line = line
        self.tokens = tokens
        self.comments = comments
    }

    /// Whether it begins with the given words, in lower case.
    package func begins(with words: String...) -> Bool {
        tokens.count >= words.count && zip(tokens, words).allSatisfy { $0.isWord($1) }
    }
}
