import StrataModels
import StrataRepository

/// The saves that are under way: a second one, by another task, would write the same again.
struct SavesUnderWay {
    var saves: [PendingSave] = []
    /// How many edits there had been when they began.
    var editsAtBeginning = 0
}

/// What others change while a save waits for the server: an actor, or the main thread, goes on meanwhile.
///
/// The save writes what there was when it began. What comes after is unsaved when it has succeeded.
extension UnitOfWork {
    var isSaving: Bool { !savesUnderWay.saves.isEmpty }

    func begin(_ saves: [PendingSave]) {
        savesUnderWay = SavesUnderWay(saves: saves, editsAtBeginning: edits)
    }

    /// The saves are over, whatever became of them. What was not written is as unsaved as before.
    func endSaves() {
        let saves = savesUnderWay.saves
        savesUnderWay.saves = []
        for save in saves { save.abandon(in: self) }
    }

    /// A save that was abandoned: new objects that were deleted meanwhile have no row, and never will.
    func abandon(_ model: any PersistentModel) {
        let state = model._$state
        let wasInserted = state.underWay?.phase == .inserted
        if state.phase == .deleted, wasInserted {
            state.phase = .inserted
            state.abandonSave()
            deleteUnsaved(model)
        } else {
            state.abandonSave()
        }
    }

    /// Takes back what was changed since the save under way began, and nothing that it writes.
    func revertToBeginningOfSave(_ model: any PersistentModel) {
        let state = model._$state
        guard let underWay = state.underWay else { return }
        let (slots, originals) = (underWay.slots, underWay.originals)
        restore(model, underWay.laterOriginals)
        state.phase = underWay.phase
        state.setChanges(slots, originals: originals)
        state.continueSave()
    }
}

extension UnitOfWork: SaveMoment {
    func asItBegan<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard isSaving, edits != savesUnderWay.editsAtBeginning else { return try body() }
        // Nothing else runs while `body` does, and Observation is not told: nobody sees the old values.
        var seen = Set<ObjectIdentifier>()
        let edited = unsaved.all.filter { seen.insert(ObjectIdentifier($0)).inserted }.compactMap(EditedObject.init)
        for object in edited { object.goBack() }
        defer { for object in edited { object.comeForth() } }
        return try body()
    }
}

/// An object that was edited since the save began, as it is now.
private struct EditedObject {
    let model: any PersistentModel
    let phase: ModelState.Phase
    let slots: SlotSet
    let originals: [OriginalValue]
    /// What it was when the save began: its own changes then, or none.
    let earlier: (phase: ModelState.Phase, slots: SlotSet, originals: [OriginalValue])
    let earlierValues: [OriginalValue]
    let values: [OriginalValue]

    /// `nil` for an object that is as it was, and for one that was not there yet.
    init?(_ model: any PersistentModel) {
        let state = model._$state
        self.model = model
        phase = state.phase
        slots = state.changedSlots
        originals = state.originals
        if let underWay = state.underWay {
            earlier = (underWay.phase, underWay.slots, underWay.originals)
            earlierValues = underWay.laterOriginals
        } else {
            guard !state.isUnderWay, state.phase == .registered || state.phase == .deleted else { return nil }
            earlier = (.registered, SlotSet(), [])
            earlierValues = state.originals
        }
        let properties = type(of: model)._$descriptor.properties
        values = earlierValues.compactMap { properties[$0.slot].currentValue(of: model) }
    }

    func goBack() { set(earlier.phase, earlier.slots, earlier.originals, earlierValues) }

    func comeForth() { set(phase, slots, originals, values) }

    private func set(
        _ phase: ModelState.Phase, _ slots: SlotSet, _ originals: [OriginalValue], _ values: [OriginalValue]
    ) {
        var reader = OriginalsReader(values)
        model._$restore(&reader)
        model._$state.phase = phase
        model._$state.setChanges(slots, originals: originals)
    }
}
