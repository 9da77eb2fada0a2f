/// SQL about the columns of one row, such as the condition of a partial index or a check: text in which the columns can be told from
/// the rest, so that it follows when they are renamed.
package struct ColumnExpression: Hashable, Sendable {
    /// Text and columns in turn, beginning and ending with text.
    private(set) var parts: [String]

    /// What PostgreSQL prints, in which nothing tells columns from the rest.
    package init(printed: String) { parts = [printed] }

    init() { parts = [""] }

    mutating func append(text: String) { parts[parts.count - 1] += text }
    mutating func append(column: String) { parts += [column, ""] }

    mutating func append(_ other: ColumnExpression) {
        parts[parts.count - 1] += other.parts[0]
        parts += other.parts.dropFirst()
    }

    static func isNotNull(_ column: String) -> ColumnExpression {
        var sql = ColumnExpression()
        sql.append(column: column)
        sql.append(text: " IS NOT NULL")
        return sql
    }

    /// The columns, each as often as it is mentioned.
    package var columns: [String] { parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] } }

    /// The SQL, with something else in the place of each column.
    package func sql(_ column: (String) throws -> String) rethrows -> String {
        try parts.indices.map { try $0 % 2 == 1 ? column(parts[$0]) : parts[$0] }.joined()
    }

    /// The same about columns of other names; `nil` where one has none.
    package func renaming(_ name: (String) -> String?) -> ColumnExpression? {
        var renamed = self
        for place in parts.indices where place % 2 == 1 {
            guard let other = name(parts[place]) else { return nil }
            renamed.parts[place] = other
        }
        return renamed
    }
}

extension ColumnExpression: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(printed: text) }
}

/// What is printed is a text, as it has always been; anything else the list of its parts.
extension ColumnExpression: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            parts = [text]
            return
        }
        parts = try container.decode([String].self)
        guard parts.count % 2 == 1 else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "text and columns take turns, and both ends are text")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if parts.count == 1 { try container.encode(parts[0]) } else { try container.encode(parts) }
    }
}
