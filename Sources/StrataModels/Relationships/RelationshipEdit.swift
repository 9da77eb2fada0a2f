/// Writes a relationship and keeps the other side in step: at once, before and after `insert`, with or without a
/// context. Each write that a `save()` must see is recorded in the object it belongs to.
package enum RelationshipEdit {
    // MARK: To-one

    static func assign(_ new: (any PersistentModel)?, to property: RelationshipProperty, of owner: any PersistentModel)
    {
        guard isAllowed(new, property, owner) else { return }
        // The partner it had must forget it, so it must be known who that was; so must the partner of the new one.
        guard !property.hasInverse(in: owner) || isKnown(property, of: owner) else { return }
        if let new, let inverse = property.inverse(of: owner, in: new), inverse.isToOne {
            guard isKnown(inverse, of: new) else { return }
        }
        let old = property.reference(of: owner)
        let leadsThere = new.map(old.points) ?? false
        if leadsThere {
            record(property, of: owner)
        } else {
            detachOld(old, property, owner)
            point(property, of: owner, at: new)
        }
        guard let new else { return }
        // Also where it leads there already: the other end may have read meanwhile that the row says otherwise.
        if let inverse = property.inverse(of: owner, in: new) {
            if !inverse.isToOne {
                add(owner, to: inverse, of: new)
            } else if !leadsThere || !inverse.contains(owner, in: new) {
                steal(new, inverse, for: owner, property)
                point(inverse, of: new, at: owner)
            }
        }
        insertTogether(owner, new)
    }

    /// The old target forgets the owner.
    private static func detachOld(_ old: Reference, _ property: RelationshipProperty, _ owner: any PersistentModel) {
        guard let target = resolved(old, property, owner), let inverse = property.inverse(of: owner, in: target) else {
            return
        }
        if inverse.isToOne {
            if leadsBack(inverse, of: target, to: owner) { point(inverse, of: target, at: nil) }
        } else {
            take(owner, from: inverse, of: target)
        }
    }

    /// One-to-one: the partner `new` had until now loses it.
    private static func steal(
        _ new: any PersistentModel, _ inverse: RelationshipProperty, for owner: any PersistentModel,
        _ property: RelationshipProperty
    ) {
        guard let partner = resolved(inverse.reference(of: new), inverse, new), partner !== owner,
            let back = inverse.inverse(of: new, in: partner), back.isToOne
        else { return }
        point(back, of: partner, at: nil)
    }

    // MARK: To-many

    /// - Parameter new: of the class that the relationship leads to.
    static func assign(_ new: [AnyObject], to property: RelationshipProperty, of owner: any PersistentModel) {
        guard isKnown(property, of: owner), let change = property.change(to: new, of: owner) else { return }
        let added = property.models(change.added)
        if owner._$state.hasContext {
            guard added.allSatisfy({ isAllowed($0, property, owner) }) else { return }
        }
        // Who comes must leave where it was, so it must be known where that is.
        guard added.allSatisfy({ knowsOwner($0, property, owner) }) else { return }
        record(property, of: owner)
        for object in property.models(change.removed) {
            guard let inverse = property.inverse(of: owner, in: object) else { continue }
            if inverse.isToOne {
                if leadsBack(inverse, of: object, to: owner) { point(inverse, of: object, at: nil) }
            } else {
                take(owner, from: inverse, of: object)
            }
        }
        property.replaceObjects(change, of: owner)
        for object in added {
            if let inverse = property.inverse(of: owner, in: object) {
                if inverse.isToOne {
                    leaveOldOwner(object, inverse, property, newOwner: owner)
                    point(inverse, of: object, at: owner)
                } else {
                    add(owner, to: inverse, of: object)
                }
            }
            insertTogether(owner, object)
        }
        noteClaim(on: added, property, of: owner)
    }

    /// There is room for one owner in the row of an object that does not know its own: the last that claims it has it.
    private static func noteClaim(
        on objects: [any PersistentModel], _ property: RelationshipProperty, of owner: any PersistentModel
    ) {
        guard !objects.isEmpty, !property.hasInverse(in: owner) else { return }
        owner._$state.context?.noteClaim(on: objects, by: owner)
    }

    private static func knowsOwner(
        _ object: any PersistentModel, _ property: RelationshipProperty, _ owner: any PersistentModel
    ) -> Bool {
        // Without a context nothing is to be loaded.
        guard object._$state.hasContext, let inverse = property.inverse(of: owner, in: object), inverse.isToOne
        else { return true }
        return isKnown(inverse, of: object)
    }

    /// One-to-many: an object that moves to `newOwner` leaves the array of the owner it had.
    private static func leaveOldOwner(
        _ object: any PersistentModel, _ inverse: RelationshipProperty, _ property: RelationshipProperty,
        newOwner: any PersistentModel
    ) {
        guard let oldOwner = resolved(inverse.reference(of: object), inverse, object), oldOwner !== newOwner,
            let theirs = inverse.inverse(of: object, in: oldOwner)
        else { return }
        take(object, from: theirs, of: oldOwner)
    }

    // MARK: One side

    /// Adds to a to-many end, if that end is in memory. One that is not will see the change when it is loaded.
    private static func add(
        _ object: any PersistentModel, to property: RelationshipProperty, of owner: any PersistentModel
    ) {
        guard property.isLoaded(in: owner) else { return }
        guard !property.contains(object, in: owner) else { return }
        record(property, of: owner)
        property.append(object, to: owner)
    }

    private static func take(
        _ object: any PersistentModel, from property: RelationshipProperty, of owner: any PersistentModel
    ) {
        guard property.isLoaded(in: owner) else { return }
        record(property, of: owner)
        property.remove(object, from: owner)
    }

    /// Points a to-one end somewhere else. It keeps its target alive unless the target already keeps it alive: that way
    /// a parent and its children are no cycle once they belong to a context.
    private static func point(
        _ property: RelationshipProperty, of owner: any PersistentModel, at target: (any PersistentModel)?
    ) {
        record(property, of: owner)
        property.setReference(target.map { .object($0) } ?? .none, of: owner)
    }

    /// Whether an object leads to the owner at whose end it is. It does if that was not fetched of it, or was forgotten: the
    /// end has it from the object's row.
    private static func leadsBack(
        _ property: RelationshipProperty, of object: any PersistentModel, to owner: any PersistentModel
    ) -> Bool {
        if case .unloaded = property.reference(of: object),
            object._$state.context?.hasColumn(property, of: object) == true
        {
            property.setReference(.key(owner._$state.key), of: object)
        }
        return property.reference(of: object).points(to: owner)
    }

    private static func record(_ property: RelationshipProperty, of owner: any PersistentModel) {
        owner._$state.recordChange(
            property.slot,
            original: property.isToOne
                ? OriginalReference(property.reference(of: owner)) : OriginalObjects(property.objects(of: owner)))
    }

    /// Whether it is known where an end leads; loads it if it is not. One that could not be loaded must not be written: what
    /// it replaces is unknown, and the context notes why.
    private static func isKnown(_ property: RelationshipProperty, of owner: any PersistentModel) -> Bool {
        guard let context = owner._$state.context, !property.isLoaded(in: owner) else { return true }
        context.loadRelationship(property, of: owner)
        guard !property.isLoaded(in: owner) else { return true }
        // Without an error where the row is gone.
        context.noteUnfulfilled(property, of: owner)
        return false
    }

    /// The object behind a reference, if it is in memory.
    private static func resolved(
        _ reference: Reference, _ property: RelationshipProperty, _ owner: any PersistentModel
    ) -> (any PersistentModel)? {
        switch reference {
        case .object(let object): object
        case .key(let key): owner._$state.context?.registered(key: key, root: property.destination.root)
        case .none, .unloaded: nil
        }
    }

    // MARK: Contexts

    /// Objects of two contexts cannot be related; a setter cannot throw, so the context notes it and refuses to save.
    private static func isAllowed(
        _ new: (any PersistentModel)?, _ property: RelationshipProperty, _ owner: any PersistentModel
    ) -> Bool {
        guard let ours = owner._$state.context, let theirs = new?._$state.context, ours !== theirs else { return true }
        ours.noteForeignObject(property, of: owner)
        return false
    }

    /// Relating an object without a context to one of a context inserts it.
    private static func insertTogether(_ one: any PersistentModel, _ other: any PersistentModel) {
        let (state, otherState) = (one._$state, other._$state)
        guard !state.sharesContext(with: otherState) else { return }
        if let context = state.context {
            if !otherState.hasContext, otherState.phase == .detached { context.insertRelated(other) }
        } else if let context = otherState.context, state.phase == .detached {
            context.insertRelated(one)
        }
    }

    // MARK: For the context

    /// Completes the other sides of what an initializer stored: an initializer writes storage directly, so inverse
    /// maintenance begins when the object is inserted.
    package static func completeInverses(of owner: any PersistentModel) {
        completeInverses(of: owner, type(of: owner)._$descriptor)
    }

    /// The same for an object of a class that is known.
    package static func completeInverses(of owner: any PersistentModel, _ descriptor: ModelDescriptor) {
        for property in descriptor.relationships {
            if property.isToOne {
                guard let object = property.heldObject(of: owner) else { continue }
                guard canComplete(property, of: owner, descriptor, at: object) else {
                    // As if it had never been set.
                    property.setReference(.none, of: owner)
                    continue
                }
                complete(property, of: owner, descriptor, at: object)
            } else if let members = property.loadedMembers(of: owner), !members.isEmpty {
                let objects = property.models(members)
                guard objects.allSatisfy({ canComplete(property, of: owner, descriptor, at: $0) }) else {
                    property.setObjects([], of: owner)
                    continue
                }
                for object in objects { complete(property, of: owner, descriptor, at: object) }
                noteClaim(on: objects, property, of: owner)
            }
        }
    }

    /// Whether it is known where what came to an end has led until now, as for a setter.
    private static func canComplete(
        _ property: RelationshipProperty, of owner: any PersistentModel, _ descriptor: ModelDescriptor,
        at object: any PersistentModel
    ) -> Bool {
        let state = object._$state
        // New objects, which most are, lead nowhere else.
        guard state.phase != .inserted, state.sharesContext(with: owner._$state),
            let inverse = property.inverse(of: descriptor, in: object), inverse.isToOne
        else { return true }
        return isKnown(inverse, of: object)
    }

    private static func complete(
        _ property: RelationshipProperty, of owner: any PersistentModel, _ descriptor: ModelDescriptor,
        at object: any PersistentModel
    ) {
        let (state, ownState) = (object._$state, owner._$state)
        // Of another context: the save refuses it.
        guard !state.hasContext || state.sharesContext(with: ownState),
            let inverse = property.inverse(of: descriptor, in: object)
        else { return }
        guard inverse.isToOne else { return add(owner, to: inverse, of: object) }
        let reference = inverse.reference(of: object)
        if reference.points(to: owner) {
            // What the owner holds names it by its key, once it has one: the context would find that out for each object.
            if !property.isToOne, case .object = reference, state.phase == .inserted, ownState.key != 0 {
                inverse.setReference(.key(ownState.key), of: object)
            }
            return
        }
        if property.isToOne {
            steal(object, inverse, for: owner, property)
        } else {
            leaveOldOwner(object, inverse, property, newOwner: owner)
        }
        point(inverse, of: object, at: owner)
    }

    /// Removes every trace of a deleted object from the relationships that are in memory, recording the changes.
    package static func disconnect(
        _ object: any PersistentModel, from property: RelationshipProperty, of owner: any PersistentModel
    ) {
        if property.isToOne {
            if property.reference(of: owner).points(to: object) { point(property, of: owner, at: nil) }
        } else {
            take(object, from: property, of: owner)
        }
    }

    /// Removes every trace of deleted objects from a to-many end, if it is in memory, recording the change.
    package static func disconnect(
        _ objects: Set<ObjectIdentifier>, from property: RelationshipProperty, of owner: any PersistentModel
    ) {
        guard let old = property.objects(of: owner) else { return }
        let kept = old.filter { !objects.contains(ObjectIdentifier($0)) }
        guard kept.count < old.count else { return }
        record(property, of: owner)
        property.setObjects(kept, of: owner)
    }
}
