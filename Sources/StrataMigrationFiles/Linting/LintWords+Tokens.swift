import StrataMigrations

extension LintWords {
    init(_ tokens: [SQLToken]) {
        var words: [LintWord] = []
        var depth = 0
        for token in tokens {
            let kind: LintWord.Kind
            switch token.kind {
            case .comment: continue
            case .keyword, .identifier: kind = .plain
            case .quotedIdentifier: kind = .quoted
            case .string, .parameter: kind = .string
            case .number: kind = .number
            case .operator, .punctuation: kind = .symbol
            }
            if token.text == ")", kind == .symbol { depth = max(0, depth - 1) }
            let text = kind == .string ? Self.content(token.text) : token.name ?? token.text
            words.append(LintWord(kind: kind, text: text, depth: depth))
            if token.text == "(", kind == .symbol { depth += 1 }
        }
        self.init(words: words)
    }

    /// A plain string without its quotes; anything else as written.
    private static func content(_ text: String) -> String {
        guard text.hasPrefix("'"), text.hasSuffix("'"), text.count > 1 else { return text }
        return String(text.dropFirst().dropLast())
    }
}
