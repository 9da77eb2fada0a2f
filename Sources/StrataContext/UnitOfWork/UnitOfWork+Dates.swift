import Foundation
import StrataModels
import StrataRepository

extension UnitOfWork {
    /// Gives new and changed objects the dates of their creation and of their change, which is now.
    ///
    /// Called before each save, also the one after a save that failed. An undo takes an edit back, and not the date of it: the next save gives
    /// another.
    func giveDates() throws {
        guard sessions.contains(where: \.store.mapping.hasDates) else { return }
        let date = Date.now
        undoManager?.disableUndoRegistration()
        defer { undoManager?.enableUndoRegistration() }
        for model in unsaved.insertedModels {
            let dates = type(of: model)._$descriptor.dates
            guard !dates.isEmpty else { continue }
            try give(date, model, dates.creation)
            try give(date, model, dates.modification)
        }
        for model in unsaved.changedModels where changesRow(of: model) {
            try give(date, model, type(of: model)._$descriptor.dates.modification)
        }
    }

    /// Whether the row of an object is written: the other end of a to-many relationship is in the rows of others.
    private func changesRow(of model: any PersistentModel) -> Bool {
        guard !type(of: model)._$descriptor.dates.modification.isEmpty,
            let entity = sessions[Int(model._$state.storeIndex)].store.mapping.entity(for: type(of: model))
        else { return false }
        return model._$state.changedSlots.slots.contains { entity.columns[$0] != nil }
    }

    private func give(_ date: Date, _ model: any PersistentModel, _ slots: SlotSet) throws {
        let properties = type(of: model)._$descriptor.properties
        for slot in slots.slots {
            guard let property = properties[slot] as? AnyAttributeProperty else { continue }
            try property.assign(date, to: model)
        }
    }
}
