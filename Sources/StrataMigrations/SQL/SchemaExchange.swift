import StrataRepository

/// Puts one PostgreSQL schema in the place of another in SQL: where names are qualified with it, where a command names it, where a text is a
/// qualified name in quotes, and where a function or a table of the library is told it.
///
/// Whatever else names the schema where nobody can tell what it means (within other texts, in a search path, in a function's body that is a plain
/// string) is an error: passed over, it would change the tables of somebody else.
struct SchemaExchange {
    private let old: String
    private let new: String

    init(_ old: String, by new: String) {
        (self.old, self.new) = (old, new)
    }

    /// Throws ``MigrationError`` with the code `usage`, which names the statement, for SQL that cannot be taken apart or moved.
    func text(of sql: String) throws(MigrationError) -> String {
        do { return try replaced(sql) } catch {
            throw MigrationError(
                .usage, "A statement cannot be applied to tenants: \(error.message)",
                places: error.places + ["statement: " + SQLTokenizer.onOneLine(sql).beginning(300)],
                remedy:
                    "name tables without a schema, or with that of the files outside of texts; a statement for one schema only belongs into "
                    + "files of its own")
        }
    }

    private func replaced(_ sql: String) throws(MigrationError) -> String {
        try SQLTokenizer.replacing(in: sql) { tokens, index throws(MigrationError) in try replacement(tokens, index) }
    }

    /// - Parameter tokens: without comments.
    private func replacement(_ tokens: [SQLToken], _ index: Int) throws(MigrationError) -> String? {
        let token = tokens[index]
        if token.kind == .string { return try replacement(text: token.text, tokens, index) }
        if token.kind == .quotedIdentifier, token.name == nil, index + 1 < tokens.count, tokens[index + 1].text == "." {
            throw refusal("it has a name with Unicode escapes, \(token.text), before a point.")
        }
        guard token.name == old else { return nil }
        let before = index > 0 ? tokens[index - 1] : nil
        let isQualifier = index + 1 < tokens.count && tokens[index + 1].text == "." && before?.text != "."
        let isNamed =
            before?.isWord("schema") == true || Self.follows(tokens, index, ["schema", "if", "not", "exists"])
            || Self.follows(tokens, index, ["schema", "if", "exists"])
        if isQualifier || isNamed { return SQLFragment.quoted(new) }
        if setsSearchPath(tokens) { throw refusal("it sets a search path with the schema \(old).") }
        if isFurther(tokens, index) { throw refusal("it names the schema \(old) behind another one.") }
        return nil
    }

    private func replacement(text: String, _ tokens: [SQLToken], _ index: Int) throws(MigrationError) -> String? {
        let isBody = Self.isBody(tokens, index)
        if text.hasPrefix("$"), isBody { return try replacement(body: text) }
        let quoted = "'" + SQLFragment.quoted(old) + "."
        if text.hasPrefix(quoted), !isBody {
            let rest = text.dropFirst(quoted.count)
            guard !names(String(rest)) else { throw refusal("a text names the schema \(old): \(text.beginning(60))") }
            return "'" + SQLFragment.quoted(new) + "." + rest
        }
        if text == SQLFragment.literal(old), isToldToLibrary(tokens, index) { return SQLFragment.literal(new) }
        // Descriptions of the history are JSON, which names no schema.
        if text.hasPrefix("$history$"), tokens.contains(where: { $0.name == LibrarySchema.name }) { return nil }
        if isBody ? mentions(text) : names(text) || mentions(text) && isOfSchemas(text, tokens, index) {
            throw refusal("a text names the schema \(old): \(text.beginning(60))")
        }
        return nil
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

    /// A function's body is SQL, or taken for it: one that cannot be read is an error.
    private func replacement(body text: String) throws(MigrationError) -> String? {
        guard let end = text.dropFirst().firstIndex(of: "$") else { throw refusal("a body cannot be read.") }
        let tag = text[...end]
        return tag + (try replaced(String(text.dropFirst(tag.count).dropLast(tag.count)))) + tag
    }

    // MARK: What is refused

    private func refusal(_ reason: String) -> MigrationError { MigrationError(.usage, reason) }

    /// Whether a string is the body of a function or of a block: behind AS or DO, or the language of a block.
    private static func isBody(_ tokens: [SQLToken], _ index: Int) -> Bool {
        guard index > 0 else { return false }
        if tokens[index - 1].isWord("as") || tokens[index - 1].isWord("do") { return true }
        return index >= 3 && tokens[index - 2].isWord("language") && tokens[index - 3].isWord("do")
    }

    private func setsSearchPath(_ tokens: [SQLToken]) -> Bool {
        tokens.contains { $0.name == "search_path" || $0.kind == .string && $0.text.contains("search_path") }
    }

    /// `IN SCHEMA a, public`
    private func isFurther(_ tokens: [SQLToken], _ index: Int) -> Bool {
        var index = index
        while index >= 2, tokens[index - 1].text == ",", tokens[index - 2].name != nil {
            index -= 2
            if index >= 1, tokens[index - 1].isWord("schema") { return true }
            if index >= 2, Self.follows(tokens, index, ["schema", "if", "exists"]) { return true }
        }
        return false
    }

    /// Whether a text has the schema's name before a point, behind the word schema, or in a search path.
    private func names(_ text: String) -> Bool {
        occurrences(in: text).contains { before, after in
            if after.drop(while: { $0 == "\"" || $0.isWhitespace }).first == "." { return true }
            let words = before.split { !$0.isLetter && $0 != "_" }
            return words.last == "schema" || words.suffix(2) == ["if", "exists"] || words.contains("search_path")
        }
    }

    /// Whether a text has the schema's name as a word.
    private func mentions(_ text: String) -> Bool { !occurrences(in: text).isEmpty }

    private func occurrences(in text: String) -> [(before: Substring, after: Substring)] {
        func isPart(_ character: Character?) -> Bool {
            character.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" } ?? false
        }
        var found: [(Substring, Substring)] = []
        // Without quotes capital letters are small ones.
        let (text, old) = (text.lowercased(), old.lowercased())
        for range in text.ranges(of: old) {
            let (before, after) = (text[..<range.lowerBound], text[range.upperBound...])
            if !isPart(before.last), !isPart(after.first) { found.append((before, after)) }
        }
        return found
    }

    /// Whether a text that is the schema's name is one where only schemas are named: any other is a value of the user's.
    private func isOfSchemas(_ text: String, _ tokens: [SQLToken], _ index: Int) -> Bool {
        if setsSearchPath(tokens) { return true }
        // Of the library's own statements it is known what they are told.
        if tokens.contains(where: { $0.name == LibrarySchema.name }) { return false }
        let words: Set = [
            "nspname", "schemaname", "schema_name", "table_schema", "to_regnamespace", "regnamespace",
            "has_schema_privilege",
            "constraint_schema", "sequence_schema", "routine_schema", "format", "quote_ident",
        ]
        return tokens.contains { $0.name.map(words.contains) ?? false }
    }

    private static func follows(_ tokens: [SQLToken], _ index: Int, _ words: [String]) -> Bool {
        guard index >= words.count else { return false }
        return zip(tokens[(index - words.count)..<index], words).allSatisfy { $0.isWord($1) }
    }
}
