package import StrataClient
package import StrataModels

/// A piece of SQL: text, identifiers and bindings. No value is ever text.
package struct SQLFragment: Sendable, ExpressibleByStringInterpolation {
    /// A value that travels as a parameter.
    package struct Binding: Sendable {
        package let type: PostgresType
        let append: @Sendable (inout PostgresParameters) throws(PostgresError) -> Void
        /// The column of a row that no table stands in front of, in an expression of a table: it is no value.
        var column: String?

        init(type: PostgresType, append: @escaping @Sendable (inout PostgresParameters) throws(PostgresError) -> Void) {
            self.type = type
            self.append = append
        }

        /// The place of a column.
        fileprivate init(column: String) {
            type = .unspecified
            append = { (_: inout PostgresParameters) throws(PostgresError) in
                throw PostgresError(.encoding, "the column \(column) is no value")
            }
            self.column = column
        }
    }

    /// The text without the numbers of its parameters. One string: fragments are put together for every fetch.
    private var literal = ""
    /// The parameters, each with the place of its number in the text, in UTF-8 bytes.
    private var bindings: [(offset: Int, binding: Binding)] = []
    /// The tables whose columns it names, by the aliases that they have in the statement.
    private(set) var aliases = AliasSet()

    package init() {}
    package init(_ text: String) { literal = text }
    package init(stringLiteral text: String) { literal = text }
    /// The alias of a table.
    init(alias number: Int) {
        literal = "t\(number)"
        aliases = AliasSet(number)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        var fragment = SQLFragment()
        package init(literalCapacity: Int, interpolationCount: Int) {
            fragment.literal.reserveCapacity(literalCapacity + interpolationCount * 12)
        }
        package mutating func appendLiteral(_ text: String) { fragment.literal += text }
        package mutating func appendInterpolation(_ other: SQLFragment) { fragment.append(other) }
        /// A quoted identifier.
        package mutating func appendInterpolation(identifier: String) { fragment.append(identifier: identifier) }
        package mutating func appendInterpolation(_ table: TableName) { fragment.append(table) }
        /// A value, as a parameter.
        package mutating func appendInterpolation<V: PostgresCodable>(bind value: V) { fragment.append(bind: value) }
        /// A key, as a parameter of its kind.
        package mutating func appendInterpolation(bind key: RowKey) { fragment.append(bind: key) }
        /// Keys of one kind, as an array.
        package mutating func appendInterpolation(bind keys: [RowKey], of kind: RowKey.Kind) {
            fragment.append(bind: keys, of: kind)
        }
        /// Text of our own making, for example a keyword chosen by a `switch`. Never for names or values.
        package mutating func appendInterpolation(raw text: String) { fragment.append(raw: text) }
    }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.fragment }

    package mutating func append(_ other: SQLFragment) {
        if !other.bindings.isEmpty {
            let offset = literal.utf8.count
            for (place, binding) in other.bindings { bindings.append((offset + place, binding)) }
        }
        literal += other.literal
        aliases.formUnion(other.aliases)
    }
    package mutating func append(raw text: String) { literal += text }
    package mutating func append(identifier: String) { literal += SQLFragment.quoted(identifier) }
    package mutating func append(_ table: TableName) {
        if table.isAlone { literal += "ONLY " }
        literal += SQLFragment.quoted(table.schema)
        literal += "."
        literal += SQLFragment.quoted(table.name)
    }
    package mutating func append<V: PostgresCodable>(bind value: V) {
        append(
            Binding(type: V.postgresType) { (parameters: inout PostgresParameters) throws(PostgresError) in
                try parameters.append(value)
            })
    }
    package mutating func append(bind key: RowKey) {
        append(
            Binding(type: key.kind.type) { (parameters: inout PostgresParameters) throws(PostgresError) in
                try parameters.append(key)
            })
    }
    package mutating func append(bind keys: [RowKey], of kind: RowKey.Kind) {
        append(
            Binding(type: kind.type.array) { (parameters: inout PostgresParameters) throws(PostgresError) in
                try parameters.append(PostgresArray(keys, of: kind))
            })
    }
    /// A column of the row that the expression of a table is about.
    mutating func append(column: String) { append(Binding(column: column)) }
    package mutating func append(bind array: PostgresArray) {
        append(
            Binding(type: array.elementType.array) { (parameters: inout PostgresParameters) throws(PostgresError) in
                try parameters.append(array)
            })
    }
    /// A value as the server writes it, as a parameter of its type.
    mutating func append(text: String, of type: PostgresType) {
        append(
            Binding(type: type) { (parameters: inout PostgresParameters) throws(PostgresError) in
                parameters.append(text: text, type: type)
            })
    }
    package mutating func appendNull(_ type: PostgresType) {
        append(
            Binding(type: type) { (parameters: inout PostgresParameters) throws(PostgresError) in
                parameters.appendNull(type)
            })
    }
    mutating func append(_ binding: Binding) { bindings.append((literal.utf8.count, binding)) }

    /// Whether it is the column of a table, `t0."name"`, and nothing else.
    var isColumn: Bool { bindings.isEmpty && !literal.contains { " ([".contains($0) } }

    /// The text with the values of its parameters, to be compared with others.
    func description() throws(PostgresError) -> String {
        var parameters = PostgresParameters()
        for (_, binding) in bindings { try binding.append(&parameters) }
        let values = (0..<parameters.count).map { "\(parameters.bytes(at: $0).map { "\($0)" } ?? "NULL")" }
        return ([literal] + values).joined(separator: "\n")
    }

    /// Whether there are parameters.
    var hasBindings: Bool { !bindings.isEmpty }

    /// Whether this is exactly `text`, without parameters.
    func isPlain(_ text: String) -> Bool { bindings.isEmpty && literal == text }

    /// Whether both have the same text and no parameters.
    func isSame(as other: SQLFragment) -> Bool {
        bindings.isEmpty && other.bindings.isEmpty && literal == other.literal
    }

    package var isEmpty: Bool { literal.isEmpty && bindings.isEmpty }

    /// In double quotes, those inside doubled (manual 4.1.1).
    package static func quoted(_ identifier: String) -> String {
        // Almost none has any, and searching a string for a string takes longer than all else.
        guard identifier.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(identifier)\"" }
        return "\"" + doubling("\"", in: identifier) + "\""
    }

    /// By scalars, as the server reads it: a quote with a combining accent behind it is another character to Swift.
    static func doubling(_ mark: Unicode.Scalar, in text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar)
            if scalar == mark { scalars.append(scalar) }
        }
        return String(scalars)
    }

    package func joined(_ fragments: [SQLFragment], separator: String) -> SQLFragment {
        var result = self
        for (index, fragment) in fragments.enumerated() {
            if index > 0 { result.append(raw: separator) }
            result.append(fragment)
        }
        return result
    }
}

