import StrataClient
import StrataModels
import StrataRepository

extension UnitOfWork {
    private static let mostReachedKept = 64

    /// Inserts an object and everything that can be reached from it; harmless for what is inserted already.
    func insert(_ model: any PersistentModel) {
        // Breadth first: objects get their keys, and with them their order, as they stand in their arrays. The front of the array
        // is given to those that are new once they were looked at.
        var reached = reachedByInsert
        reachedByInsert = []
        reached.append(model)
        var (next, new) = (0, 0)
        while next < reached.count {
            let object = reached[next]
            next += 1
            guard let place = enter(object) else { continue }
            reached[new] = object
            new += 1
            for property in place.descriptor.relationships {
                property.forEachLoadedObject(of: object) { reached.append($0) }
            }
        }
        if new > 0 {
            mayHoldCycles = true
            noteEdit()
            // Inverses after everything has a key; then a child need not keep the parent alive that keeps it alive.
            for object in reached[..<new] { RelationshipEdit.completeInverses(of: object, descriptor(of: object)) }
            // What a key is made of may have come with an inverse, or later in the graph.
            giveKeysOfParts(leavesOutTwins: true)
            for object in reached[..<new] { weakenReferences(of: object) }
        }
        reached.removeAll(keepingCapacity: reached.count <= Self.mostReachedKept)
        reachedByInsert = reached
    }

    /// What is known of the class of an object, which most likely is one of few.
    private func descriptor(of object: any PersistentModel) -> ModelDescriptor {
        let type = type(of: object)
        return insertablePlace(of: type)?.descriptor ?? type._$descriptor
    }

    /// Registers one object as inserted. No place when there is nothing to do for it.
    private func enter(_ object: any PersistentModel) -> ClassPlace? {
        let state = object._$state
        switch state.phase {
        case .inserted, .registered:
            if state.context !== self { report(foreign: object) }
            return nil
        case .deleted:
            // Inserting what was deleted and not saved takes the deletion back.
            guard state.context === self else {
                report(foreign: object)
                return nil
            }
            willChangePresence(of: object)
            undelete(object)
            restoreEdges(of: object)
            return nil
        case .detached, .gone:
            return register(object, state)
        }
    }

    /// An object that the next save was to delete stays.
    func undelete(_ object: any PersistentModel) {
        let state = object._$state
        state.placeSaveMark()
        state.phase = state.wasInserted ? .inserted : .registered
        noteEdit()
    }

    /// Where new objects of a class belong, or an error that says why there can be none.
    private func placeToInsert(_ type: any PersistentModel.Type) throws -> ClassPlace {
        if let known = insertablePlace(of: type) { return known }
        try requireModel(type)
        let descriptor = type._$descriptor
        guard let (session, entity) = session(for: descriptor) else {
            throw SwiftDataError(
                .unknownSchema,
                "\(type) was inserted but is not part of this container's schema. Name it in ModelContainer(for:).")
        }
        guard !entity.descriptor.isAbstract else { throw entity.noObjects }
        try entity.requireTable(to: "be inserted")
        try session.store.requireTenant(for: entity)
        let place = ClassPlace(descriptor, session, entity)
        keep(place)
        return place
    }

    private func register(_ object: any PersistentModel, _ state: ModelState) -> ClassPlace? {
        let place: ClassPlace
        do { place = try placeToInsert(type(of: object)) } catch {
            if let error = error as? SwiftDataError { report(error) }
            return nil
        }
        let session = place.session
        if let tenant = place.tenant, !give(tenant, to: object, of: place) { return nil }
        let key = key(of: object, state, place)
        guard key == 0 || key.isFinal else {
            report(
                SwiftDataError(
                    .modelValidationFailure,
                    "A \(type(of: object)) was inserted and left out: \(place.entity.keyRule). Give it one before it is inserted."
                ))
            return nil
        }
        if key == 0 { if place.makesKeys { lackingParts.append(object) } else { lacksKeys = true } }
        if let other = session.state(key: key, root: place.entity.root)?.model, other !== object {
            report(twin(of: object, other))
            return nil
        }
        willChangePresence(of: object)
        state.clearChanges()
        session.add(object, state, key: key, entity: place.entity, phase: .inserted)
        state.wasInserted = true
        unsaved.inserted.append(object)
        return place
    }

    private func twin(of object: any PersistentModel, _ other: any PersistentModel) -> SwiftDataError {
        let advice =
            other._$state.isDeleted
            ? "that object is deleted, and its deletion is not saved: save before another one is inserted."
            : "change that object instead."
        return SwiftDataError(
            .foreignObject,
            "A \(type(of: object)) was inserted whose row another object of this context stands for. It was left out; "
                + advice, identifiers: [other.persistentModelID])
    }

