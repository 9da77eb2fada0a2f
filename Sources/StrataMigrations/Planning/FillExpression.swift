/// SQL that a stage declares, or a property's default, for rows without a value or for the choice of rows: what its tokens tell.
struct FillExpression {
    private let tokens: [SQLToken]

    /// What cannot be taken apart is taken for one that reads the row, and is run as it is: the server says what is wrong.
    init(_ text: String) {
        let all = (try? SQLTokenizer.tokens(of: text)) ?? []
        tokens = all.filter { $0.kind != .comment }
    }

    /// All that may be the name of a column.
    var names: Set<String> { Set(tokens.compactMap(\.name)) }

    /// Whether it calls a function that gives each row another value.
    var isVolatile: Bool {
        if case .volatile = Volatility(calling: functions) { true } else { false }
    }

    /// Whether it names no column and calls nothing but `now()`: all rows get one value, and a DEFAULT can say it.
    var isConstant: Bool {
        guard !tokens.isEmpty else { return false }
        var isType = false
        for (index, token) in tokens.enumerated() {
            if token.text == "::" {
                isType = true
            } else if let name = token.name {
                let isKnown = (isType ? Self.types : Self.constants).contains(name)
                if !isKnown, !isNow(at: index) { return false }
            } else if token.kind == .string || token.kind == .operator {
                // `[]` and `(10, 2)` belong to a type; a string or an operator ends it.
                isType = false
            }
        }
        return true
    }

    /// Whether it says when it is evaluated: once a statement, not once a row.
    var isMoment: Bool { tokens.indices.contains { isNow(at: $0) || tokens[$0].isWord("current_timestamp") } }

    private var functions: [String] {
        zip(tokens, tokens.dropFirst()).compactMap { token, next in next.text == "(" ? token.name : nil }
    }

    private func isNow(at index: Int) -> Bool {
        tokens[index].isWord("now") && tokens.dropFirst(index + 1).first?.text == "("
    }

    private static let constants: Set<String> = ["true", "false", "null", "array", "current_timestamp"]

    /// The types of columns, in the words they are written with.
    private static let types: Set<String> = [
        "text", "varchar", "boolean", "bool", "smallint", "integer", "int", "bigint", "int2", "int4", "int8", "real",
        "double", "precision", "float4", "float8", "numeric", "decimal", "uuid", "bytea", "jsonb", "date",
        "timestamptz",
        "timestamp", "with", "time", "zone", "interval",
    ]
}
