/// The smallest piece of SQL that means something, and comments.
package struct SQLToken: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A word of PostgreSQL's list of key words, reserved or not.
        case keyword
        /// Any other word.
        case identifier
        /// `"Trip"`, `U&"d\0061t\+000061"`.
        case quotedIdentifier
        /// `'…'`, `E'…'`, `$tag$…$tag$`, `B'…'`, `X'…'`, `N'…'`, `U&'…'`, as written.
        case string
        case number
        /// `$1`.
        case parameter
        case `operator`
        /// One of `( ) [ ] , ; . : :: :=`.
        case punctuation
        /// From `--` to the end of the line (without it), or `/* … */`.
        case comment
    }

    package let kind: Kind
    /// As written.
    package let text: String
    /// The line it begins on, from 1.
    package let line: Int

    package init(kind: Kind, text: String, line: Int) {
        self.kind = kind
        self.text = text
        self.line = line
    }

    /// Whether this is the given word, unquoted; `word` in lower case.
    package func isWord(_ word: String) -> Bool { isWord && text.lowercased() == word }

    /// Whether this is a word without quotes, of the language's or of ours.
    package var isWord: Bool { kind == .keyword || kind == .identifier }

    /// The name it stands for, where it may be one: folded to lower case without quotes, as it is within them
    /// (manual 4.1.1).
    package var name: String? {
        switch kind {
        case .keyword, .identifier: text.lowercased()
        case .quotedIdentifier where text.hasPrefix("\""):
            String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"")
        default: nil
        }
    }

    /// What two tokens have in common that make no difference: words in lower case, line ends as they are on Unix,
    /// whatever version control made of them.
    package var canonicalText: String { isWord ? text.lowercased() : text.replacing("\r\n", with: "\n") }
}
