import StrataModels
import StrataRepository

/// What is not as the rows have it any more, and will be read again when it is touched.
extension UnitOfWork {
    /// Marks properties as not loaded: the database has other values, read again when they are touched.
    func forgetValues(of model: any PersistentModel, in slots: SlotSet) {
        withForgetfulRow(type(of: model)._$descriptor, slots) { model._$decode(&$0) }
    }

    /// The server has set these properties of a stored object: they are read again when they are touched. What was edited meanwhile
    /// stays; what it replaced is not what the row has. What the server computes follows from them.
    func forgetSetByServer(_ slots: SlotSet, of model: any PersistentModel) {
        var slots = slots
        slots.formUnion(type(of: model)._$descriptor.generatedSlots)
        let state = model._$state
        let properties = type(of: model)._$descriptor.properties
        state.rewriteImages { slots.contains($0.slot) ? properties[$0.slot].unknownValue() ?? $0 : $0 }
        var unedited = slots
        unedited.subtract(state.changedSlots)
        forgetValues(of: model, in: unedited)
        state.saveStamp = stamps.save
        for slot in unedited.slots { properties[slot].announceChange(in: model) }
    }

    /// Marks relationships that have no column, and that have no unsaved changes, as not loaded.
    func forgetRelationships(of models: [any PersistentModel]) {
        for model in models where model._$state.phase == .registered && model._$state.changedSlots.isEmpty {
            guard let (_, entity) = session(for: type(of: model)._$descriptor) else { continue }
            let slots = type(of: model)._$descriptor.relationships.map(\.slot).filter { entity.columns[$0] == nil }
            forgetValues(of: model, in: SlotSet(slots))
        }
    }

    /// Marks all ends of relationships that have no column as not loaded, but for those with unsaved changes, and those of
    /// ``insertedInTransaction``.
    func forgetUnchangedEnds() {
        let new = insertedInTransaction
        for session in sessions {
            var models: [any PersistentModel] = []
            session.forEachState { state in
                guard state.phase == .registered, let model = state.model, !new.contains(ObjectIdentifier(model)) else {
                    return
                }
                models.append(model)
            }
            for model in models {
                guard let entity = session.store.mapping.entity(for: type(of: model)) else { continue }
                var slots = SlotSet(
                    type(of: model)._$descriptor.relationships.map(\.slot).filter { entity.columns[$0] == nil })
                slots.subtract(model._$state.changedSlots)
                forgetValues(of: model, in: slots)
            }
        }
    }
}
