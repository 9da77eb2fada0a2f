/// Which relationship is the other side of another, decided from the two classes alone, so that it holds before any
/// object is inserted and any schema is built.
///
/// An explicit `inverse:` on either side decides. Without one, the inverse is inferred when there is exactly one
/// candidate each way and neither side is a required to-one; between two to-many relationships nothing is inferred.
package enum InverseResolution: Equatable, Sendable {
    /// One-way: nothing on the other side belongs to it.
    case none
    /// The slot of the other side in the destination class (and its subclasses).
    case found(slot: Int)
    /// Several candidates; names of both sides' properties, for the error that the schema raises.
    case ambiguous([String])
    /// An explicit `inverse:` that names no relationship of the destination, or one that leads elsewhere.
    case invalid(String)

    /// - Parameter classes: which class is meant where a class of another version is named.
    init(of property: RelationshipProperty, in owner: ModelDescriptor, among classes: VersionClasses = VersionClasses())
    {
        self = InverseSearch(classes: classes).resolution(of: property, in: owner)
    }
}

/// Looks for the other side of a relationship.
private struct InverseSearch {
    let classes: VersionClasses

    func resolution(of property: RelationshipProperty, in owner: ModelDescriptor) -> InverseResolution {
        let source = owner.declaring(property)
        let destination = classes.own(property.destination)
        return switch property.metadata.inverse {
        case .none: .none
        case .explicit(let keyPath): explicit(keyPath, of: property, source: source, destination: destination)
        case .inferred: inferred(property, source: source, destination: destination)
        }
    }

    private func explicit(
        _ keyPath: AnyKeyPath, of property: RelationshipProperty, source: ModelDescriptor, destination: ModelDescriptor
    ) -> InverseResolution {
        guard let other = classes.property(keyPath, in: destination) as? RelationshipProperty else {
            return .invalid("the inverse \(keyPath) is no relationship of \(destination.entityName)")
        }
        // Every object that has the relationship must be one that its inverse may lead to, and the other way round.
        guard source.inherits(from: classes.own(other.destination)) else {
            return .invalid(
                "the inverse \(other.qualifiedName) leads to \(other.destination.entityName), not to \(source.entityName)"
            )
        }
        guard destination.declaring(other).inherits(from: destination) else {
            return .invalid(
                "the inverse \(other.qualifiedName) belongs to every \(other.declaringEntity), not only to "
                    + destination.entityName)
        }
        if case .explicit(let back) = other.metadata.inverse, classes.property(back, in: source)?.slot != property.slot
        {
            return .invalid("the inverse \(other.qualifiedName) names another inverse itself")
        }
        return .found(slot: other.slot)
    }

    private func inferred(
        _ property: RelationshipProperty, source: ModelDescriptor, destination: ModelDescriptor
    ) -> InverseResolution {
        // Named by the other side?
        let claims = destination.relationships.filter { other in
            guard case .explicit(let back) = other.metadata.inverse,
                source.inherits(from: classes.own(other.destination))
            else { return false }
            return classes.property(back, in: source)?.slot == property.slot
        }
        if claims.count == 1 { return .found(slot: claims[0].slot) }
        if claims.count > 1 { return .ambiguous(claims.map(\.qualifiedName)) }

        let theirs = candidates(in: destination, towards: source)
        let ours = candidates(in: source, towards: destination)
        guard !theirs.isEmpty else { return .none }
        guard theirs.count == 1, ours.count == 1 else {
            // To-many on both sides is never inferred, so it is not ambiguous either.
            let names = theirs + ours
            if names.allSatisfy({ !$0.isToOne }) { return .none }
            return .ambiguous(names.map(\.qualifiedName))
        }
        let other = theirs[0]
        // A reflexive relationship (Person.friend) is not its own inverse unless it says so.
        if other.slot == property.slot && source === destination { return .none }
        if !property.isToOne && !other.isToOne { return .none }
        if property.isToOne && !property.isOptional || other.isToOne && !other.isOptional { return .none }
        return .found(slot: other.slot)
    }

    /// The relationships of `descriptor` that lead to `target` and whose inverse is open.
    private func candidates(in descriptor: ModelDescriptor, towards target: ModelDescriptor)
        -> [RelationshipProperty]
    {
        descriptor.relationships.filter { relationship in
            guard case .inferred = relationship.metadata.inverse,
                target.inherits(from: classes.own(relationship.destination))
            else { return false }
            // Claimed by an explicit inverse of another relationship of the target.
            return !target.relationships.contains { other in
                guard case .explicit(let keyPath) = other.metadata.inverse else { return false }
                return classes.property(keyPath, in: descriptor)?.slot == relationship.slot
            }
        }
    }
}

extension ModelDescriptor {
    /// The class of this chain that declares `property`.
    package func declaring(_ property: any ModelProperty) -> ModelDescriptor {
        var current = self
        while let parent = current.superclass, property.slot < parent.properties.count { current = parent }
        return current
    }
}