    /// The key of a new object: what its property says, or the next that the store has; 0 where it has none now.
    private func key(of object: any PersistentModel, _ state: ModelState, _ place: ClassPlace) -> RowKey {
        // -1: a value that no key has.
        if let property = place.keyProperty {
            guard let key = property.key(of: object) else { return -1 }
            // What it holds is no key yet: the object that it is the key of says it, and that may have none itself now.
            if place.keyReference != nil, key.isEmpty {
                guard let key = place.keyMade(of: object) else { return 0 }
                property.setKey(key, of: object)
                return key
            }
            return key.isFinal ? key : -1
        }
        let store = place.session.store
        if !place.keyParts.isEmpty {
            // None while a part is missing, or has no key itself.
            return place.keyParts.key(of: object) ?? 0
        }
        // A key belongs to the store that gave it.
        let isOurs = state.key != 0 && state.identity?.store == store.identifier
        return isOurs ? state.key : RowKey(store.keys.next(for: place.entity))
    }

    /// Lets to-one ends name the key of a target that holds the object anyway: an object and what it owns are no cycle then.
    func weakenReferences(of object: any PersistentModel) {
        let descriptor = descriptor(of: object)
        for property in descriptor.relationships where property.isToOne {
            guard let target = property.heldObject(of: object) else { continue }
            let key = target._$state.key
            guard key != 0, let inverse = property.inverse(of: descriptor, in: target),
                inverse.contains(object, in: target),
                // Of two to-one ends, one lets go.
                !inverse.isToOne || inverse.heldObject(of: target) != nil
            else { continue }
            property.setReference(.key(key), of: object)
        }
    }

    /// A number that an object has from the one that it leads to is nobody's when it leaves the context: inserted again, it may lead to another one.
    ///
    /// - Parameter key: what it had here.
    func emptyKey(of model: any PersistentModel, having key: RowKey) {
        guard let place = try? placeToInsert(type(of: model)), place.keyReference != nil,
            let property = place.keyProperty, property.keyKind == .integer, property.key(of: model) == key
        else { return }
        property.setKey(0, of: model)
    }

    func report(foreign object: any PersistentModel) {
        report(
            SwiftDataError(
                .foreignObject,
                "A \(type(of: object)) that belongs to another context was passed to this one. Fetch it here by its "
                    + "persistentModelID.", identifiers: [object.persistentModelID]))
    }

    /// Makes an object unsaved again that was inserted once, and nothing that it can reach.
    func reinsert(_ model: any PersistentModel) {
        guard model._$state.context == nil, register(model, model._$state) != nil else { return }
        giveKeysOfParts(leavesOutTwins: false)
        mayHoldCycles = true
        noteEdit()
    }

    /// Gives keys to new objects that did not have all parts of theirs when they were inserted, or not the object whose key is theirs too.
    ///
    /// - Parameter leavesOutTwins: whether one that another object of the context has by then is left out, as it would have been at `insert`; a
    ///   fetch lets it be.
    func giveKeysOfParts(leavesOutTwins: Bool) {
        // One that gets a key may be what another one waits for.
        while !lackingParts.isEmpty, giveKeysToSome(leavesOutTwins: leavesOutTwins) {}
    }

    /// - Returns: whether one has got a key.
    private func giveKeysToSome(leavesOutTwins: Bool) -> Bool {
        var (lacking, hasGiven): ([any PersistentModel], Bool) = ([], false)
        for model in lackingParts {
            let state = model._$state
            guard state.context === self, state.phase == .inserted, state.key == 0,
                let place = try? placeToInsert(type(of: model))
            else { continue }
            // What its property has been given since is kept, and compared when it is saved.
            let said = place.keyProperty?.key(of: model).flatMap { $0.isFinal && !$0.isEmpty ? $0 : nil }
            guard let key = said ?? place.keyMade(of: model) else {
                lacking.append(model)
                continue
            }
            guard let other = place.session.state(key: key, root: place.entity.root)?.model, other !== model else {
                place.session.rekey(state, to: key)
                hasGiven = true
                continue
            }
            guard leavesOutTwins else {
                lacking.append(model)
                continue
            }
            report(twin(of: model, other))
            removeEdges(of: [model])
            state.phase = .detached
        }
        lackingParts = lacking
        return hasGiven
    }

    /// Gives keys to new objects for which there were none when they were inserted.
    func giveKeys() {
        guard lacksKeys else { return }
        lacksKeys = false
        for model in unsaved.inserted where model._$state.phase == .inserted && model._$state.key == 0 {
            guard let (session, entity) = session(for: type(of: model)._$descriptor), entity.keySlots.isEmpty else {
                continue
            }
            let key = RowKey(session.store.keys.next(for: entity))
            guard key != 0 else {
                lacksKeys = true
                return
            }
            session.rekey(model._$state, to: key)
        }
    }
}
