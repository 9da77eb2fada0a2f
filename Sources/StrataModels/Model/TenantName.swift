import Foundation

/// A tenant whose rows lie beside those of others, as the server is told: the text of a value of `String`, `UUID`, `Int` or `Int64`.
///
/// Equal values have one text: a UUID is written in small letters, a number without zeros before it.
package struct TenantName: Hashable, Sendable {
    package let text: String

    /// The tenant that a value of a property names; `nil` for values that name none: `""`, 0, a UUID of zeros, and what is of another type.
    init?(of value: Any) {
        switch value {
        case let text as String where !text.isEmpty: self.text = text
        case let uuid as UUID where uuid != Self.zeros: text = uuid.uuidString.lowercased()
        case let number as Int where number != 0: text = "\(number)"
        case let number as Int64 where number != 0: text = "\(number)"
        default: return nil
        }
    }

    /// The tenant of a name, for a property of this type; `nil` where no value of the type has this text.
    package init?(_ name: String, as type: Any.Type) {
        guard let value = Self.value(name, type), let tenant = Self(of: value), !tenant.text.contains("\0") else {
            return nil
        }
        self = tenant
    }

    /// Whether a property of this type can name tenants.
    package static func isName(_ type: Any.Type) -> Bool { kind(type) != nil }

    /// What is meant by a name for values of this type, for messages.
    package static func meaning(_ type: Any.Type) -> String {
        switch kind(type) {
        case .uuid: "a UUID that is not all zeros"
        case .number: "a number that is not 0"
        default: "a text that is not empty and has no zero byte"
        }
    }

    private enum Kind { case text, uuid, number }

    private static func kind(_ type: Any.Type) -> Kind? {
        if type == String.self || type == String?.self { return .text }
        if type == UUID.self || type == UUID?.self { return .uuid }
        let isNumber = type == Int.self || type == Int?.self || type == Int64.self || type == Int64?.self
        return isNumber ? .number : nil
    }

    private static func value(_ name: String, _ type: Any.Type) -> Any? {
        switch kind(type) {
        case .text: name
        case .uuid: UUID(uuidString: name)
        case .number: Int64(name)
        case nil: nil
        }
    }

    /// The value of a property of this type.
    func value<Value>(as type: Value.Type) -> Value? {
        guard let value = Self.value(text, type) else { return nil }
        if let value = value as? Value { return value }
        return (value as? Int64).map { Int($0) } as? Value
    }

    private static let zeros = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
