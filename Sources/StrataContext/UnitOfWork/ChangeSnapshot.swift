import StrataModels
import StrataRepository

/// What is unsaved in a context at one moment, so that it can be put back later.
struct ChangeSnapshot {
    private struct Object {
        let model: any PersistentModel
        let phase: ModelState.Phase
        let wasInserted: Bool
        let slots: SlotSet
        var originals: [OriginalValue]
        var values: [OriginalValue]
    }

    private var objects: [Object] = []
    private let bulkChanges: [BulkChange]
    private let claims: TargetClaims
    private let errors: Int

    init(_ unit: UnitOfWork) {
        let unsaved = unit.unsaved
        bulkChanges = unsaved.bulkChanges
        claims = unsaved.claims
        errors = unit.errors.own.count
        var seen = Set<ObjectIdentifier>()
        for model in unsaved.insertedModels + unsaved.changedModels + unsaved.deletedModels
        where seen.insert(ObjectIdentifier(model)).inserted {
            let state = model._$state
            let properties = type(of: model)._$descriptor.properties
            // What changes in a new object is not noted one by one.
            let kept = state.phase == .inserted ? Array(properties.indices) : state.changedSlots.slots
            objects.append(
                Object(
                    model: model, phase: state.phase, wasInserted: state.wasInserted, slots: state.changedSlots,
                    originals: state.originals, values: kept.compactMap { properties[$0].currentValue(of: model) }))
        }
    }

    /// Others stand for rows now: what led to the objects that did so leads to them.
    mutating func replace(_ moves: ReplacedObjects) {
        for place in objects.indices {
            let model = objects[place].model
            objects[place].originals = objects[place].originals.map { moves.redirect($0, of: model) }
            objects[place].values = objects[place].values.map { moves.redirect($0, of: model) }
        }
    }

    /// The errors that were waiting to be thrown, if nobody has seen them since.
    func earlierErrors(of unit: UnitOfWork) -> [SwiftDataError] { Array(unit.errors.own.prefix(errors)) }

    /// Makes the same objects unsaved again, with the same values. Call when the context has no unsaved changes.
    func restore(in unit: UnitOfWork) {
        for object in objects where object.phase == .inserted {
            unit.reinsert(object.model)
            object.model._$state.wasInserted = object.wasInserted
        }
        for object in objects {
            let state = object.model._$state
            // Another session may have deleted it meanwhile.
            guard state.context === unit else { continue }
            unit.put(object.values, into: object.model)
            state.setChanges(object.slots, originals: object.originals)
            unit.noteDirty(object.model)
            if object.phase == .deleted { unit.markDeleted(object.model, wasInserted: object.wasInserted) }
        }
        unit.unsaved.bulkChanges = bulkChanges
        unit.unsaved.claims = claims
        // What was loaded meanwhile may not show these changes: it is read again.
        if !objects.isEmpty { unit.forgetUnchangedEnds() }
    }
}
