import StrataModels

/// Checks what the server cannot check: how many objects a to-many relationship has (12.11).
struct SaveValidation {
    private let mapping: StoreMapping
    /// The relationships with limits, by the index of the class.
    private let counted: [[RelationshipProperty]]

    init(_ mapping: StoreMapping) {
        self.mapping = mapping
        counted = mapping.entities.map(Self.counted)
    }

    func check(_ request: SaveRequest) throws {
        guard counted.contains(where: { !$0.isEmpty }) else { return }
        for model in request.inserted { try check(model, only: nil) }
        for model in request.changed { try check(model, only: model._$state.changedSlots) }
    }

    private func check(_ model: any PersistentModel, only slots: SlotSet?) throws {
        guard let entity = mapping.entity(for: type(of: model)) else { throw SaveError.unknownClass(model) }
        for property in counted[entity.index] where slots?.contains(property.slot) != false {
            guard let objects = property.objects(of: model) else { continue }
            let count = objects.count { !$0._$state.isDeleted }
            // A relationship that is optional and has nothing is nil, and then has no limits.
            if count == 0 && property.isOptional { continue }
            let limits = property.metadata
            if count < limits.minimumModelCount || limits.maximumModelCount > 0 && count > limits.maximumModelCount {
                throw SaveError.wrongCount(property, of: model, count: count)
            }
        }
    }

    private static func counted(_ entity: EntityMapping) -> [RelationshipProperty] {
        entity.descriptor.properties.compactMap { property in
            guard let relationship = property as? RelationshipProperty, !relationship.isToOne,
                relationship.metadata.minimumModelCount > 0 || relationship.metadata.maximumModelCount > 0
            else { return nil }
            return relationship
        }
    }
}
