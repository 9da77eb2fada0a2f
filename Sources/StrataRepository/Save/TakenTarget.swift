package import StrataClient
package import StrataModels

/// An object that a save gave to an owner by a to-many relationship without an inverse. The table has room for one owner.
package struct TakenTarget {
    package let relationship: RelationshipMapping
    package let target: RowKey
    package let owner: RowKey

    /// Takes the objects out of the arrays of other owners, in memory only.
    ///
    /// - Returns: the owners that changed, with the values they had.
    package static func settle(
        _ taken: [TakenTarget], registered: any RegisteredObjects
    ) -> [(model: any PersistentModel, originals: [OriginalValue])] {
        guard !taken.isEmpty else { return [] }
        var changes: [(model: any PersistentModel, originals: [OriginalValue])] = []
        for (_, group) in Dictionary(grouping: taken, by: { ObjectIdentifier($0.relationship) }) {
            guard let relationship = group.first?.relationship else { continue }
            let owners = Dictionary(group.map { ($0.target, $0.owner) }, uniquingKeysWith: { $1 })
            for model in registered.registeredModels(of: relationship.owner) {
                if let original = leave(owners, model, relationship.property.slot) {
                    changes.append((model, [original]))
                }
            }
        }
        return changes
    }

    private static func leave(_ owners: [RowKey: RowKey], _ model: any PersistentModel, _ slot: Int) -> OriginalValue? {
        guard let property = type(of: model)._$descriptor.relationship(at: slot),
            !model._$state.changedSlots.contains(slot), let objects = property.objects(of: model)
        else { return nil }
        let lost = objects.filter { owners[$0._$state.key].map { $0 != model._$state.key } ?? false }
        guard !lost.isEmpty else { return nil }
        let original = OriginalObjects(objects)
        original.slot = slot
        for target in lost { property.remove(target, from: model) }
        return original
    }
}
