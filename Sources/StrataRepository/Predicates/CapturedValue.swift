import Foundation
import StrataClient
import StrataModels

/// A value that a predicate captured: always a parameter, never text.
struct CapturedValue {
    let value: Any
    /// The property it is compared with, for messages.
    let path: String

    init(_ value: Any, path: String) {
        self.value = value
        self.path = path
    }

    /// The value as a parameter, in the form in which `other` is stored.
    func expression(like other: SQLExpression?) throws -> SQLExpression {
        func bind<V: PostgresCodable>(_ value: V) -> SQLExpression {
            var sql = SQLFragment()
            sql.append(bind: value)
            var result = SQLExpression(sql: sql, type: V.postgresType, form: other?.form ?? .plain, path: path)
            result.mayBeNaN = isNaN
            result.digits = (value as? Decimal).flatMap(NumericPrecision.init(of:))
            return result
        }
        return bind(try scalar(like: other))
    }

    /// The value in the form in which `other` is stored.
    func scalar(like other: SQLExpression?) throws -> any PostgresCodable {
        switch other?.form ?? .plain {
        case .json: return try document()
        case .secondsSince1970:
            if let date = value as? Date { return date.timeIntervalSince1970 }
        case .opaqueText:
            if let text = Self.text(of: value) { return text }
        case .transformed:
            throw SwiftDataError(
                .unsupportedPredicate,
                "\(path) is stored by a transformer, whose bytes PostgreSQL cannot compare. Filter in memory instead.")
        case .interval: throw Self.incomparable(path)
        case .serverText(let text): return try text.text(of: value, comparedWith: path)
        case .plain: break
        }
        if let scalar = Self.scalar(value) { return scalar }
        throw SwiftDataError(
            .unsupportedPredicate,
            "A captured value of type \(type(of: value))\(path.isEmpty ? "" : ", compared with \(path),") has no form in "
                + "PostgreSQL. Capture a value of the property's type.")
    }

    /// Why intervals are not compared.
    static func incomparable(_ path: String) -> SwiftDataError {
        SwiftDataError(
            .unsupportedPredicate,
            "\(path.isEmpty ? "An interval" : path) is a CalendarInterval, and PostgreSQL takes a month for 30 days and a day for 24 hours where "
                + "it compares intervals. Filter in memory instead, or compare with nil.")
    }

    /// The value, where the other side is stored as what it is and has an order.
    func plainScalar(like other: SQLExpression) -> (any PostgresCodable)? {
        guard other.form == .plain, other.type != .bool else { return nil }
        return try? scalar(like: other)
    }

    /// The value as JSON, written as the property is.
    func document() throws -> PostgresJSONB {
        guard let encodable = value as? any Encodable else {
            throw SwiftDataError(
                .unsupportedPredicate,
                "A captured \(type(of: value)) is not Codable and cannot be compared with \(path), which is stored as JSON."
            )
        }
        return PostgresJSONB(json: try JSONForm.encoder.encode(encodable))
    }

    /// The value, or its raw value, as PostgreSQL knows it.
    static func scalar(_ value: Any) -> (any PostgresCodable)? {
        if let scalar = value as? any PostgresCodable { return scalar }
        if let raw = (value as? any RawRepresentable)?.rawValue as Any? { return scalar(raw) }
        return nil
    }

    /// The text that JSON holds for a value that has no type of its own there.
    static func text(of value: Any) -> String? {
        switch value {
        case let value as UUID: value.uuidString
        case let value as Data: value.base64EncodedString()
        case let value as URL: value.absoluteString
        default: nil
        }
    }

    /// Whether the value equals nothing, not even itself. The NaN of `Decimal` does.
    var differsFromItself: Bool { isNaN && !(value is Decimal) }

    /// Whether the value is no number, neither less nor greater than any.
    var isNaN: Bool {
        switch value {
        case let value as Double: value.isNaN
        case let value as Float: value.isNaN
        case let value as Decimal: value.isNaN
        default: (value as? any RawRepresentable).map { CapturedValue($0.rawValue, path: path).isNaN } ?? false
        }
    }
}
