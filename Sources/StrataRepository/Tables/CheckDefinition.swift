/// A check constraint.
package struct CheckDefinition: Codable, Hashable, Sendable {
    package enum Condition: Codable, Hashable, Sendable {
        /// `column IN ('a', 'b')`: the classes of a hierarchy.
        case isOneOf(column: String, values: [String])
        /// Anything else.
        case expression(ColumnExpression)
    }

    package var name: String
    package var condition: Condition

    package init(name: String, condition: Condition) {
        self.name = name
        self.condition = condition
    }

    /// The columns that it is about, as far as they are known.
    package var columns: [String] {
        switch condition {
        case .isOneOf(let column, _): [column]
        case .expression(let expression): expression.columns
        }
    }

    /// The same about columns of other names; `nil` where one has none.
    package func renaming(_ name: (String) -> String?) -> CheckDefinition? {
        switch condition {
        case .isOneOf(let column, let values):
            name(column).map { CheckDefinition(name: self.name, condition: .isOneOf(column: $0, values: values)) }
        case .expression(let expression):
            expression.renaming(name).map { CheckDefinition(name: self.name, condition: .expression($0)) }
        }
    }
}

extension CheckDefinition.Condition {
    /// Reads what `pg_get_expr` prints: `IN` over text comes back as `(class = ANY (ARRAY['Trip'::text, …]))`, a list of one
    /// as `(class = 'Trip'::text)`.
    package init(printed: String) {
        self = Self.memberships(in: printed) ?? .expression(ColumnExpression(printed: printed))
    }

    private static func memberships(in printed: String) -> Self? {
        var rest = Substring(printed)
        func take(_ text: String) -> Bool {
            guard rest.hasPrefix(text) else { return false }
            rest.removeFirst(text.count)
            return true
        }
        guard take("("), let column = takeIdentifier(&rest), take(" = ") else { return nil }
        let isList = take("ANY (ARRAY[")
        var values: [String] = []
        repeat {
            guard let value = takeLiteral(&rest), take("::text") else { return nil }
            values.append(value)
        } while isList && take(", ")
        guard take(isList ? "]))" : ")"), rest.isEmpty else { return nil }
        return .isOneOf(column: column, values: values)
    }

    private static func takeIdentifier(_ text: inout Substring) -> String? {
        if text.first == "\"" { return takeQuoted("\"", &text) }
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        guard !name.isEmpty else { return nil }
        text = text.dropFirst(name.count)
        return String(name)
    }

    /// A string constant; PostgreSQL prints one with a backslash as `E'…'` with the backslashes doubled.
    private static func takeLiteral(_ text: inout Substring) -> String? {
        let isEscaped = text.first == "E"
        if isEscaped { text.removeFirst() }
        guard let value = takeQuoted("'", &text) else { return nil }
        return isEscaped ? value.replacing("\\\\", with: "\\") : value
    }

    private static func takeQuoted(_ quote: Character, _ text: inout Substring) -> String? {
        guard text.first == quote else { return nil }
        text.removeFirst()
        var value = ""
        while let character = text.popFirst() {
            if character == quote {
                guard text.first == quote else { return value }
                text.removeFirst()
            }
            value.append(character)
        }
        return nil
    }
}
