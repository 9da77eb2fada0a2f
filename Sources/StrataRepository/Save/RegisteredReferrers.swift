import StrataClient
import StrataModels

/// Who of the objects in memory points at whom.
struct RegisteredReferrers {
    private let registered: any RegisteredObjects
    /// The objects of a class that point at each object, by the class's relationship: made when first needed.
    private var owners: [ObjectIdentifier: [RowKey: [any PersistentModel]]] = [:]

    init(_ registered: any RegisteredObjects) {
        self.registered = registered
    }

    /// The registered objects whose `relationship` leads to `model`.
    mutating func owners(_ relationship: RelationshipMapping, of model: any PersistentModel) -> [any PersistentModel] {
        let id = ObjectIdentifier(relationship)
        if let known = owners[id] { return known.isEmpty ? [] : known[model._$state.key] ?? [] }
        let index = index(relationship)
        owners[id] = index
        return index[model._$state.key] ?? []
    }

    /// One pass over the registered objects of a class, for any number of deleted ones.
    private func index(_ relationship: RelationshipMapping) -> [RowKey: [any PersistentModel]] {
        var index: [RowKey: [any PersistentModel]] = [:]
        for owner in registered.registeredModels(of: relationship.owner) {
            guard let property = relationship.property(of: owner) else { continue }
            if property.isToOne {
                if let key = property.reference(of: owner).key { index[key, default: []].append(owner) }
            } else {
                for object in property.objects(of: owner) ?? [] { index[object._$state.key, default: []].append(owner) }
            }
        }
        return index
    }
}

extension RelationshipMapping {
    /// The property as one of the object's own class.
    func property(of model: any PersistentModel) -> RelationshipProperty? {
        type(of: model)._$descriptor.relationship(at: property.slot)
    }
}
