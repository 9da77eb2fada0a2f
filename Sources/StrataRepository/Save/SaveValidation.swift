import StrataModels

/// Checks what the server cannot check: how many objects a to-many relationship has, numbers that it would round, and what properties say of
/// columns that they have in common.
enum SaveValidation {
    static func check(_ context: SaveContext) throws {
        for group in context.inserted.groups { try check(group, onlyChanged: false) }
        for group in context.changed.groups { try check(group, onlyChanged: true) }
        guard let change = context.classChange else { return }
        for group in try ModelGroups([change.model], mapping: context.mapping).groups {
            try check(group, onlyChanged: false)
        }
    }

    private static func check(_ group: ModelGroups.Group, onlyChanged: Bool) throws {
        try checkKeys(of: group, onlyChanged: onlyChanged)
        if group.entity.chain.contains(where: { !$0.composedColumns.isEmpty }) {
            for model in group.models { try group.entity.checkSharedColumns(of: model, onlyChanged: onlyChanged) }
        }
        if !group.entity.preciseProperties.isEmpty {
            for model in group.models { try checkPrecision(of: model, group.entity, onlyChanged: onlyChanged) }
        }
        let counted = group.entity.descriptor.relationships.filter {
            !$0.isToOne && ($0.metadata.minimumModelCount > 0 || $0.metadata.maximumModelCount > 0)
        }
        guard !counted.isEmpty else { return }
        for model in group.models {
            for property in counted where !onlyChanged || model._$state.changedSlots.contains(property.slot) {
                try check(property, of: model)
            }
        }
    }

    /// Whether the numbers of an object are stored as they are.
    static func checkPrecision(
        of model: any PersistentModel, _ entity: EntityMapping, onlyChanged: Bool
    ) throws {
        for property in entity.preciseProperties
        where !onlyChanged || model._$state.changedSlots.contains(property.slot) {
            guard let precision = property.precision, let value = property.decimal(of: model), !precision.holds(value)
            else { continue }
            throw SaveError.imprecise(property, precision, of: model)
        }
    }

    /// The key of an object is final from `insert` on: others refer to it.
    private static func checkKeys(of group: ModelGroups.Group, onlyChanged: Bool) throws {
        let descriptor = group.entity.descriptor
        if descriptor.hasKeyParts { return try checkParts(descriptor.keyParts, of: group, onlyChanged: onlyChanged) }
        guard let slot = group.entity.keySlot, let property = descriptor.keyProperty else { return }
        for model in group.models where !onlyChanged || model._$state.changedSlots.contains(slot) {
            guard property.key(of: model) != model._$state.key else { continue }
            throw SaveError.changedKey(property, of: model)
        }
    }

    private static func checkParts(_ parts: [KeyPart], of group: ModelGroups.Group, onlyChanged: Bool) throws {
        let slots = SlotSet(group.entity.keySlots)
        for (part, column) in zip(parts, group.entity.key.parts) where column.columnType == "bpchar" {
            for model in group.models where part.value(in: model)?.text?.hasSuffix(" ") == true {
                throw SaveError.paddedKey(part.property, column.name, of: model)
            }
        }
        for model in group.models {
            let changed = model._$state.changedSlots.intersection(slots)
            guard !onlyChanged || !changed.isEmpty, parts.key(of: model) != model._$state.key else { continue }
            let part = parts.first { changed.contains($0.property.slot) } ?? parts[0]
            throw SaveError.changedKey(parts.missing(in: model) ?? part.property, of: model)
        }
    }

    private static func check(_ property: RelationshipProperty, of model: any PersistentModel) throws {
        guard let objects = property.objects(of: model) else { return }
        let count = objects.count { !$0._$state.isDeleted }
        // A relationship that is optional and has nothing is nil, and then has no limits.
        if count == 0 && property.isOptional { return }
        let limits = property.metadata
        if count < limits.minimumModelCount || limits.maximumModelCount > 0 && count > limits.maximumModelCount {
            throw SaveError.wrongCount(property, of: model, count: count)
        }
    }
}
