package import StrataClient
package import StrataModels

/// A piece of SQL: text, identifiers and bindings. It becomes a string once, at the very end, and no value is ever
/// text.
package struct SQLFragment: Sendable, ExpressibleByStringInterpolation {
    package enum Part: Sendable {
        case text(String)
        case binding(Binding)
    }

    /// A value that travels as a parameter. Equal bindings may share one parameter number.
    package struct Binding: Sendable {
        package let type: PostgresType
        let append: @Sendable (inout PostgresParameters) throws(PostgresError) -> Void
    }

    package private(set) var parts: [Part] = []

    package init() {}
    package init(_ text: String) { parts = [.text(text)] }
    package init(stringLiteral text: String) { parts = [.text(text)] }

    package struct StringInterpolation: StringInterpolationProtocol {
        var fragment = SQLFragment()
        package init(literalCapacity: Int, interpolationCount: Int) {}
        package mutating func appendLiteral(_ text: String) {
            if !text.isEmpty { fragment.parts.append(.text(text)) }
        }
        package mutating func appendInterpolation(_ other: SQLFragment) {
            fragment.parts.append(contentsOf: other.parts)
        }
        /// A quoted identifier.
        package mutating func appendInterpolation(identifier: String) { fragment.append(identifier: identifier) }
        package mutating func appendInterpolation(_ table: TableName) { fragment.append(table) }
        /// A value, as a parameter.
        package mutating func appendInterpolation<V: PostgresCodable>(bind value: V) { fragment.append(bind: value) }
        /// Text of our own making, for example a keyword chosen by a `switch`. Never for names or values.
        package mutating func appendInterpolation(raw text: String) { fragment.append(raw: text) }
    }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.fragment }

    package mutating func append(_ other: SQLFragment) { parts.append(contentsOf: other.parts) }
    package mutating func append(raw text: String) { parts.append(.text(text)) }
    package mutating func append(identifier: String) { parts.append(.text(SQLFragment.quoted(identifier))) }
    package mutating func append(_ table: TableName) {
        parts.append(.text(SQLFragment.quoted(table.schema) + "." + SQLFragment.quoted(table.name)))
    }
    package mutating func append<V: PostgresCodable>(bind value: V) {
        parts.append(
            .binding(
                Binding(type: V.postgresType) { (parameters: inout PostgresParameters) throws(PostgresError) in
                    try parameters.append(value)
                }))
    }
    package mutating func append(bind array: PostgresArray) {
        parts.append(
            .binding(
                Binding(type: array.elementType.array) { (parameters: inout PostgresParameters) throws(PostgresError) in
                    try parameters.append(array)
                }))
    }
    package mutating func appendNull(_ type: PostgresType) {
        parts.append(
            .binding(
                Binding(type: type) { (parameters: inout PostgresParameters) throws(PostgresError) in
                    parameters.appendNull(type)
                }))
    }

    package var isEmpty: Bool { parts.isEmpty }

    /// In double quotes, those inside doubled (manual 4.1.1).
    package static func quoted(_ identifier: String) -> String {
        // Almost none has any, and searching a string for a string takes longer than all else.
        guard identifier.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(identifier)\"" }
        return "\"" + identifier.replacing("\"", with: "\"\"") + "\""
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
    package func statement(name: String? = nil) throws(SwiftDataError) -> PostgresStatement {
        var text = ""
        var parameters = PostgresParameters()
        var count = 0
        for part in parts {
            switch part {
            case .text(let piece): text += piece
            case .binding(let binding):
                count += 1
                // The type is written out: the server then plans by it, wherever the parameter stands.
                text += "$\(count)::\(binding.type)"
                do { try binding.append(&parameters) } catch {
                    throw SwiftDataError(
                        .invalidValue,
                        "\(name ?? "A statement") was not sent: the database cannot hold one of its values. \(error.message)",
                        underlying: error)
                }
            }
        }
        return PostgresStatement(text, parameters: parameters, name: name)
    }

    /// The text alone, for tests and logs: parameters as `$1`.
    package var text: String {
        var count = 0
        return parts.map { part in
            switch part {
            case .text(let piece): return piece
            case .binding(let binding):
                count += 1
                return "$\(count)::\(binding.type)"
            }
        }.joined()
    }
}
