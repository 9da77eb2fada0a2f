extension ColumnExpression {
    /// Whether it is NULL wherever one of its columns is, and nothing is computed of that one then: all that it has are operators and functions which
    /// the server does not run with NULL (`proisstrict` of `pg_proc`). `false` where that is not known.
    var isStrict: Bool {
        var words: [String] = []
        for place in parts.indices where place % 2 == 0 {
            var (word, isInText) = ("", false)
            for character in parts[place] + " " {
                if character == "'" { isInText.toggle() }
                guard !isInText else { continue }
                if character.isLetter || character.isNumber || character == "_" {
                    word.append(character)
                } else if !word.isEmpty {
                    words.append(word.lowercased())
                    word = ""
                }
            }
        }
        return words.allSatisfy { Self.strict.contains($0) || $0.allSatisfy(\.isNumber) }
    }

    /// Functions that predicates call, and the types that they cast to. `least`, `concat` and `coalesce` are none of them: they pass over NULL.
    private static let strict: Set<String> = [
        "abs", "sign", "div", "mod", "round", "trunc", "floor", "ceil", "power", "length", "octet_length",
        "char_length",
        "substr", "substring", "left", "right", "replace", "translate", "strpos", "starts_with",
        "bigint", "integer", "smallint", "numeric", "text", "uuid", "boolean", "date", "timestamptz", "int8", "int4",
        "int2",
    ]
}
