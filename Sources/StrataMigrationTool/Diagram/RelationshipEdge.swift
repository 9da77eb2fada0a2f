package import StrataMigrations

/// A relationship with both its ends, once.
package struct RelationshipEdge: Hashable, Sendable {
    package var source: String
    package var sourceCount: String
    package var target: String
    package var targetCount: String
    package var label: String

    /// Each pair of inverses as one edge, seen from the class that comes first by name.
    package static func all(in schema: FrozenSchema) -> [RelationshipEdge] {
        var seen: Set<Set<SchemaChange.Subject>> = []
        var edges: [RelationshipEdge] = []
        for entity in schema.entities {
            for relationship in entity.relationships {
                let back = inverse(of: relationship, in: schema)
                let ends: Set = [
                    SchemaChange.Subject(entity.name, relationship.name),
                    SchemaChange.Subject(back?.entity ?? relationship.destination, back?.relationship.name),
                ]
                guard seen.insert(ends).inserted else { continue }
                edges.append(
                    RelationshipEdge(
                        source: entity.name, sourceCount: back.map { count($0.relationship) } ?? "*",
                        target: relationship.destination, targetCount: count(relationship),
                        label: [relationship.name, back?.relationship.name].compactMap { $0 }
                            .joined(separator: " / ")))
            }
        }
        return edges
    }

    /// The inverse may be declared by a superclass of the destination.
    private static func inverse(
        of relationship: FrozenRelationship, in schema: FrozenSchema
    ) -> (entity: String, relationship: FrozenRelationship)? {
        guard let name = relationship.inverse, let destination = schema.entity(named: relationship.destination) else {
            return nil
        }
        for entity in schema.chain(of: destination).reversed() {
            if let found = entity.relationships.first(where: { $0.name == name }) { return (entity.name, found) }
        }
        return nil
    }

    private static func count(_ relationship: FrozenRelationship) -> String {
        guard relationship.isToOne else { return "*" }
        return relationship.isOptional ? "0..1" : "1"
    }
}