extension [SQLFragment] {
    package func joined(separator: String) -> SQLFragment { SQLFragment().joined(self, separator: separator) }
}

extension SQLFragment {
    /// The statement: the text with `$1`, `$2`, … and the parameters in that order.
    ///
    /// Throws ``SwiftDataError`` with the code `invalidValue` for a value that cannot be sent.
    package func statement(name: String? = nil, of entity: String? = nil) throws(SwiftDataError) -> PostgresStatement {
        var parameters = PostgresParameters()
        for (_, binding) in bindings {
            do { try binding.append(&parameters) } catch {
                throw SwiftDataError(
                    .invalidValue,
                    "\(name ?? "A statement") was not sent: the database cannot hold one of its values. \(error.message)",
                    underlying: error)
            }
        }
        return PostgresStatement(text, parameters: parameters, name: name, entity: entity)
    }

    /// The text with constants in place of its parameters, as a view has them; `nil` where one has a type without constants.
    ///
    /// Throws what a value says that cannot be sent.
    func constantText() throws(PostgresError) -> String? { try columnExpression()?.sql }

    /// The same with the columns of a row, where it is about one.
    func columnExpression() throws(PostgresError) -> ColumnExpression? {
        var expression = ColumnExpression()
        let bytes = literal.utf8
        var start = bytes.startIndex
        for (place, binding) in bindings {
            let end = bytes.index(bytes.startIndex, offsetBy: place)
            expression.append(text: String(literal[start..<end]))
            start = end
            if let column = binding.column {
                expression.append(column: column)
                continue
            }
            var parameters = PostgresParameters()
            try binding.append(&parameters)
            if let value = parameters.bytes(at: 0) {
                guard let constant = SQLValueLiteral.typed(value, of: binding.type) else { return nil }
                expression.append(text: constant)
            } else {
                expression.append(text: "NULL::\(binding.type)")
            }
        }
        expression.append(text: String(literal[start...]))
        return expression
    }

    /// The text, with parameters as `$1`, `$2`, …
    package var text: String {
        guard !bindings.isEmpty else { return literal }
        var text = ""
        text.reserveCapacity(literal.utf8.count + bindings.count * 12)
        let bytes = literal.utf8
        var (start, count) = (bytes.startIndex, 0)
        for (place, binding) in bindings {
            let end = bytes.index(bytes.startIndex, offsetBy: place)
            count += 1
            text += literal[start..<end]
            // The type is written out: the server then plans by it, wherever the parameter stands.
            text += "$\(count)::\(binding.type)"
            start = end
        }
        text += literal[start...]
        return text
    }
}
