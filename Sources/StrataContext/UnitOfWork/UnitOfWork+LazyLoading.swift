import Logging
import StrataClient
import StrataModels
import StrataRepository

/// Loading what a getter was asked for and a fetch had left out: for all objects of the same fetch at once, blocking
/// the thread. It cannot deadlock the pool: blocking calls have connections of their own to fall back on.
extension UnitOfWork {
    func loadAttribute(_ property: any ModelProperty, of model: any PersistentModel) {
        lazily(property, of: model) { session, entity, call in
            try load([property.slot], of: model, session, entity, call)
        }
    }

    func loadRelationship(_ property: RelationshipProperty, of model: any PersistentModel) {
        lazily(property, of: model) { session, entity, call in
            guard let mapping = entity.relationships[property.slot] else { return }
            if case .foreignKey = mapping.storage, case .unloaded = property.reference(of: model) {
                try load([property.slot], of: model, session, entity, call)
            }
            let owners = siblings(of: model, session, declaring: mapping.owner).filter {
                isOpen(property.slot, in: $0)
            }
            try session.reading(
                for: "load \(property.qualifiedName)", call, rows: session.rowLimit
            ) { connection in
                let load = RelationshipLoad(mapping, of: owners, registry: session)
                var batch = PostgresBatch()
                try load.addStatement(to: &batch)
                try connection.run(batch)
                load.finish()
            }
        }
    }

    /// Whether the relationship must still be loaded in this object.
    private func isOpen(_ slot: Int, in model: any PersistentModel) -> Bool {
        guard let property = type(of: model)._$descriptor.properties[slot] as? RelationshipProperty else {
            return false
        }
        guard property.isToOne else { return property.objects(of: model) == nil }
        switch property.reference(of: model) {
        case .unloaded, .key: return true
        case .none, .object: return false
        }
    }

    private func lazily(
        _ property: any ModelProperty, of model: any PersistentModel,
        _ body: (StoreSession, EntityMapping, CallsInProgress?) throws -> Void
    ) {
        guard !model._$state.isDeleted || model._$state.phase == .deleted,
            let (session, entity) = session(for: type(of: model)._$descriptor)
        else { return }
        // Nothing of an object that was never saved is in the store.
        guard model._$state.phase != .inserted else { return settle(property, of: model) }
        guard lazyLoading == .allowed else {
            report(
                SwiftDataError(
                    .unfulfilledFault,
                    "\(property.qualifiedName) is needed and not loaded, and this context forbids lazy loading. Name it in "
                        + "the fetch descriptor (propertiesToFetch or relationshipKeyPathsForPrefetching), or await "
                        + "context.load(_:_:).", identifiers: [model.persistentModelID]))
            return
        }
        lazyLoads += 1
        mayHoldCycles = true
        logger.debug("Lazy loading", metadata: ["property": "\(property.qualifiedName)"])
        let call = begin(.lazyLoad, "load \(property.qualifiedName)")
        do {
            try body(session, entity, call)
            call?.end()
        } catch {
            let reason = session.reason(of: error)
            call?.end(reason)
            report(
                SwiftDataError(
                    .unfulfilledFault, "\(property.qualifiedName) could not be loaded: \(reason)",
                    identifiers: [model.persistentModelID], underlying: error as? PostgresError))
        }
    }

    /// A new object's relationship that was never set is empty, and what the server computes of its row is nothing.
    private func settle(_ property: any ModelProperty, of model: any PersistentModel) {
        if let attribute = property as? AnyAttributeProperty, attribute.isGenerated {
            return attribute.assignDefault(to: model)
        }
        guard let relationship = property as? RelationshipProperty else { return }
        if relationship.isToOne {
            if case .unloaded = relationship.reference(of: model) { relationship.setReference(.none, of: model) }
        } else if relationship.objects(of: model) == nil {
            relationship.setObjects([], of: model)
        }
    }

    /// Reads properties that were not fetched. External storage is read for one object only: it may be large.
    private func load(
        _ slots: [Int], of model: any PersistentModel, _ session: StoreSession, _ entity: EntityMapping,
        _ call: CallsInProgress?
    ) throws {
        let isExternal = slots.contains { entity.columns[$0]?.isExternal == true }
        guard let slot = slots.first else { return }
        let owner = entity.owner(ofSlot: slot)
        var wanted = SlotSet(slots)
        if !isExternal {
            // One touch loads everything else of this class that is missing too.
            for other in owner.descriptor.properties.indices where !slots.contains(other) {
                guard let column = owner.columns[other], !column.isExternal,
                    !model._$state.changedSlots.contains(other),
                    !type(of: model)._$descriptor.properties[other].isLoaded(in: model)
                else { continue }
                wanted.insert(other)
            }
        }
        let properties = owner.descriptor.properties
        // Of a fetch some may have been read since, or saved: who has everything is not asked for.
        let models =
            isExternal
            ? [model]
            : siblings(of: model, session, declaring: owner).filter { sibling in
                sibling === model
                    || sibling._$state.changedSlots.isEmpty
                        && wanted.slots.contains { !properties[$0].isLoaded(in: sibling) }
            }
        for model in models { model._$state.readStamp = stamps.read }
        try session.reading(
            for: "load properties of \(entity.name)", call, rows: session.rowLimit
        ) { connection in
            try connection.run(AttributeLoad(wanted, of: owner, in: models).batch())
        }
    }

    /// The objects of the same fetch that are still in memory and have the property, `model` among them.
    private func siblings(of model: any PersistentModel, _ session: StoreSession, declaring owner: EntityMapping)
        -> [any PersistentModel]
    {
        guard let group = model._$state.fetchGroup else { return [model] }
        var result: [any PersistentModel] = []
        var hasModel = false
        for key in group.keys {
            guard let state = session.state(key: key, root: owner.root), state.phase == .registered,
                let sibling = state.model,
                type(of: sibling)._$descriptor.inherits(from: owner.descriptor)
            else { continue }
            if sibling === model { hasModel = true }
            result.append(sibling)
        }
        return hasModel ? result : result + [model]
    }
}
