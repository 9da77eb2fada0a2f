public import Foundation
import StrataClient
public import StrataModels

/// A value that is part of a key of several columns: an `Int` or `Int64`, a `UUID`, a `String`, a `Date`, a `CalendarDate`, `Data`, or for a relationship the `PersistentIdentifier` of its
/// object. A type of your own that conforms is refused.
public protocol KeyPartValue: Sendable {}

extension Int: KeyPartValue {}
extension Int64: KeyPartValue {}
extension UUID: KeyPartValue {}
extension String: KeyPartValue {}
extension Date: KeyPartValue {}
extension CalendarDate: KeyPartValue {}
extension Data: KeyPartValue {}
extension PersistentIdentifier: KeyPartValue {}

extension KeyPartValue {
    /// As rows have it; `nil` for a value that no row has.
    var rowKey: RowKey? {
        switch self {
        case let number as Int: RowKey(Int64(number))
        case let number as Int64: RowKey(number)
        case let uuid as UUID: RowKey(uuid)
        case let text as String: RowKey(text: text)
        case let date as Date: RowKey(date)
        case let day as CalendarDate: RowKey(text: day.description)
        case let bytes as Data: RowKey(bytes: bytes)
        case let identifier as PersistentIdentifier: identifier.key
        default: nil
        }
    }
}

extension KeyPart {
    /// Whether a value is one of this part.
    func takes(_ value: any KeyPartValue, of store: String) -> Bool {
        guard let identifier = value as? PersistentIdentifier else {
            // A text with the character 0 is one, and of no row.
            return value.rowKey.map { $0.kind == kind } ?? (value is String && kind == .text)
        }
        guard let relationship = property as? RelationshipProperty, identifier.storeIdentifier == store else {
            return false
        }
        return relationship.destination.descendant(named: identifier.entityName) != nil && identifier.key.kind == kind
    }
}
