/// A column with what stands behind its type.
struct AddedColumn: Hashable, Sendable {
    var name: String
    var type: WrittenType
    var rest: LintWords

    init?(_ words: LintWords) {
        guard let name = words[0], name.isName, words.count > 1 else { return nil }
        let end =
            words.words.indices.dropFirst(2).first { index in
                let word = words.words[index]
                return word.depth == words.outermost && word.kind == .plain && Self.ends.contains(word.text)
            } ?? words.count
        self.name = name.text
        type = WrittenType(words.upTo(end).from(1))
        rest = words.from(end)
    }

    private static let ends: Set<String> = [
        "constraint", "not", "null", "default", "check", "unique", "primary", "references", "generated", "collate",
        "storage", "compression",
    ]

    /// The expression behind DEFAULT.
    var defaultExpression: LintWords? {
        guard let start = rest.index(of: "default"), !(rest[start - 1]?.is("by") ?? false),
            !(rest[start - 1]?.is("set") ?? false)
        else { return nil }
        let words = rest.from(start + 1)
        let end = words.words.indices.dropFirst().first { index in
            let word = words.words[index]
            // `DEFAULT NULL` begins with a word that ends an expression, hence the first is never looked at.
            return word.depth == words.outermost && word.kind == .plain && Self.ends.contains(word.text)
        }
        return words.upTo(end ?? words.count)
    }

    var isNotNull: Bool { rest.has("not", "null") || rest.has("primary", "key") }
    var isIdentity: Bool { rest.has("as", "identity") }
    var isSerial: Bool { ["serial", "bigserial", "smallserial", "serial4", "serial8", "serial2"].contains(type.name) }
    var isGenerated: Bool { rest.has("generated", "always", "as") && !isIdentity }
}
