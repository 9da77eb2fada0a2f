/// Where a save under way stands among the edits of one object: what lies before it is being written, what lies behind it belongs to the
/// next save.
///
/// Placed by the first edit after the save began; an object that nobody edits meanwhile needs none.
@frozen @usableFromInline package struct SaveMark {
    /// Where the object stood in the unit of work when the save began.
    package let phase: ModelState.Phase
    /// How many edits the save writes.
    package internal(set) var edits: Int32

    package init(phase: ModelState.Phase, edits: Int) {
        self.phase = phase
        self.edits = Int32(truncatingIfNeeded: edits)
    }
}

/// The edits of an object are one list of before-images, `originals`. A save that others can interrupt is a mark in it: when it
/// succeeds, what lies before the mark is dropped; when it fails, the mark is.
extension ModelState {
    /// A save that others can interrupt begins to write this object.
    package func beginSave() { isUnderWay = true }

    /// The object is about to be edited: from here on, edits belong to the next save.
    package func placeSaveMark() {
        if isUnderWay, saveMark == nil { saveMark = SaveMark(phase: phase, edits: originals.count) }
    }

    /// The values that the save under way writes, of the properties that were edited since it began.
    package func imagesBehind(_ mark: SaveMark) -> ArraySlice<OriginalValue> { originals[Int(mark.edits)...] }

    /// The values before the edits that the save under way writes.
    package func imagesBefore(_ mark: SaveMark) -> ArraySlice<OriginalValue> { originals[..<Int(mark.edits)] }

    /// The object is in step with its row, but for what was edited since the save began.
    ///
    /// - Returns: the values before the save.
    package func finishSave() -> [OriginalValue] {
        isUnderWay = false
        guard let mark = saveMark else {
            let written = originals
            clearChanges()
            return written
        }
        saveMark = nil
        let written = Array(originals[..<Int(mark.edits)])
        setChanges(Array(originals[Int(mark.edits)...]))
        return written
    }

    /// Nothing was written: all edits are as unsaved as they were.
    package func abandonSave() {
        isUnderWay = false
        guard let mark = saveMark else { return }
        saveMark = nil
        // Of a new object everything is unsaved, whatever was changed when.
        guard phase != .inserted else { return setChanges([]) }
        // One image for each property: the oldest.
        let known = SlotSet(imagesBefore(mark).map(\.slot))
        setChanges(imagesBefore(mark) + imagesBehind(mark).filter { !known.contains($0.slot) })
    }

    /// What was edited since the save began was taken back: the save still writes the object.
    package func returnToSaveMark() {
        guard let mark = saveMark else { return }
        saveMark = nil
        phase = mark.phase
        setChanges(Array(imagesBefore(mark)))
    }

    /// An edit while a save is under way: behind the mark each property is noted once more.
    func noteDuringSave(_ slot: Int, _ original: () -> OriginalValue, _ context: any ObjectContext) {
        placeSaveMark()
        guard let mark = saveMark else { return }
        if !imagesBehind(mark).contains(where: { $0.slot == slot }) {
            let image = original()
            image.slot = slot
            originals.append(image)
            context.insertedModelDidChange(self)
        }
        // What is changed of a new object is not counted.
        guard phase == .registered || phase == .deleted, !changedSlots.contains(slot) else { return }
        let wasClean = changedSlots.isEmpty
        changedSlots.insert(slot)
        if wasClean { context.modelDidChange(self) }
    }

    /// Sets the edits, without touching the values.
    package func setChanges(_ images: [OriginalValue]) {
        changedSlots = SlotSet(images.map(\.slot))
        originals = images
        // A mark never stands behind the last edit.
        if let mark = saveMark { saveMark?.edits = min(mark.edits, Int32(clamping: images.count)) }
    }

    /// The rows have other values than the edits are said to have replaced.
    package func rewriteImages(_ body: (OriginalValue) -> OriginalValue) {
        if !originals.isEmpty { originals = originals.map(body) }
    }

    /// The save under way writes other values than the edits behind its mark are said to have replaced.
    package func rewriteImagesBehindMark(_ body: (OriginalValue) -> OriginalValue) {
        guard let mark = saveMark else { return }
        originals = imagesBefore(mark) + imagesBehind(mark).map(body)
    }
}
