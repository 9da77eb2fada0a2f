public import StrataModels

/// What a save does with a new object whose unique values a row has already.
public enum UniquePolicy: Hashable, Sendable {
    /// The row is updated with the new object's values, and the new object takes the row's identifier. Of several new
    /// objects with the same values the last one inserted wins. This is what SwiftData does. A date of creation stays the row's, and one
    /// that is softly deleted is there again.
    case upsert
    /// The save fails with `SwiftDataError.uniqueConstraint`; nothing is written.
    case fail
    /// The row stays as it is, and the new object takes its identifier and its values. Of several new objects with the same
    /// values the first one inserted wins.
    case ignore
    /// The row is updated with some of the new object's values; written as ``upsert(updating:_:)``.
    case upsertUpdating(UpsertedProperties)

    /// The row is updated with these properties of the new object, and its dates of change and of deletion, and keeps all others; the new object takes the row's identifier
    /// and its other values. Where there is no row, all of the object is stored.
    ///
    /// ```swift
    /// context.uniquePolicy = .upsert(updating: \Product.name, \.price)
    /// ```
    /// Concerns objects of the class and its subclasses. Objects of other classes are written whole, unless
    /// ``updating(_:_:)`` names some of their properties too.
    public static func upsert<T: PersistentModel>(
        updating first: PartialKeyPath<T>, _ more: PartialKeyPath<T>...
    ) -> UniquePolicy {
        .upsertUpdating(UpsertedProperties().adding([first] + more))
    }

    /// The same, with the properties that are updated in rows of another class.
    ///
    /// Without effect on ``fail`` and ``ignore``, which update nothing.
    public func updating<T: PersistentModel>(_ first: PartialKeyPath<T>, _ more: PartialKeyPath<T>...) -> UniquePolicy {
        switch self {
        case .upsert: .upsertUpdating(UpsertedProperties().adding([first] + more))
        case .upsertUpdating(let properties): .upsertUpdating(properties.adding([first] + more))
        case .fail, .ignore: self
        }
    }

    /// Whether rows are updated.
    package var writesRows: Bool {
        switch self {
        case .upsert, .upsertUpdating: true
        case .fail, .ignore: false
        }
    }

    /// Throws where a property is named that has no column.
    ///
    /// - Throws: `SwiftDataError` with the code `unsupportedKeyPath`.
    func requireColumns(in mapping: StoreMapping) throws {
        guard case .upsertUpdating(let properties) = self, let problem = properties.withoutColumn(in: mapping) else {
            return
        }
        throw SwiftDataError(
            .unsupportedKeyPath,
            "uniquePolicy .upsert(updating:) names \(problem), which has no column that an upsert could write. Name attributes, and "
                + "to-one relationships whose foreign key is in the class's own table.")
    }

    /// The properties that are updated in rows of a class; `nil` for all.
    ///
    /// A row that is there was made before the new object, and is changed now.
    package func updatedSlots(of descriptor: ModelDescriptor) -> SlotSet? {
        let dates = descriptor.dates
        if var slots = namedSlots(of: descriptor) {
            slots.formUnion(dates.ofPresence)
            return slots
        }
        guard !dates.creation.isEmpty else { return nil }
        var slots = SlotSet(descriptor.properties.indices)
        slots.subtract(dates.creation)
        return slots
    }

    /// The properties of a class that the policy names; `nil` where it names none of the class.
    func namedSlots(of descriptor: ModelDescriptor) -> SlotSet? {
        guard case .upsertUpdating(let properties) = self else { return nil }
        return properties.slots(of: descriptor)
    }
}

/// The properties that an upsert writes where the row exists, by class. Made by ``UniquePolicy/upsert(updating:_:)``.
public struct UpsertedProperties: Hashable, Sendable {
    private var slots: [ObjectIdentifier: SlotSet] = [:]
    /// Key paths that lead to nothing that has a column.
    private(set) var unsupported: [String] = []

    init() {}

    func adding<T: PersistentModel>(_ keyPaths: [PartialKeyPath<T>]) -> UpsertedProperties {
        var copy = self
        for keyPath in keyPaths {
            let property = T._$descriptor.property(for: keyPath)
            let isStored =
                switch property {
                case let attribute as AnyAttributeProperty: !attribute.isEphemeral && !attribute.isGenerated
                case let relationship as RelationshipProperty: relationship.isToOne
                default: false
                }
            guard let property, isStored else {
                copy.unsupported.append(property?.qualifiedName ?? "\(keyPath)")
                continue
            }
            copy.slots[ObjectIdentifier(T._$descriptor), default: SlotSet()].insert(property.slot)
        }
        return copy
    }

    /// The first property that has no column.
    func withoutColumn(in mapping: StoreMapping) -> String? {
        if let first = unsupported.first { return first }
        for entity in mapping.entities {
            guard let slots = slots[ObjectIdentifier(entity.descriptor)] else { continue }
            if let slot = slots.slots.first(where: { entity.columns[$0] == nil }) {
                return entity.descriptor.properties[slot].qualifiedName
            }
        }
        return nil
    }

    /// What was said of the class, or of the nearest of its superclasses.
    func slots(of descriptor: ModelDescriptor) -> SlotSet? {
        var current: ModelDescriptor? = descriptor
        while let candidate = current {
            if let slots = slots[ObjectIdentifier(candidate)] { return slots }
            current = candidate.superclass
        }
        return nil
    }
}
