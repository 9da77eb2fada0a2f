package import StrataModels

/// Takes objects out of the lists in memory that they are no part of any more, because they are softly deleted: nothing of that is an edit, and
/// no row says otherwise than before.
package struct LeftEnds {
    private let mapping: StoreMapping
    private let registered: any RegisteredObjects
    private var referrers: RegisteredReferrers
    private var classes: [ObjectIdentifier: ClassEnds] = [:]

    package init(_ mapping: StoreMapping, registered: any RegisteredObjects) {
        self.mapping = mapping
        self.registered = registered
        referrers = RegisteredReferrers(registered)
    }

    /// - Returns: the objects whose lists changed, with what they had.
    package mutating func leave(
        _ model: any PersistentModel
    ) -> [(model: any PersistentModel, originals: [OriginalValue])] {
        guard let ends = ends(of: model) else { return [] }
        var lists: [(owner: any PersistentModel, property: RelationshipProperty)] = []
        for (relationship, property) in ends.relationships {
            for owner in others(relationship, property, of: model) {
                if let inverse = property.inverse(of: model, in: owner) { lists.append((owner, inverse)) }
            }
        }
        for relationship in ends.oneWay {
            for owner in referrers.owners(relationship, of: model) {
                if let property = relationship.property(of: owner) { lists.append((owner, property)) }
            }
        }
        return lists.compactMap { owner, property in
            guard !property.isToOne, !owner._$state.changedSlots.contains(property.slot),
                property.contains(model, in: owner), let before = property.currentValue(of: owner)
            else { return nil }
            property.remove(model, from: owner)
            return (owner, [before])
        }
    }

    private mutating func ends(of model: any PersistentModel) -> ClassEnds? {
        let descriptor = type(of: model)._$descriptor
        if let known = classes[ObjectIdentifier(descriptor)] { return known }
        guard let entity = mapping.entity(for: descriptor) else { return nil }
        let made = ClassEnds(entity, mapping)
        classes[ObjectIdentifier(descriptor)] = made
        return made
    }

    /// The objects in memory at the other end: those that the object knows, and those that know it.
    private mutating func others(
        _ relationship: RelationshipMapping, _ property: RelationshipProperty, of model: any PersistentModel
    ) -> [any PersistentModel] {
        if property.isToOne {
            switch property.reference(of: model) {
            case .object(let owner): return [owner]
            case .key(let key):
                return registered.state(key: key, root: relationship.destination.root)?.model.map { [$0] } ?? []
            case .none: return []
            case .unloaded: break
            }
        } else if let objects = property.objects(of: model) {
            return objects
        }
        guard let inverse = relationship.inverse,
            let back = relationship.destination.relationships.first(where: { $0?.property.slot == inverse.slot }) ?? nil
        else { return [] }
        return referrers.owners(back, of: model)
    }
}
