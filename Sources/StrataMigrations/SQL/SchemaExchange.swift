import StrataRepository

/// Puts one PostgreSQL schema in the place of another in SQL: where names are qualified with it, where a command names it, where a text holds a
/// qualified name, and where a function or a table of the library is told it.
struct SchemaExchange {
    private let old: String
    private let new: String

    init(_ old: String, by new: String) {
        (self.old, self.new) = (old, new)
    }

    /// Throws ``MigrationError`` with the code `usage` for SQL that cannot be taken apart.
    func text(of sql: String) throws(MigrationError) -> String {
        try SQLTokenizer.replacing(in: sql) { tokens, index in replacement(tokens, index) }
    }

    /// - Parameter tokens: without comments.
    private func replacement(_ tokens: [SQLToken], _ index: Int) -> String? {
        let token = tokens[index]
        if token.kind == .string { return replacement(text: token.text, tokens, index) }
        guard token.name == old else { return nil }
        let before = index > 0 ? tokens[index - 1] : nil
        let isQualifier = index + 1 < tokens.count && tokens[index + 1].text == "." && before?.text != "."
        let isNamed =
            before?.isWord("schema") == true || Self.follows(tokens, index, ["schema", "if", "not", "exists"])
        return isQualifier || isNamed ? SQLFragment.quoted(new) : nil
    }

    private func replacement(text: String, _ tokens: [SQLToken], _ index: Int) -> String? {
        if text.hasPrefix("$") { return replacement(body: text) }
        if text.hasPrefix("'" + SQLFragment.quoted(old) + ".") {
            return "'" + SQLFragment.quoted(new) + text.dropFirst(1 + SQLFragment.quoted(old).count)
        }
        guard text == SQLFragment.literal(old), isToldToLibrary(tokens, index) else { return nil }
        return SQLFragment.literal(new)
    }

    /// The first argument of a function of the library, the first value of a row of its tables, or what a row is looked for by. Any other
    /// text is a value of the user's.
    private func isToldToLibrary(_ tokens: [SQLToken], _ index: Int) -> Bool {
        guard index >= 2, tokens.contains(where: { $0.name == LibrarySchema.name }) else { return false }
        if tokens[index - 1].text == "=" { return tokens[index - 2].name == "schema_name" }
        guard tokens[index - 1].text == "(" else { return false }
        if tokens[index - 2].isWord("values") { return true }
        return index >= 4 && tokens[index - 3].text == "." && tokens[index - 4].name == LibrarySchema.name
    }

    /// A function's body is SQL; descriptions of the history are JSON, which names no schema.
    private func replacement(body text: String) -> String? {
        guard let end = text.dropFirst().firstIndex(of: "$") else { return nil }
        let tag = text[...end]
        let body = text.dropFirst(tag.count).dropLast(tag.count)
        guard !body.hasPrefix("{"), let moved = try? self.text(of: String(body)) else { return nil }
        return tag + moved + tag
    }

    private static func follows(_ tokens: [SQLToken], _ index: Int, _ words: [String]) -> Bool {
        guard index >= words.count else { return false }
        return zip(tokens[(index - words.count)..<index], words).allSatisfy { $0.isWord($1) }
    }
}
