package import Foundation
package import StrataClient

/// One part of a key of several columns: an attribute, or a required to-one relationship, whose column has the key of its object.
package struct KeyPart: Sendable {
    package let property: any ModelProperty
    /// What its value is in a key.
    package let kind: RowKey.Kind
    /// The type of its column where that is another one than the kind's.
    package let type: String?

    /// `nil` for a property that can be no part of a key, which the schema's validation says.
    package init?(_ property: any ModelProperty) {
        switch property {
        case let attribute as AnyAttributeProperty:
            guard let kind = attribute.partKind else { return nil }
            (self.kind, type) = (kind, attribute.partType)
        case let relationship as RelationshipProperty:
            guard relationship.isToOne else { return nil }
            (kind, type) = (relationship.destination.keyKind, nil)
        default: return nil
        }
        self.property = property
    }

    /// What an object has; `nil` where it has nothing that a row could have, or does not have it yet.
    package func value(in model: any PersistentModel) -> RowKey? {
        if let relationship = property as? RelationshipProperty {
            let reference = relationship.reference(of: model)
            // One that is in no context may have the key of another store, and gets another one here.
            if case .object(let target) = reference, target._$state.context == nil { return nil }
            return reference.key.flatMap { $0.kind == kind && $0.isFinal ? $0 : nil }
        }
        return (property as? AnyAttributeProperty)?.key(of: model).flatMap { $0.kind == kind ? $0 : nil }
    }
}

extension [KeyPart] {
    /// The key of an object; `nil` while a part is missing.
    package func key(of model: any PersistentModel) -> RowKey? {
        var values: [RowKey] = []
        for part in self {
            guard let value = part.value(in: model) else { return nil }
            values.append(value)
        }
        return RowKey(parts: values)
    }

    /// The first part that an object does not have.
    package func missing(in model: any PersistentModel) -> (any ModelProperty)? {
        first { $0.value(in: model) == nil }?.property
    }
}

extension RowKey {
    /// Bytes, as the server writes them in JSON: `\\x0aff`.
    package init?(bytes: Data) {
        var text = "\\x"
        for byte in bytes {
            if byte < 16 { text += "0" }
            text += String(byte, radix: 16)
        }
        self.init(text: text)
    }
}
