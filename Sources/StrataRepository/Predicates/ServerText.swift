import StrataClient
import StrataModels

/// A value of a type that the server knows by its name, as the text that the server writes of it, which is what models read.
///
/// It is no text where it is compared: `[1,2]` and `[1.0, 2.0]` are the same vector, which only the type's own operators know.
struct ServerText: Equatable {
    /// The type without its limits, to which texts are cast.
    let type: String
    /// Whether `=` in PostgreSQL says the same as `==` in Swift.
    let isComparable: Bool
    /// Whether it stands in a table's own condition, where the server takes no cast from a text.
    let isInCondition: Bool

    /// The value of the type, out of a text of it.
    func value(of text: SQLFragment) -> SQLFragment { "(\(text))::\(raw: type)" }

    /// The same of a list.
    func values(of texts: SQLFragment) -> SQLFragment { "(\(texts))::\(raw: type)[]" }

    /// The text of a value that a predicate captured.
    ///
    /// - Throws: `unsupportedPredicate` for a value of another type, and where values of this one are not compared.
    func text(of value: Any, comparedWith path: String) throws -> String {
        try requireEquality(of: path)
        guard let value = value as? any PostgresTextCodable else {
            throw SwiftDataError(
                .unsupportedPredicate,
                "\(path) is \(type) in the database and is compared with a value of \(Swift.type(of: value)). Compare it with one value of the property's type, or with "
                    + "nil.")
        }
        return value.postgresText
    }

    /// Refuses a comparison that would not mean the same as in memory.
    func requireEquality(of path: String) throws {
        if isInCondition {
            throw SwiftDataError(
                .unsupportedPredicate,
                "\(path) is \(type) in the database, and the condition of a table or of an index cannot compare it. Compare it with nil there."
            )
        }
        guard !isComparable else { return }
        throw SwiftDataError(
            .unsupportedPredicate,
            "\(path) is \(type) in the database, which PostgreSQL does not compare as Swift does (isPostgresComparable is false). Filter in memory instead, or "
                + "compare with nil.")
    }
}

extension SQLExpression {
    /// What stands for the value in a comparison: itself, or the value of its type. The column stands there as it is, so that its indexes serve: a
    /// cast to its own type is none to the server.
    var comparand: SQLFragment {
        guard case .serverText(let text) = form else { return operand }
        return text.value(of: unconverted ?? sql)
    }

    /// Refuses what the form of the value does not let the server compare as Swift does.
    func requireEquality() throws {
        switch form {
        case .interval: throw CapturedValue.incomparable(path)
        case .serverText(let text): try text.requireEquality(of: path)
        case .plain, .json, .secondsSince1970, .opaqueText, .transformed: break
        }
    }
}

extension Translation {
    /// How far a value is from another one.
    ///
    /// An index of the property finds the nearest by it.
    func distance(of value: SQLExpression, _ distance: DistanceTerm) throws -> SQLExpression {
        guard case .serverText(let text) = value.form else {
            throw unsupported(
                "the distance of \(value.path)", "name a property in a type that the server knows by its name")
        }
        guard distance.typeName == text.type, distance.isOperator else {
            throw unsupported(
                "the distance \(distance.symbol) between \(value.path), which is \(text.type), and a \(distance.typeName)",
                "name an operator of the property's type, such as <->")
        }
        return SQLExpression(
            sql: "(\(value.comparand) \(raw: distance.symbol) \(text.value(of: "\(bind: distance.text)")))",
            type: .float8,
            nullness: value.nullness, requires: value.requires, path: "The distance of \(value.path)")
    }
}
