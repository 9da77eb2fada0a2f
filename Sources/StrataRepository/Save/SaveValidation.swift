import StrataModels

/// Checks what the server cannot check: how many objects a to-many relationship has (12.11).
struct SaveValidation {
    private let mapping: StoreMapping
    /// The relationships with limits, by class.
    private var counted: [ObjectIdentifier: [RelationshipProperty]] = [:]
    private var latest: (descriptor: ModelDescriptor, counted: [RelationshipProperty])?

    init(_ mapping: StoreMapping) {
        self.mapping = mapping
    }

    mutating func check(_ request: SaveRequest) throws {
        for model in request.inserted { try check(model, only: nil) }
        for model in request.changed { try check(model, only: model._$state.changedSlots) }
    }

    private mutating func check(_ model: any PersistentModel, only slots: SlotSet?) throws {
        for property in try counted(model) where slots?.contains(property.slot) != false {
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

    private mutating func counted(_ model: any PersistentModel) throws -> [RelationshipProperty] {
        let descriptor = type(of: model)._$descriptor
        if let latest, latest.descriptor === descriptor { return latest.counted }
        let list = try counted[ObjectIdentifier(descriptor)] ?? makeCounted(model, descriptor)
        counted[ObjectIdentifier(descriptor)] = list
        latest = (descriptor, list)
        return list
    }

    private func makeCounted(
        _ model: any PersistentModel, _ descriptor: ModelDescriptor
    ) throws -> [RelationshipProperty] {
        guard mapping.entity(for: descriptor) != nil else { throw SaveError.unknownClass(model) }
        return descriptor.relationships.filter {
            !$0.isToOne && ($0.metadata.minimumModelCount > 0 || $0.metadata.maximumModelCount > 0)
        }
    }
}
