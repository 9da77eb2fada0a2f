import StrataModels

/// What becomes of ends that were loaded after a change, when the change is taken back; or when a row is gone.
extension UnitOfWork {
    /// Ends that were loaded while an object was to be deleted do not show it: they do again.
    ///
    /// - Parameter isBack: whether it was to be deleted until now; otherwise it is one whose values were taken back.
    func restoreEdges(of object: any PersistentModel, isBack: Bool = true) {
        guard isPresent(object) else { return }
        for property in type(of: object)._$descriptor.relationships {
            for target in targets(of: property, in: object) {
                guard let inverse = property.inverse(of: object, in: target),
                    isUnsaved(property, of: object, target) || isStored(object, at: inverse, of: target)
                else { continue }
                if inverse.isToOne {
                    // What has a column says itself where it leads.
                    guard !hasColumn(inverse, of: target) else { continue }
                    restoreEdges(object, property, partner: target, inverse)
                } else {
                    restoreEdges(object, to: inverse, of: target)
                }
            }
        }
        // Many-to-many, relationships without an inverse, and what others have changed since it was read: the object may not know
        // who has it.
        for owner in unsaved.changed where owner._$state.context === self {
            for end in type(of: owner)._$descriptor.relationships where isLeftOut(object, end, of: owner) {
                if !end.isToOne {
                    restoreEdges(object, to: end, of: owner)
                } else if isBack, let property = end.inverse(of: owner, in: object) {
                    restoreEdges(object, property, partner: owner, end)
                }
            }
        }
    }

    /// Whether an end that was loaded while the object was to be deleted would show it otherwise.
    private func isLeftOut(
        _ object: any PersistentModel, _ end: RelationshipProperty, of owner: any PersistentModel
    ) -> Bool {
        switch owner._$state.original(at: end.slot) {
        case let original as OriginalObjects: original.leftOut.contains { $0 === object }
        case let original as OriginalReference:
            // What has no column shows what the other side says: unless that was changed, its deletion is why.
            original.reference.points(to: object) && !hasColumn(end, of: owner)
                && end.inverse(of: owner, in: object).map { object._$state.changedSlots.contains($0.slot) } == false
        default: false
        }
    }

    /// Whether the rows do not say that an object leads to another one.
    private func isUnsaved(
        _ property: RelationshipProperty, of object: any PersistentModel, _ target: any PersistentModel
    )
        -> Bool
    {
        guard object._$state.phase != .inserted else { return true }
        guard let original = object._$state.original(at: property.slot) else { return false }
        return (original as? OriginalObjects)?.objects?.contains { $0 === target } != true
    }

    /// Whether the rows, as they were read, have an object at an end. If not, others have moved it away, or it never was there.
    private func isStored(
        _ object: any PersistentModel, at end: RelationshipProperty, of owner: any PersistentModel
    ) -> Bool {
        switch owner._$state.original(at: end.slot) {
        case let original as OriginalReference: original.reference.points(to: object)
        case let original as OriginalObjects:
            original.leftOut.contains { $0 === object } || original.objects?.contains { $0 === object } == true
        default: owner._$state.phase != .inserted && end.contains(object, in: owner)
        }
    }

    /// Puts an object into a to-many end that is in memory, where it was.
    private func restoreEdges(
        _ object: any PersistentModel, to property: RelationshipProperty, of owner: any PersistentModel
    ) {
        guard var objects = property.objects(of: owner), !property.contains(object, in: owner) else { return }
        let state = owner._$state
        state.noteMerged(property.slot, original: OriginalObjects(objects))
        let original = state.original(at: property.slot) as? OriginalObjects
        let before = original?.objects?.prefix { $0 !== object } ?? []
        if before.count < original?.objects?.count ?? 0 {
            let known = Set(before.map { ObjectIdentifier($0) })
            let place = objects.lastIndex { known.contains(ObjectIdentifier($0)) }.map { $0 + 1 } ?? 0
            objects.insert(object, at: place)
            property.setObjects(objects, of: owner)
        } else {
            property.append(object, to: owner)
        }
        // Perhaps nothing else was changed there.
        state.noteUnchanged(property.slot, OriginalObjects(property.objects(of: owner)))
    }

    /// One-to-one: the object has its partner again, unless another one has taken its place.
    private func restoreEdges(
        _ object: any PersistentModel, _ property: RelationshipProperty, partner: any PersistentModel,
        _ inverse: RelationshipProperty
    ) {
        switch inverse.reference(of: partner) {
        case .none:
            inverse.setReference(.object(object), of: partner)
            weakenReferences(of: partner)
            if let original = partner._$state.original(at: inverse.slot) as? OriginalReference,
                original.reference.points(to: object)
            {
                partner._$state.noteUnchanged(inverse.slot, original)
            }
        case .object, .key:
            guard !inverse.contains(object, in: partner) else { return }
            RelationshipEdit.disconnect(partner, from: property, of: object)
        case .unloaded: break
        }
    }

    // MARK: Rows that are gone

