import StrataModels
import StrataRepository

extension UnitOfWork {
    /// Forgets all unsaved changes: inserted objects leave the context, changed ones get their values back, deleted
    /// ones live again. What a save is writing just now is no part of them.
    func rollback() {
        forgetUnsaved()
        forgetReported()
    }

    func forgetUnsaved() {
        for model in unsaved.all where model._$state.isUnderWay { revertToSaveMark(model) }
        let models = (unsaved.changedModels + unsaved.deletedModels).filter { !$0._$state.isUnderWay }
        for model in models { restore(model, model._$state.originals) }
        detach(unsaved.insertedModels.filter { !$0._$state.isUnderWay })
        for model in models { model._$state.phase = .registered }
        unsaved.removeAll(butThoseOf: savesUnderWay.saves)
        undoManager?.removeAllActions()
        noteEdit()
    }

    func restore(_ model: any PersistentModel, _ originals: [OriginalValue]) {
        guard !originals.isEmpty else { return }
        put(originals, into: model)
        model._$state.clearChanges()
    }

    /// Gives properties these values: no edit, but observers see it.
    func put(_ values: [OriginalValue], into model: any PersistentModel) {
        guard !values.isEmpty else { return }
        var reader = OriginalsReader(values)
        model._$restore(&reader)
        let properties = type(of: model)._$descriptor.properties
        for value in values { properties[value.slot].announceChange(in: model) }
    }

    /// Objects that were inserted and are not any more: they can be inserted again, so they go on holding each other.
    func detach(_ models: [any PersistentModel]) {
        for model in models {
            for property in type(of: model)._$descriptor.relationships where property.isToOne {
                guard case .key = property.reference(of: model), let target = targets(of: property, in: model).first
                else { continue }
                property.setReference(.object(target), of: model)
            }
        }
        for model in models {
            let state = model._$state
            let key = state.key
            forget(state)
            state.unregister()
            state.phase = .detached
            emptyKey(of: model, having: key)
        }
    }
}
