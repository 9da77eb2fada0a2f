public import Foundation
package import StrataClient

/// The key of an object: a whole number, or a UUID.
///
/// As text it is what the database writes: `4711`, `0190163d-8694-739b-aea5-966c26f8ad91`.
public struct StoredKey: Hashable, Sendable {
    package let rowKey: RowKey

    package init(_ rowKey: RowKey) { self.rowKey = rowKey }

    /// A number.
    public init(_ number: Int64) { rowKey = RowKey(number) }

    /// A UUID; `nil` for one of no version, which no object has.
    public init?(_ uuid: UUID) {
        guard let key = RowKey(uuid) else { return nil }
        rowKey = key
    }
}

extension StoredKey: LosslessStringConvertible {
    /// Reads digits, or a UUID in any letters.
    public init?(_ description: String) {
        guard let key = RowKey(numberOrUUID: description) else { return nil }
        rowKey = key
    }

    /// Digits, or a UUID in small letters.
    public var description: String { rowKey.description }
}

extension StoredKey: ExpressibleByIntegerLiteral {
    /// A number.
    public init(integerLiteral number: Int64) { self.init(number) }
}

extension StoredKey: Comparable {
    /// As the database orders them.
    public static func < (one: StoredKey, other: StoredKey) -> Bool { one.rowKey < other.rowKey }
}
