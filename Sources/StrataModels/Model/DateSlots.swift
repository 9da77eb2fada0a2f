import Foundation

/// The properties of a class that say when an object was made, and when it was last changed.
package struct DateSlots {
    /// Those marked `.creationDate`.
    package let creation: SlotSet
    /// Those marked `.modificationDate`.
    package let modification: SlotSet

    init(_ properties: [ModelProperty]) {
        func slots(_ option: Schema.Attribute.Option) -> SlotSet {
            SlotSet(
                properties.lazy.filter { ($0 as? AnyAttributeProperty)?.options.contains(option) == true }.map(\.slot))
        }
        (creation, modification) = (slots(.creationDate), slots(.modificationDate))
    }

    package var isEmpty: Bool { creation.isEmpty && modification.isEmpty }
}
