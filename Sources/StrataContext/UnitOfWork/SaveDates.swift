import Foundation
import StrataModels
import StrataRepository

/// The dates of creation, of change and of deletion that a save gives to the objects that it writes, before it collects them.
///
/// They are no edits: nobody asks for the next save because of them, an undo does not know them, and a save that fails takes them back.
struct SaveDates {
    /// What a changed object had, and what it got.
    private var given: [(model: any PersistentModel, property: AnyAttributeProperty, before: OriginalValue)] = []
    /// The objects that were deleted since the last save, and what they were before that.
    private var deleted: [(model: any PersistentModel, property: AnyAttributeProperty, before: OriginalValue)] = []
    /// What these had until now.
    private let deletionDate: Date?
    let date = Date.now

    /// To all that is unsaved; `nil` where no class has dates.
    init?(_ unit: UnitOfWork) {
        deletionDate = unit.unsaved.deletionDate
        guard unit.sessions.contains(where: \.store.mapping.hasDates) else { return nil }
        for model in unit.unsaved.insertedModels {
            let descriptor = type(of: model)._$descriptor
            var slots = descriptor.dates.creation
            slots.formUnion(descriptor.dates.modification)
            for property in descriptor.attributes(slots) { property.setDate(date, of: model) }
        }
        for model in unit.unsaved.changedModels where unit.changesRow(of: model) { change(model) }
        guard let deletionDate else { return }
        for model in unit.unsaved.changedModels { delete(model, since: deletionDate) }
        // What is deleted while the save is under way belongs to the next one.
        unit.unsaved.deletionDate = nil
    }

    /// What a save deletes is deleted when it is saved: that date is also what goes along has, and tells what went together.
    private mutating func delete(_ model: any PersistentModel, since deletionDate: Date) {
        guard let property = type(of: model)._$descriptor.deletionDate,
            let before = model._$state.original(at: property.slot), property.hasDate(deletionDate, in: model)
        else { return }
        property.setDate(date, of: model)
        deleted.append((model, property, before))
    }

    /// A date that was assigned since the last save stays.
    private mutating func change(_ model: any PersistentModel) {
        let (state, descriptor) = (model._$state, type(of: model)._$descriptor)
        var slots = descriptor.dates.modification
        slots.subtract(state.changedSlots)
        for property in descriptor.attributes(slots) {
            guard let before = property.currentValue(of: model) else { continue }
            state.noteChange(property.slot, original: before)
            property.setDate(date, of: model)
            given.append((model, property, before))
        }
    }

    /// Nothing was written. Does nothing for what was, and for a date that was assigned in the meantime.
    func takeBack(in unit: UnitOfWork) {
        for (model, property, before) in deleted {
            guard let deletionDate, model._$state.original(at: property.slot) === before,
                property.hasDate(date, in: model)
            else { continue }
            property.setDate(deletionDate, of: model)
            if unit.unsaved.deletionDate == nil { unit.unsaved.deletionDate = deletionDate }
        }
        for (model, property, before) in given {
            guard model._$state.original(at: property.slot) === before, property.hasDate(date, in: model) else {
                continue
            }
            unit.put([before], into: model)
            model._$state.noteUnchanged(property.slot, before)
        }
    }
}

extension UnitOfWork {
    /// Whether an object has a date of its change, and its row is written: the other end of a to-many relationship is in the rows of others.
    fileprivate func changesRow(of model: any PersistentModel) -> Bool {
        guard !type(of: model)._$descriptor.dates.modification.isEmpty,
            let entity = sessions[Int(model._$state.storeIndex)].store.mapping.entity(for: type(of: model))
        else { return false }
        return model._$state.changedSlots.slots.contains { entity.columns[$0] != nil }
    }
}

extension ModelDescriptor {
    fileprivate func attributes(_ slots: SlotSet) -> [AnyAttributeProperty] {
        slots.slots.compactMap { properties[$0] as? AnyAttributeProperty }
    }
}
