import Foundation

/// The properties of a class that say when an object was made, when it was last changed, and when it was deleted.
package struct DateSlots: Sendable {
    /// Those marked `.creationDate`.
    package let creation: SlotSet
    /// Those marked `.modificationDate`.
    package let modification: SlotSet
    /// The one marked `.deletionDate`; `nil` where objects are deleted for good.
    package let deletion: Int?

    init(_ properties: [any ModelProperty]) {
        func slots(_ option: Schema.Attribute.Option) -> SlotSet {
            SlotSet(
                properties.lazy.filter { ($0 as? AnyAttributeProperty)?.options.contains(option) == true }.map(\.slot))
        }
        (creation, modification) = (slots(.creationDate), slots(.modificationDate))
        deletion = slots(.deletionDate).slots.first
    }

    /// Whether saves set none of them.
    package var isEmpty: Bool { creation.isEmpty && modification.isEmpty && deletion == nil }

    /// What is written beside the rest where a row comes, or goes softly: it is changed, and whether it is there.
    package var ofPresence: SlotSet {
        var slots = modification
        if let deletion { slots.insert(deletion) }
        return slots
    }
}
