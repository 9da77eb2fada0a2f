import StrataModels
import StrataRepository

/// What an undo manager asks of the unit of work, and is told by it.
extension UnitOfWork {
    /// The manager, if it notes changes just now.
    private var notingManager: ModelUndoManager? {
        guard let undoManager, undoManager.isNoting else { return nil }
        return undoManager
    }

    var watchesWrites: Bool { !editWatch.isEmpty || notingManager != nil }

    func willWrite(_ slot: Int, of state: ModelState) -> OriginalValue? {
        if !editWatch.isEmpty, let model = state.model { editWatch.edited(type(of: model)._$descriptor) }
        guard let manager = notingManager, let model = state.model, !manager.knows(slot, of: model) else { return nil }
        let property = type(of: model)._$descriptor.properties[slot]
        // What was never read could not be put back once it is overwritten.
        if !property.isLoaded(in: model) { load(property, of: model) }
        guard property.isLoaded(in: model) || state.phase == .inserted,
            let value = property.currentValue(of: model)
        else { return nil }
        manager.noteValue(value, of: property, in: model)
        return value
    }

    /// An object is about to become part of the context, or to leave it.
    func willChangePresence(of model: any PersistentModel) {
        notingManager?.notePresence(isPresent(model), of: model)
    }

    private func load(_ property: any ModelProperty, of model: any PersistentModel) {
        guard lazyLoading == .allowed, model._$state.phase != .inserted else { return }
        if let relationship = property as? RelationshipProperty {
            loadRelationship(relationship, of: model)
        } else {
            loadAttribute(property, of: model)
        }
    }

    /// Reads what was not fetched of objects that are about to be deleted: without it they could not be written again.
    ///
    /// - Returns: whether something was read.
    func loadForUndo(_ models: [any PersistentModel]) -> Bool {
        guard undoManager != nil else { return false }
        var hasRead = false
        for model in models where model._$state.phase != .inserted {
            let properties = type(of: model)._$descriptor.properties
            for slot in unreadSlots(of: model) where !properties[slot].isLoaded(in: model) {
                load(properties[slot], of: model)
                if properties[slot].isLoaded(in: model) { hasRead = true }
            }
        }
        return hasRead
    }

    /// Objects that the next save deletes and that were not read completely.
    func unreadDeletions(in session: StoreSession) -> [any PersistentModel] {
        let mapping = session.store.mapping
        let asked = unsaved.deletedModels.filter { mapping.entity(for: type(of: $0)) != nil }
        guard !asked.isEmpty,
            let deleted = try? DeletePropagation(asked, mapping: mapping, registered: session, refuses: false).deleted
        else { return [] }
        return deleted.filter { $0._$state.phase != .inserted && !unreadSlots(of: $0).isEmpty }
    }

    /// What is to be read of objects, those together that lack the same.
    func unread(_ models: [any PersistentModel]) -> [(tree: SnapshotTree, models: [any PersistentModel])] {
        struct Lack: Hashable {
            let type: ObjectIdentifier
            let slots: [Int]
        }
        let groups = Dictionary(grouping: models) {
            Lack(type: ObjectIdentifier(type(of: $0)), slots: unreadSlots(of: $0))
        }
        return groups.compactMap { lack, models in
            models.first.map { (SnapshotTree(slots: lack.slots, of: type(of: $0)._$descriptor), models) }
        }
    }

    /// What an undo would have to write and that is not in memory: nothing of what the server computes.
    private func unreadSlots(of model: any PersistentModel) -> [Int] {
        let descriptor = type(of: model)._$descriptor
        return descriptor.properties.map(\.slot).filter {
            !descriptor.properties[$0].isLoaded(in: model) && !descriptor.generatedSlots.contains($0)
        }
    }

    // MARK: Taking back

    func isPresent(_ model: any PersistentModel) -> Bool {
        let state = model._$state
        return state.context === self && (state.phase == .inserted || state.phase == .registered)
    }

    /// Makes an object part of the context again. Its relationships are not touched.
    func restorePresence(of model: any PersistentModel) {
        if model._$state.context == nil {
            reinsert(model)
        } else if model._$state.phase == .deleted, model._$state.context === self {
            undelete(model)
        }
    }

