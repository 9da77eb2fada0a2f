// Relationships: inverses, counts, delete rules.
extension SchemaValidation {
    mutating func checkRelationship(_ relationship: Schema.Relationship, of entity: Schema.Entity) {
        checkInverse(relationship, of: entity)
        checkCounts(relationship, of: entity)
        checkSoftDeletion(relationship, of: entity)
        if relationship.isUnique { checkUnique(relationship, of: entity) }
        if relationship.isOrdered, relationship.isToOneRelationship {
            report(
                entity.name, relationship.name, "a to-one relationship cannot be .ordered: there is one object at most",
                remedy: "remove .ordered, or put it on the array at the other end")
        }
        if relationship.deleteRule == .deny, relationship.isToOneRelationship, !relationship.isOptional {
            report(
                entity.name, relationship.name,
                "a required relationship with the rule .deny: there always is a \(relationship.destination), so no \(entity.name) "
                    + "could ever be deleted",
                remedy: "make the property optional, or put .deny on the other side")
        }
    }

    private mutating func checkInverse(_ relationship: Schema.Relationship, of entity: Schema.Entity) {
        switch relationship.resolution {
        case .none, .found:
            break
        case .ambiguous(let names):
            let own = relationship.property?.qualifiedName ?? ""
            let theirs = names.filter { $0 != own && $0.hasPrefix(relationship.destination + ".") }
            let rivals = names.filter { $0 != own && !theirs.contains($0) }
            let problem =
                rivals.isEmpty
                ? "its inverse is ambiguous: \(theirs.joined(separator: " or "))"
                : "its inverse is ambiguous: \(theirs.joined(separator: " or ")) may belong to it or to \(rivals.joined(separator: ", "))"
            report(
                entity.name, relationship.name, problem,
                remedy:
                    "write @Relationship(inverse: \\\(theirs.first ?? relationship.destination)) on one of the two sides, "
                    + "or inverse: nil for a relationship without one")
        case .invalid(let reason):
            report(
                entity.name, relationship.name, Self.readable(reason),
                remedy: "name a relationship of \(relationship.destination) that leads back to \(entity.name)")
        }
    }

    private mutating func checkCounts(_ relationship: Schema.Relationship, of entity: Schema.Entity) {
        let minimum = relationship.minimumModelCount ?? 0
        let maximum = relationship.maximumModelCount ?? 0
        if minimum < 0 || maximum < 0 {
            report(
                entity.name, relationship.name, "a model count cannot be negative",
                remedy: "use 0 for no limit")
        } else if relationship.isToOneRelationship {
            guard minimum > 1 || maximum > 1 else { return }
            report(
                entity.name, relationship.name,
                "a to-one relationship cannot have a model count of \(max(minimum, maximum))",
                remedy: "remove the counts, or make the property an array")
        } else if maximum > 0, minimum > maximum {
            report(
                entity.name, relationship.name,
                "minimumModelCount \(minimum) is greater than maximumModelCount \(maximum)",
                remedy: "exchange them, or use 0 for no maximum")
        }
    }

    /// What is deleted softly can be restored: so must all that goes with it.
    private mutating func checkSoftDeletion(_ relationship: Schema.Relationship, of entity: Schema.Entity) {
        guard let destination = relationship.property?.destination.root else { return }
        let isLimited = (relationship.minimumModelCount ?? 0) > 0 || (relationship.maximumModelCount ?? 0) > 0
        if relationship.deleteRule == .cascade, entity.descriptor.deletionDate != nil, destination.deletionDate == nil {
            report(
                entity.name, relationship.name,
                "a \(entity.name) is deleted softly, and the rule .cascade would delete each \(relationship.destination) for good, so that it "
                    + "could not be restored with it",
                remedy:
                    "give \(destination.entityName) a @Attribute(.deletionDate) var deletedAt: Date?, or use another delete rule"
            )
        } else if !relationship.isToOneRelationship, isLimited, destination.deletionDate != nil {
            report(
                entity.name, relationship.name,
                "a \(relationship.destination) is deleted softly, and minimumModelCount and maximumModelCount count rows",
                remedy: "remove the counts")
        }
    }

    private mutating func checkUnique(_ relationship: Schema.Relationship, of entity: Schema.Entity) {
        guard !relationship.isToOneRelationship else { return }
        report(
            entity.name, relationship.name, "a to-many relationship cannot be .unique",
            remedy: "put .unique on the to-one relationship of \(relationship.destination)")
    }

    /// Classes that require each other: no first object could be made.
    mutating func checkRequiredCircles(in schema: Schema) {
        for entity in schema.entities {
            guard let circle = requiredCircle(from: entity, in: schema) else { continue }
            // Reported once, at the name that comes first.
            guard circle.allSatisfy({ $0.owner >= entity.name }) else { continue }
            report(
                entity.name, circle.first?.property,
                "required relationships form a circle, \(circle.map { "\($0.owner).\($0.property)" }.joined(separator: " → ")): "
                    + "no first object could be made",
                remedy: "make one of them optional")
        }
    }

    private struct Requirement {
        let owner: String
        let property: String
    }

    /// The way along required to-one relationships from a class back to itself.
    private func requiredCircle(from start: Schema.Entity, in schema: Schema) -> [Requirement]? {
        var visited: Set<ObjectIdentifier> = []
        func search(_ entity: Schema.Entity, _ path: [Requirement]) -> [Requirement]? {
            for relationship in entity.relationships where relationship.isToOneRelationship && !relationship.isOptional
            {
                let step = path + [Requirement(owner: entity.name, property: relationship.name)]
                // A subclass of the target will do, but it inherits what the target requires.
                guard let property = relationship.property,
                    let target = schema.entity(for: schema.classes.own(property.destination))
                else { continue }
                if start.descriptor.inherits(from: target.descriptor) { return step }
                guard visited.insert(ObjectIdentifier(target.descriptor)).inserted else { continue }
                if let found = search(target, step) { return found }
            }
            return nil
        }
        return search(start, [])
    }
}
