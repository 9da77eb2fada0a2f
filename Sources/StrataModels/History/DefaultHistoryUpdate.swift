/// A change of some properties of a `Model`.
///
/// All that a transaction did to the object is one update. A relationship that is a column counts as a property of the
/// class with the column; one of many to many as a property of both.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
    /// The number of the change: unique in its store, growing within a transaction.
    public let changeIdentifier: Int64
    /// The transaction that made the change.
    public let transactionIdentifier: Int64
    /// The object.
    public let changedPersistentIdentifier: PersistentIdentifier
    private let slots: SlotSet
    /// Of properties that the class does not have, or no longer.
    private let unknownNames: [String]

    package init(
        _ identifier: PersistentIdentifier, number: Int64, transaction: Int64, slots: SlotSet, unknownNames: [String]
    ) {
        changedPersistentIdentifier = identifier
        changeIdentifier = number
        transactionIdentifier = transaction
        self.slots = slots
        self.unknownNames = unknownNames
    }

    /// The properties that have another value since, inherited ones first; their key paths begin at `Model`.
    ///
    /// History keeps no values of theirs: fetch the object.
    public var updatedAttributes: [any PartialKeyPath<Model> & Sendable] {
        slots.slots.compactMap { Model._$descriptor.sendableKeyPath(at: $0) }
    }

    /// The names of these properties, and of those that the class no longer has.
    public var updatedPropertyNames: [String] {
        slots.slots.map { Model._$descriptor.properties[$0].name } + unknownNames
    }

    /// Whether the property has another value since.
    ///
    /// ```swift
    /// if update.containsAttribute(\.startDate) { reschedule(update.changedPersistentIdentifier) }
    /// ```
    public func containsAttribute(_ keyPath: PartialKeyPath<Model>) -> Bool {
        guard let property = Model._$descriptor.property(for: keyPath) else { return false }
        return slots.contains(property.slot)
    }
}

extension ModelDescriptor {
    /// The key path of a property, which begins at the class itself.
    func sendableKeyPath<Model: PersistentModel>(at slot: Int) -> (any PartialKeyPath<Model> & Sendable)? {
        guard slot < properties.count, let keyPath = properties[slot].keyPath as? PartialKeyPath<Model> else {
            return nil
        }
        // A literal without captures, and immutable; only its type does not say so.
        return sendable(keyPath)
    }
}
