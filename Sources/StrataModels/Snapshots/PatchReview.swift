/// Parts what a patch may write from what it may not. Reads nothing but patch and rules.
package struct PatchReview {
    /// What it may not write.
    package private(set) var refused: [RefusedKey] = []

    package init() {}

    /// The part of a patch that may be written.
    ///
    /// - Parameters:
    ///   - target: the object that it is applied to; `nil` for a new one.
    ///   - declared: the class that the caller, or the relationship, says.
    ///   - path: the place of the object in the body; empty for the body itself.
    package mutating func permitted(
        _ content: SnapshotContent, _ rules: WriteRules, target: PersistentIdentifier?, declared: ModelDescriptor,
        at path: String = ""
    ) -> SnapshotContent {
        guard !rules.isEverything else {
            refuseUnknownKeys(in: content, at: path)
            return content
        }
        var content = content
        for key in content.unknownKeys { refuse(key, of: content, at: path, .unknown) }
        content.unknownKeys = []
        if let named = content.identifier, path.isEmpty, named != target {
            refuse("persistentModelID", of: content, at: path, .notAllowed)
            content.identifier = target
        }
        for slot in content.attributes.keys.sorted() where !rules.slots.contains(slot) {
            refuse(content.descriptor.properties[slot].name, of: content, at: path, .notAllowed)
            content.attributes[slot] = nil
        }
        for slot in content.relationships.keys.sorted() { review(slot, of: &content, rules, at: path) }
        // Whoever may make a user must not choose to make an administrator.
        if target == nil, content.descriptor !== declared {
            refuse("class", of: content, at: path, .notAllowed)
            content.descriptor = declared
        }
        return content
    }

    /// A key that is no property is a mistake, whatever may be written.
    private mutating func refuseUnknownKeys(in content: SnapshotContent, at path: String) {
        for key in content.unknownKeys { refuse(key, of: content, at: path, .unknown) }
        for (slot, relationship) in content.relationships.sorted(by: { $0.key < $1.key }) {
            guard case .objects(let objects) = relationship,
                let property = content.descriptor.properties[slot] as? RelationshipProperty
            else { continue }
            for (index, object) in objects.enumerated() {
                refuseUnknownKeys(in: object, at: Self.place(of: index, at: property, path))
            }
        }
    }

    private mutating func review(
        _ slot: Int, of content: inout SnapshotContent, _ rules: WriteRules, at path: String
    ) {
        guard let property = content.descriptor.properties[slot] as? RelationshipProperty else { return }
        let maySetMembers = rules.slots.contains(slot)
        switch content.relationships[slot] {
        case .objects(let objects) where maySetMembers || (rules.related[slot] != nil && !objects.isEmpty):
            let related = rules.related[slot] ?? WriteRules.Related(rules: WriteRules(), mayCreate: false)
            let mayCreate = maySetMembers && related.mayCreate
            var kept: [SnapshotContent] = []
            for (index, object) in objects.enumerated() {
                let place = Self.place(of: index, at: property, path)
                guard object.identifier != nil || mayCreate else {
                    refused.append(RefusedKey(property.name, of: property.declaringEntity, at: place, .newObject))
                    continue
                }
                kept.append(
                    permitted(
                        object, related.rules, target: object.identifier, declared: property.destination, at: place))
            }
            content.relationships[slot] = .objects(kept)
            if !maySetMembers { content.keptMemberships.insert(slot) }
        case .identifiers where maySetMembers, nil: break
        case .objects, .identifiers:
            refuse(property.name, of: content, at: path, .notAllowed)
            content.relationships[slot] = nil
        }
    }

    private mutating func refuse(
        _ key: String, of content: SnapshotContent, at path: String, _ reason: RefusedKey.Reason
    ) {
        let property = content.descriptor.property(named: key)
        refused.append(
            RefusedKey(
                key, of: property?.declaringEntity ?? content.descriptor.entityName, at: Self.path(path, key), reason))
    }

    /// `bucketList[2]`, `livingAccommodation`.
    package static func place(of index: Int, at property: RelationshipProperty, _ path: String) -> String {
        Self.path(path, property.name) + (property.isToOne ? "" : "[\(index)]")
    }

    private static func path(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}