    /// Objects whose rows others have deleted leave the context.
    func end(_ models: [any PersistentModel], in session: StoreSession) {
        guard !models.isEmpty else { return }
        for model in models {
            leaveChangedEnds(model)
            session.remove(model._$state)
            model._$state.phase = .gone
            model._$state.unregister()
        }
        // Who finds them there again after a transaction that had deleted them is told by them.
        var saved = Journal()
        for model in models { saved.append(.left(model)) }
        noteSaved(saved)
    }

    /// An end with unsaved changes is not read again: an object whose row others have deleted leaves it here.
    ///
    /// Pairs of keys stay: that the object came to such an end may be what is unsaved, and the save must say that it cannot be.
    func leaveChangedEnds(_ model: any PersistentModel) {
        for property in type(of: model)._$descriptor.relationships where hasColumn(property, of: model) {
            for target in targets(of: property, in: model) {
                guard let inverse = property.inverse(of: model, in: target),
                    target._$state.changedSlots.contains(inverse.slot)
                else { continue }
                leave(property, of: model, target)
            }
        }
    }

    // MARK: Undo

    /// Ends that were loaded after a change were no part of it: they follow when it is taken back.
    ///
    /// - Parameters:
    ///   - before: the values that the object had until now.
    ///   - leaving: objects that are about to go, with what they hold.
    func removeFormerEdges(of model: any PersistentModel, before: [OriginalValue], leaving: Set<ObjectIdentifier>) {
        guard isPresent(model) else { return }
        let properties = type(of: model)._$descriptor.properties
        for value in before {
            guard let property = properties[value.slot] as? RelationshipProperty else { continue }
            var staying = Set(targets(of: property, in: model).map { ObjectIdentifier($0) })
            // The rules of what goes must not reach what leads elsewhere now.
            if !hasColumn(property, of: model) { staying.formUnion(leaving) }
            let isAsStored =
                model._$state.phase == .registered && !model._$state.changedSlots.contains(property.slot)
            for target in targets(of: property, before: value) where !staying.contains(ObjectIdentifier(target)) {
                guard let end = property.inverse(of: model, in: target), end.contains(model, in: target) else {
                    continue
                }
                // It was there before: others have saved that since this object was read.
                if isAsStored, isStored(model, at: end, of: target) { continue }
                leave([model], end, of: target)
            }
        }
    }

    /// Ends that were loaded after a new object was inserted do not show it any more when that is taken back; also those of
    /// objects that it went with, and that are back.
    func removeEdges(of model: any PersistentModel) {
        guard model._$state.context == nil || isPresent(model) && model._$state.phase == .inserted else { return }
        for property in type(of: model)._$descriptor.relationships {
            for target in targets(of: property, in: model) { leave(property, of: model, target) }
        }
    }

    /// The ends of an object that is back do not show those who do not lead to it any more.
    ///
    /// - Parameter visitors: those of them that have no column: with the slot of their arrays.
    func removeStaleEdges(
        of model: any PersistentModel, to visitors: [(model: any PersistentModel, slot: Int)]
    ) {
        var arrays: [ObjectIdentifier: SlotSet] = [:]
        for visitor in visitors { arrays[ObjectIdentifier(visitor.model), default: SlotSet()].insert(visitor.slot) }
        for end in type(of: model)._$descriptor.relationships {
            let strangers = targets(of: end, in: model).filter { object in
                guard let theirs = end.inverse(of: model, in: object), theirs.isLoaded(in: object),
                    !theirs.contains(model, in: object)
                else { return false }
                return hasColumn(theirs, of: object) || arrays[ObjectIdentifier(object)]?.contains(theirs.slot) == true
            }
            leave(strangers, end, of: model)
        }
    }

    private func targets(of property: RelationshipProperty, before value: OriginalValue) -> [any PersistentModel] {
        switch (value as? OriginalReference)?.reference {
        case .object(let target): [target]
        case .key(let key): registered(key: key, root: property.destination.root).map { [$0] } ?? []
        case nil, .none?, .unloaded?: (value as? OriginalObjects)?.objects ?? []
        }
    }

    /// Takes an object out of the other end, if that shows it. What has a column says itself where it leads.
    private func leave(_ property: RelationshipProperty, of model: any PersistentModel, _ target: any PersistentModel) {
        guard let inverse = property.inverse(of: model, in: target), inverse.contains(model, in: target) else { return }
        leave([model], inverse, of: target)
    }

    private func leave(_ objects: [any PersistentModel], _ end: RelationshipProperty, of owner: any PersistentModel) {
        guard !objects.isEmpty, !hasColumn(end, of: owner) else { return }
        let state = owner._$state
        if let current = end.currentValue(of: owner) { state.noteMerged(end.slot, original: current) }
        if end.isToOne {
            end.setReference(.none, of: owner)
            if let original = state.original(at: end.slot) as? OriginalReference, case .none = original.reference {
                state.noteUnchanged(end.slot, original)
            }
        } else {
            for object in objects { end.remove(object, from: owner) }
            state.noteUnchanged(end.slot, OriginalObjects(end.objects(of: owner)))
        }
    }
}
