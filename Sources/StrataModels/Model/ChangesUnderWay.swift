/// An object that was edited while a save was writing it: what the save writes, and what came after.
///
/// Made by the first such edit; an object that nobody edits meanwhile needs none.
@usableFromInline package final class ChangesUnderWay {
    /// Where the object stood when the save began.
    package let phase: ModelState.Phase
    /// What had been changed then, with the values before.
    package let slots: SlotSet
    package private(set) var originals: [OriginalValue]
    /// What was changed since, with the values that the save writes.
    package private(set) var later = SlotSet()
    package private(set) var laterOriginals: [OriginalValue] = []

    init(_ state: ModelState) {
        phase = state.phase
        slots = state.changedSlots
        originals = state.originals
    }

    func add(_ original: OriginalValue) {
        later.insert(original.slot)
        laterOriginals.append(original)
    }

    /// The save wrote other values than those the later edits are said to have replaced.
    package func replaceOriginals(_ body: (OriginalValue) -> OriginalValue) {
        laterOriginals = laterOriginals.map(body)
    }

    fileprivate func replaceWritten(_ body: (OriginalValue) -> OriginalValue) { originals = originals.map(body) }
}

/// A save writes the values an object had when the save began. What is changed after that belongs to the next save.
extension ModelState {
    /// A save that others can interrupt begins to write this object.
    package func beginSave() { isUnderWay = true }

    /// The object is about to be edited: keeps what the save under way writes.
    package func separateFromSave() {
        if isUnderWay, underWay == nil { underWay = ChangesUnderWay(self) }
    }

    /// The object is in step with its row, but for what was changed since the save began.
    ///
    /// - Returns: the values before the save.
    package func finishSave() -> [OriginalValue] {
        defer {
            underWay = nil
            isUnderWay = false
        }
        guard let underWay else {
            let written = originals
            clearChanges()
            return written
        }
        changedSlots = underWay.later
        originals = underWay.laterOriginals
        return underWay.originals
    }

    /// What was changed since the save began was taken back: the save still writes the object.
    package func continueSave() { underWay = nil }

    /// Nothing was written: all changes are as unsaved as they were.
    package func abandonSave() {
        isUnderWay = false
        guard underWay != nil else { return }
        underWay = nil
        // Of a new object everything is unsaved, whatever was changed when.
        if phase == .inserted { clearChanges() }
    }

    /// Sets what counts as changed, without touching the values.
    package func setChanges(_ slots: SlotSet, originals: [OriginalValue]) {
        changedSlots = slots
        self.originals = originals
    }

    /// The rows have other values than the unsaved changes are said to have replaced.
    package func replaceOriginals(_ body: (OriginalValue) -> OriginalValue) {
        originals = originals.map(body)
        underWay?.replaceWritten(body)
    }
}
