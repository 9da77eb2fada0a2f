import StrataModels

/// What delete rules look at for the objects of one class: its relationships, and those without an inverse that lead to it.
final class ClassEnds {
    let descriptor: ModelDescriptor
    let relationships: [(mapping: RelationshipMapping, property: RelationshipProperty)]
    let cascades: [(mapping: RelationshipMapping, property: RelationshipProperty)]
    let oneWay: [RelationshipMapping]

    init(_ entity: EntityMapping, _ mapping: StoreMapping) {
        descriptor = entity.descriptor
        relationships = entity.relationships.compactMap { relationship in
            guard let relationship,
                let property = entity.descriptor.relationship(at: relationship.property.slot)
            else { return nil }
            return (relationship, property)
        }
        cascades = relationships.filter { $0.mapping.property.deleteRule == .cascade }
        oneWay = mapping.referencesWithoutInverse(to: entity)
    }
}

extension StoreMapping {
    /// The relationships that lead to a class or one of its superclasses and that the class knows nothing of.
    func referencesWithoutInverse(to entity: EntityMapping) -> [RelationshipMapping] {
        let chain = entity.chain
        // Rows of a view follow what they show.
        return entities.filter { !$0.isView }.flatMap { owner in
            owner.relationships[owner.descriptor.ownSlots].compactMap { relationship in
                guard let relationship, relationship.inverse == nil,
                    chain.contains(where: { $0 === relationship.destination })
                else { return nil }
                return relationship
            }
        }
    }
}
