import StrataClient
import StrataModels
import StrataRepository

/// Rows that a save found gone, or that went with it, without that anything in memory had said so: relationships of other
/// objects must not lead to them any more.
struct GoneRows {
    private var keys: [ObjectIdentifier: Set<RowKey>] = [:]
    private let objects: Set<ObjectIdentifier>

    /// - Parameters:
    ///   - rows: what the database deleted. Objects that stand for them have left their relationships already.
    ///   - objects: objects whose rows were gone before.
    init(_ rows: [(root: EntityMapping, key: RowKey)], objects: [any PersistentModel]) {
        for (root, key) in rows { keys[ObjectIdentifier(root.descriptor), default: []].insert(key) }
        for model in objects {
            keys[ObjectIdentifier(type(of: model)._$descriptor.root), default: []].insert(model._$state.key)
        }
        self.objects = Set(objects.map { ObjectIdentifier($0) })
    }

    /// Takes the rows out of the relationships that are in memory, as the database did in its tables.
    ///
    /// - Returns: the objects that changed, with the values they had.
    func leaveRelationships(registeredIn session: StoreSession) -> [Journal.Images] {
        guard !keys.isEmpty || !objects.isEmpty else { return [] }
        var changes: [Journal.Images] = []
        session.forEachState { state in
            guard let model = state.model, state.phase == .registered else { return }
            let originals = type(of: model)._$descriptor.relationships.compactMap { property in
                state.changedSlots.contains(property.slot) ? nil : leave(property, of: model)
            }
            if !originals.isEmpty { changes.append(Journal.Images(model: model, values: originals)) }
        }
        return changes
    }

    /// The value before, or `nil` when nothing was to be done.
    private func leave(_ property: RelationshipProperty, of model: any PersistentModel) -> OriginalValue? {
        let before = property.currentValue(of: model)
        guard property.isToOne else {
            let lost = (property.objects(of: model) ?? []).filter { objects.contains(ObjectIdentifier($0)) }
            for object in lost { property.remove(object, from: model) }
            return lost.isEmpty ? nil : before
        }
        guard property.isOptional, isGone(property.reference(of: model), property),
            !isKept(property, of: type(of: model)._$descriptor)
        else { return nil }
        property.setReference(.none, of: model)
        return before
    }

    private func isGone(_ reference: Reference, _ property: RelationshipProperty) -> Bool {
        switch reference {
        case .key(let key): keys[ObjectIdentifier(property.destination.root)]?.contains(key) == true
        case .object(let object): objects.contains(ObjectIdentifier(object))
        case .none, .unloaded: false
        }
    }

    /// With `.noAction` a reference to nothing stays.
    private func isKept(_ property: RelationshipProperty, of owner: ModelDescriptor) -> Bool {
        guard case .found(let slot) = property.inverseResolution(of: owner) else { return false }
        return (property.destination.properties[slot] as? RelationshipProperty)?.deleteRule == .noAction
    }
}
