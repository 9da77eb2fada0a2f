import Foundation
import StrataClient
package import StrataModels

/// What SQL says for the initializer expression of an attribute.
///
/// The expression is Swift code: all that can be known of it is what it yields. It is evaluated several times; a value that
/// stays the same is a constant, UUIDs that differ and dates that are now have functions in SQL, and anything else has no
/// text.
package struct DefaultExpression {
    /// `'new'::text`, `0`, `gen_random_uuid()`; `nil` without a default, for `nil` as the default, and for a default that SQL
    /// cannot say.
    package let text: String?
    /// Whether it is one value, which stands in ``text``.
    package let isConstant: Bool

    /// Enough to tell `Bool.random()` from a constant.
    private static let evaluations = 24
    /// Dates so close to now are made from now (the start of today, tomorrow): as a constant they would be another one at
    /// every freezing.
    private static let nearby: TimeInterval = 2 * 86_400

    package init(_ property: AnyAttributeProperty) {
        guard let first = property.defaultValue, !Self.isUnordered(first), let encoded = Self.encoded(first, property)
        else {
            (text, isConstant) = (nil, false)
            return
        }
        if let date = Self.date(encoded, property), abs(date.timeIntervalSinceNow) < Self.nearby {
            (text, isConstant) = (abs(date.timeIntervalSinceNow) < 1 ? "now()" : nil, false)
            return
        }
        let isConstant = (1..<Self.evaluations).allSatisfy { _ in
            property.defaultValue.flatMap { Self.encoded($0, property) } == encoded
        }
        if isConstant {
            let value = SQLValueLiteral.text(encoded, of: property.columnType)
            text =
                if let stored = property.storedType {
                    value.map { "(\($0))::\(stored.unlimitedName)" }
                } else {
                    value
                }
        } else {
            text = property.columnType == .uuid ? "gen_random_uuid()" : nil
        }
        self.isConstant = isConstant && text != nil
    }

    /// The binary form; `nil` for NULL and for what cannot be stored.
    private static func encoded(_ value: Any, _ property: AnyAttributeProperty) -> [UInt8]? {
        var parameters = PostgresParameters()
        guard (try? property.append(value, to: &parameters)) == true else { return nil }
        return parameters.bytes(at: 0)
    }

    private static func date(_ bytes: [UInt8], _ property: AnyAttributeProperty) -> Date? {
        guard property.columnType == .timestamptz else { return nil }
        return bytes.withUnsafeBytes { try? Date(postgresBytes: $0) }
    }

    /// Whether the value holds a set, or a dictionary that is written as a list, of more than one element: their order is
    /// another one in every process.
    private static func isUnordered(_ value: Any, depth: Int = 0) -> Bool {
        // Objects may refer to each other in a circle.
        guard depth < 16 else { return false }
        let mirror = Mirror(reflecting: value)
        if mirror.children.count > 1 {
            if mirror.displayStyle == .set { return true }
            if mirror.displayStyle == .dictionary, !(value is any TextKeyed) { return true }
        }
        return mirror.children.contains { isUnordered($0.value, depth: depth + 1) }
    }
}

/// A dictionary that is written as an object with sorted keys.
private protocol TextKeyed {}

extension Dictionary: TextKeyed where Key: LosslessStringConvertible {}
