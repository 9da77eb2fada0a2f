import StrataModels
import StrataRepository

/// The saves that are under way: a second one, by another task, would write the same again.
struct SavesUnderWay {
    var saves: [PendingSave] = []
    var dates: SaveDates?
    /// How many edits there had been when they began.
    var editsAtBeginning = 0
}

/// What others change while a save waits for the server: an actor, or the main thread, goes on meanwhile.
///
/// The save writes what there was when it began. What comes after is unsaved when it has succeeded.
extension UnitOfWork {
    var isSaving: Bool { !savesUnderWay.saves.isEmpty }

    func begin(_ saves: [PendingSave], _ dates: SaveDates?) {
        savesUnderWay = SavesUnderWay(saves: saves, dates: dates, editsAtBeginning: edits)
    }

    /// The saves are over, whatever became of them. What was not written is as unsaved as before.
    func endSaves() {
        let (saves, dates) = (savesUnderWay.saves, savesUnderWay.dates)
        savesUnderWay.saves = []
        savesUnderWay.dates = nil
        for save in saves { save.abandon(in: self) }
        dates?.takeBack(in: self)
    }

    /// A save that was abandoned: new objects that were deleted meanwhile have no row, and never will.
    func abandon(_ model: any PersistentModel) {
        let state = model._$state
        let wasInserted = state.saveMark?.phase == .inserted
        if state.phase == .deleted, wasInserted {
            state.phase = .inserted
            state.abandonSave()
            deleteUnsaved(model)
        } else if state.phase == .inserted, isSoftlyDeletedSinceSaveBegan(model) {
            state.abandonSave()
            deleteUnsaved(model)
        } else {
            state.abandonSave()
        }
    }

    private func isSoftlyDeletedSinceSaveBegan(_ model: any PersistentModel) -> Bool {
        guard let mark = model._$state.saveMark, let date = type(of: model)._$descriptor.dates.deletion else {
            return false
        }
        return model._$isSoftlyDeleted && model._$state.imagesBehind(mark).contains { $0.slot == date }
    }

    /// Takes back what was edited since the save under way began, and nothing that it writes.
    func revertToSaveMark(_ model: any PersistentModel) {
        let state = model._$state
        guard let mark = state.saveMark else { return }
        put(Array(state.imagesBehind(mark)), into: model)
        state.returnToSaveMark()
    }
}

extension UnitOfWork: SaveMoment {
    func asItBegan<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard isSaving, edits != savesUnderWay.editsAtBeginning else { return try body() }
        // Nothing else runs while `body` does, and Observation is not told: nobody sees the old values.
        var seen = Set<ObjectIdentifier>()
        let later = unsaved.all.filter { seen.insert(ObjectIdentifier($0)).inserted }.compactMap(LaterEdits.init)
        for edits in later { edits.hide() }
        defer { for edits in later { edits.show() } }
        return try body()
    }
}

/// The edits of one object since the save under way began.
private struct LaterEdits {
    let model: any PersistentModel
    /// Where the object stood in the unit of work, its edits and the values of what was edited: now, and when the save began.
    let now: (phase: ModelState.Phase, images: [OriginalValue], values: [OriginalValue])
    let atMark: (phase: ModelState.Phase, images: [OriginalValue], values: [OriginalValue])

    /// `nil` for an object that is as it was, and for one that was not there yet.
    init?(_ model: any PersistentModel) {
        let state = model._$state
        let isLater = !state.isUnderWay && (state.phase == .registered || state.phase == .deleted)
        // The save does not write it: it had no edits then.
        guard let mark = state.saveMark ?? (isLater ? SaveMark(phase: .registered, edits: 0) : nil) else { return nil }
        self.model = model
        let (before, behind) = (Array(state.imagesBefore(mark)), Array(state.imagesBehind(mark)))
        let properties = type(of: model)._$descriptor.properties
        now = (state.phase, state.originals, behind.compactMap { properties[$0.slot].currentValue(of: model) })
        atMark = (mark.phase, before, behind)
    }

    func hide() { set(atMark) }
    func show() { set(now) }

    private func set(_ moment: (phase: ModelState.Phase, images: [OriginalValue], values: [OriginalValue])) {
        var reader = OriginalsReader(moment.values)
        model._$restore(&reader)
        model._$state.phase = moment.phase
        model._$state.setChanges(moment.images)
    }
}
