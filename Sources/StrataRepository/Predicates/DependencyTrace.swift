import StrataModels

/// Notes what a translation asks for.
final class DependencyTrace {
    private(set) var related: Set<String> = []
    /// Those of ``related`` that were reached by a relationship whose key is not the row's own.
    private(set) var collections: Set<String> = []
    private(set) var properties: [String: Set<String>] = [:]
    private(set) var wholes: Set<String> = []
    /// Whether words are searched, which only the server does.
    private(set) var asksForWords = false

    func askForWords() { asksForWords = true }

    func use(_ property: any ModelProperty, of entity: EntityMapping) {
        for member in entity.family { properties[member.name, default: []].insert(property.name) }
    }

    /// Who is there decides.
    func range(over entity: EntityMapping) {
        if let date = entity.descriptor.deletionDate { use(date, of: entity) }
    }

    /// A link is written at either end, or in a table of its own, which history shows at both.
    func follow(_ relationship: RelationshipMapping, from entity: EntityMapping) {
        use(relationship.property, of: entity)
        let family = relationship.destination.family
        related.formUnion(family.map(\.name))
        if case .foreignKey = relationship.storage {} else { collections.formUnion(family.map(\.name)) }
        if !relationship.property.isToOne { range(over: relationship.destination) }
        if let inverse = relationship.inverse { use(inverse, of: relationship.destination) }
        if relationship.isHidden { wholes.formUnion(family.map(\.name)) }
    }
}
