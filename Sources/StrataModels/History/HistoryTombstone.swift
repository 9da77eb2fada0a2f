/// What is left of a deleted object: the values of its properties that are marked `.preserveValueOnDeletion`.
///
/// ```swift
/// let name = delete.tombstone[\.name] as? String
/// for (property, value) in delete.tombstone { print(property, value) }
/// ```
public struct HistoryTombstone<Model: PersistentModel>: Sequence, Sendable {
    /// A property and its value.
    public typealias Element = (property: PartialKeyPath<Model>, value: any Sendable)

    /// The values as the database kept them, by slot, in ascending order.
    private let values: [(slot: Int, json: StoredJSON)]

    package init(_ values: [(slot: Int, json: StoredJSON)]) {
        self.values = values
    }

    /// The value that a property had, in the property's type.
    ///
    /// `nil` if the property was `nil` or not preserved, or if its type has changed so that the value does not fit any
    /// more.
    public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
        guard let property = Model._$descriptor.property(for: keyPath) as? AnyAttributeProperty,
            let json = values.first(where: { $0.slot == property.slot })?.json
        else { return nil }
        return Self.value(of: property, json)
    }

    /// Goes through the values that were preserved and are not `nil`, inherited properties first.
    public func makeIterator() -> AnyIterator<Element> {
        var rest = values[...]
        return AnyIterator {
            while let (slot, json) = rest.popFirst() {
                guard slot < Model._$descriptor.properties.count else { continue }
                let property = Model._$descriptor.properties[slot]
                guard let attribute = property as? AnyAttributeProperty,
                    let keyPath = attribute.keyPath as? PartialKeyPath<Model>,
                    let value = Self.value(of: attribute, json)
                else { continue }
                return (keyPath, value)
            }
            return nil
        }
    }

    private static func value(of property: AnyAttributeProperty, _ json: StoredJSON) -> (any Sendable)? {
        // Made anew for every caller, so nobody else can have it. `as Any` keeps the value in its box.
        property.value(from: json).map { unsafeBitCast($0 as Any, to: (any Sendable).self) }
    }
}
