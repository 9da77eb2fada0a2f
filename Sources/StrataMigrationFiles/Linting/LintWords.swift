import StrataMigrations

/// A run of words: a statement, or a part of one.
struct LintWords: Hashable, Sendable {
    var words: [LintWord]

    var isEmpty: Bool { words.isEmpty }
    var count: Int { words.count }
    var outermost: Int { words.first?.depth ?? 0 }

    subscript(index: Int) -> LintWord? { words.indices.contains(index) ? words[index] : nil }

    func starts(_ keywords: String...) -> Bool { matches(keywords, at: 0) }

    func matches(_ keywords: [String], at index: Int) -> Bool {
        words.count >= index + keywords.count
            && zip(words[index...], keywords).allSatisfy { word, keyword in word.is(keyword) }
    }

    /// Where the keywords stand in a row, outside parentheses.
    func index(of keywords: String..., from start: Int = 0) -> Int? {
        words.indices.dropFirst(start).first { words[$0].depth == outermost && matches(keywords, at: $0) }
    }

    func has(_ keywords: String...) -> Bool {
        words.indices.contains { words[$0].depth == outermost && matches(keywords, at: $0) }
    }

    /// Also inside parentheses.
    func hasAnywhere(_ keywords: String...) -> Bool {
        words.indices.contains { matches(keywords, at: $0) }
    }

    func from(_ index: Int) -> LintWords { LintWords(words: Array(words.dropFirst(max(0, index)))) }
    func upTo(_ index: Int) -> LintWords { LintWords(words: Array(words.prefix(max(0, index)))) }

    /// The parts between commas outside parentheses.
    var parts: [LintWords] {
        words.split(omittingEmptySubsequences: true) { $0.depth == outermost && $0.is(",") }
            .map { LintWords(words: Array($0)) }
    }

    /// What stands inside the first parentheses at or after `index`.
    func inside(from index: Int = 0) -> LintWords? {
        guard let open = words.indices.dropFirst(max(0, index)).first(where: { words[$0].is("(") }) else { return nil }
        let depth = words[open].depth
        let close = words.indices.dropFirst(open + 1).first { words[$0].is(")") && words[$0].depth == depth }
        return LintWords(words: Array(words[(open + 1)..<(close ?? words.endIndex)]))
    }

    /// A name, with or without its schema, at `index`, which moves behind it.
    func name(at index: inout Int) -> LintName? {
        guard let first = self[index], first.isName else { return nil }
        index += 1
        guard let dot = self[index], dot.is("."), let second = self[index + 1], second.isName else {
            return LintName(schema: nil, text: first.text)
        }
        index += 2
        return LintName(schema: first.text, text: second.text)
    }

    /// Skips the keywords that stand at `index`.
    func skip(_ keywords: String..., at index: inout Int) -> Bool {
        guard matches(keywords, at: index) else { return false }
        index += keywords.count
        return true
    }

    /// The names in a list of columns.
    var names: [String] { parts.compactMap { $0[0].flatMap { $0.isName ? $0.text : nil } } }

    /// The columns that an expression in a list mentions; none of a column as it is.
    var expressionColumns: [String] {
        guard self[0]?.isName != true || self[1]?.is("(") == true else { return [] }
        return words.indices.filter { place in
            let (before, after) = (self[place - 1], self[place + 1])
            return words[place].isName && !words[place].is("collate") && before?.is("collate") != true
                && before?.is("::") != true && after?.is("(") != true
        }.map { words[$0].text }
    }

    func mentions(_ name: String) -> Bool { words.contains { $0.isName && $0.text == name } }
}

extension Volatility {
    init(_ expression: LintWords) {
        let words = zip(expression.words, expression.words.dropFirst())
        self.init(calling: words.filter { $0.isName && $1.is("(") }.map(\.0.text))
    }
}
