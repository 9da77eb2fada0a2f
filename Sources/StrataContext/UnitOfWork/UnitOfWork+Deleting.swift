import StrataModels
import StrataRepository

/// What becomes of objects that are deleted, before anything is written.
extension UnitOfWork {
    /// - Parameter permanently: whether an object of a class with a date of deletion goes all the same.
    func delete(_ model: any PersistentModel, permanently: Bool) {
        var neverSaved: [any PersistentModel] = []
        delete([model], permanently: permanently, &neverSaved)
        removeEdges(of: neverSaved)
    }

    /// Deletes an object that was never saved: there is no row, so delete rules are applied to what is in memory, at once.
    func deleteUnsaved(_ model: any PersistentModel) {
        model._$state.phase = .gone
        var neverSaved = [model]
        delete(cascades(of: model), permanently: false, &neverSaved)
        removeEdges(of: neverSaved)
    }

    /// Marks objects as deleted, and what rules take along with those that were never saved. One after the other: a chain of
    /// objects may be longer than a stack.
    private func delete(
        _ models: [any PersistentModel], permanently: Bool, _ neverSaved: inout [any PersistentModel]
    ) {
        var pending = models
        var next = 0
        while next < pending.count {
            let model = pending[next]
            next += 1
            let state = model._$state
            guard state.context === self else {
                if state.context != nil { report(foreign: model) }
                continue
            }
            if !permanently, state.phase == .registered || state.isUnderWay,
                let date = type(of: model)._$descriptor.deletionDate
            {
                softlyDelete(model, date)
                continue
            }
            if state.phase == .inserted || state.phase == .registered { willChangePresence(of: model) }
            switch state.phase {
            case .inserted where !state.isUnderWay:
                state.phase = .gone
                neverSaved.append(model)
                pending.append(contentsOf: cascades(of: model))
            case .inserted, .registered:
                // A new object that is being written has a row when the save is done.
                state.placeSaveMark()
                state.phase = .deleted
                noteDeleted(model)
            case .deleted, .gone, .detached: continue
            }
            noteEdit()
        }
    }

    /// Gives an object a date of deletion, as an edit: it is saved, taken back and undone as any other. One that has a date keeps it.
    private func softlyDelete(_ model: any PersistentModel, _ date: AnyAttributeProperty) {
        guard model._$state.phase != .deleted else { return }
        if !date.isLoaded(in: model) { loadAttribute(date, of: model) }
        // What could not be read is reported: nobody knows whether the object has a date, and which.
        guard date.isLoaded(in: model), date.date(of: model) == nil else { return }
        date.assign(unsaved.timeOfDeletion(), to: model)
    }

    func cascades(of model: any PersistentModel) -> [any PersistentModel] {
        type(of: model)._$descriptor.relationships.filter { $0.deleteRule == .cascade }.flatMap {
            targets(of: $0, in: model)
        }
    }

    /// Objects that have no row leave the context, and the relationships of those that stay.
    func removeEdges(of models: [any PersistentModel]) {
        guard !models.isEmpty else { return }
        let gone = Set(models.map { ObjectIdentifier($0) })
        var handled = Set<RelationshipEnd>()
        for model in models {
            for property in type(of: model)._$descriptor.relationships where property.deleteRule != .cascade {
                for target in targets(of: property, in: model) where target !== model {
                    guard let inverse = property.inverse(of: model, in: target) else { continue }
                    if inverse.isToOne {
                        RelationshipEdit.disconnect(model, from: inverse, of: target)
                    } else if handled.insert(RelationshipEnd(target, inverse)).inserted {
                        RelationshipEdit.disconnect(gone, from: inverse, of: target)
                    }
                }
            }
        }
        if models.contains(where: isOneWayTarget) { removeOneWayEdges(to: gone) }
        for model in models {
            let key = model._$state.key
            forget(model._$state)
            model._$state.unregister()
            emptyKey(of: model, having: key)
        }
    }

    /// Only what is unsaved itself can refer to an unsaved object without an inverse.
    private func removeOneWayEdges(to gone: Set<ObjectIdentifier>) {
        for other in unsaved.inserted + unsaved.changed where other._$state.context === self {
            for property in type(of: other)._$descriptor.relationships where !property.hasInverse(in: other) {
                guard property.isToOne else {
                    RelationshipEdit.disconnect(gone, from: property, of: other)
                    continue
                }
                for target in targets(of: property, in: other) where gone.contains(ObjectIdentifier(target)) {
                    RelationshipEdit.disconnect(target, from: property, of: other)
                }
            }
        }
    }

    /// Whether a class of the schema has a relationship without an inverse that can lead to this object.
    private func isOneWayTarget(_ model: any PersistentModel) -> Bool {
        let descriptor = type(of: model)._$descriptor
        if let known = oneWayTargets[ObjectIdentifier(descriptor)] { return known }
        let isTarget = sessions.contains { session in
            session.store.mapping.entities.contains { entity in
                entity.descriptor.relationships.contains { property in
                    guard descriptor.inherits(from: property.destination) else { return false }
                    if case .found = property.inverseResolution(of: entity.descriptor) { return false }
                    return true
                }
            }
        }
        oneWayTargets[ObjectIdentifier(descriptor)] = isTarget
        return isTarget
    }
}

/// One end of the relationships of one object.
private struct RelationshipEnd: Hashable {
    let object: ObjectIdentifier
    let slot: Int

    init(_ object: any PersistentModel, _ property: RelationshipProperty) {
        self.object = ObjectIdentifier(object)
        slot = property.slot
    }
}
