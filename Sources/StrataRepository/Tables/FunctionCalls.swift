/// The functions that SQL of ours calls in an expression about the columns of a table.
struct FunctionCalls {
    let names: Set<String>

    /// - Parameter sql: with identifiers and texts in quotes, in which nothing is a call.
    init(in sql: String) {
        var names: Set<String> = []
        var word = ""
        var quote: Character?
        for character in sql {
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            switch character {
            case "'", "\"":
                quote = character
                word = ""
            case "(":
                if !word.isEmpty { names.insert(word.lowercased()) }
                word = ""
            case _ where character.isLetter || character.isNumber || character == "_": word.append(character)
            default: word = ""
            }
        }
        self.names = names
    }

    /// Those that may say something else another time, by all that is known of them. A generated column takes none of them, and the server says so when
    /// the table is made (PostgreSQL manual, 5.3).
    var mutable: [String] { names.subtracting(Self.immutable).sorted() }

    /// Functions that `pg_proc` calls immutable, for the arguments that predicates give them; and words that are no functions.
    private static let immutable: Set<String> = [
        "abs", "sign", "div", "mod", "round", "trunc", "floor", "ceil", "power", "least", "greatest", "coalesce",
        "nullif",
        "lower", "upper", "translate", "normalize", "regexp_replace", "replace", "strpos", "starts_with", "left",
        "right",
        "length", "octet_length", "char_length", "substr", "substring", "cardinality", "array_position", "array_length",
        "jsonb_array_length", "jsonb_typeof", "to_timestamp", "isfinite", "in", "any", "all", "some", "and", "or",
        "not", "case",
        "when", "then", "else", "end", "is", "from", "array", "row", "numeric", "between", "distinct", "values", "nfd",
        "nfc",
    ]
}