    /// Whether this is a to-many end of a row that is there, and is not loaded (any more): after a refresh, or after a save that
    /// found others there.
    func isForgotten(_ property: any ModelProperty, of model: any PersistentModel) -> Bool {
        guard let end = property as? RelationshipProperty, !end.isToOne, !end.isLoaded(in: model) else { return false }
        let state = model._$state
        return state.context === self && (state.phase == .registered || state.phase == .deleted)
    }

    /// Gives properties the values they had: as unsaved changes, but where nothing was saved since they had them.
    ///
    /// - Parameter current: the values they have.
    func setBack(_ values: [OriginalValue], of model: any PersistentModel, current: [OriginalValue]) {
        guard isPresent(model) || model._$state.phase == .deleted, !values.isEmpty else { return }
        for value in current { model._$state.noteChange(value.slot, original: value) }
        put(values, into: model)
        noteClaims(of: values, by: model, since: current)
        for value in values { model._$state.noteUnchanged(value.slot, value) }
        mayHoldCycles = true
        noteEdit()
    }

    /// What comes back to an owner that the objects do not know is claimed by it, as by any other edit.
    private func noteClaims(of values: [OriginalValue], by owner: any PersistentModel, since earlier: [OriginalValue]) {
        for case let value as OriginalObjects in values {
            let property = type(of: owner)._$descriptor.relationship(at: value.slot)
            guard let property, !property.hasInverse(in: owner) else { continue }
            let before = (earlier.first { $0.slot == value.slot } as? OriginalObjects)?.objects ?? []
            let known = Set(before.map { ObjectIdentifier($0) })
            unsaved.claims.note((value.objects ?? []).filter { !known.contains(ObjectIdentifier($0)) }, by: owner)
        }
    }

    /// Takes objects out of the context: without a trace if they were never saved, else with the next save. Delete rules are
    /// applied then; what the group itself had related is parted already.
    func leave(_ models: [any PersistentModel]) {
        for model in models where isPresent(model) {
            guard model._$state.phase == .inserted, !model._$state.isUnderWay else {
                delete(model, permanently: true)
                continue
            }
            detach([model])
        }
    }

    // MARK: What a save did

    /// Adds to the groups what delete rules did beyond what was asked for.
    func noteConsequences(
        of propagation: DeletePropagation, asked: [any PersistentModel],
        cleared: [(model: any PersistentModel, originals: [OriginalValue])], in session: StoreSession
    ) {
        guard let undoManager else { return }
        let gone = Set(asked.map { ObjectIdentifier($0) })
        undoManager.noteConsequences(
            deleted: asked,
            along: { group in
                let own = group.deletions(among: gone)
                guard own.count < asked.count else { return propagation.deleted }
                let mapping = session.store.mapping
                return (try? DeletePropagation(own, mapping: mapping, registered: session))?.deleted ?? own
            }, cleared: cleared)
    }

    /// Adds to the groups that owners lost objects which others have claimed: these do not know whose they were.
    func noteLosses(
        _ losses: [(model: any PersistentModel, originals: [OriginalValue])], to taken: [TakenTarget],
        in session: StoreSession
    ) {
        guard let undoManager, !losses.isEmpty else { return }
        let claims = Dictionary(grouping: taken, by: \.target)
        for (loser, originals) in losses {
            for case let original as OriginalObjects in originals {
                let end = type(of: loser)._$descriptor.relationship(at: original.slot)
                let staying = Set((end?.objects(of: loser) ?? []).map { ObjectIdentifier($0) })
                for target in original.objects ?? [] where !staying.contains(ObjectIdentifier(target)) {
                    let claim = claims[target._$state.key]?.first {
                        $0.relationship.property.slot == original.slot
                    }
                    guard let claim,
                        let owner = session.state(key: claim.owner, root: claim.relationship.owner.root)?.model
                    else { continue }
                    undoManager.noteLoss(of: target, original, by: loser, to: owner)
                }
            }
        }
    }
}
