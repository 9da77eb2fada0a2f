import StrataModels

/// Takes back what was done in a context, and does it again.
///
/// Foundation has an `UndoManager` on Apple's platforms only; this one has its members as far as they concern models. Give
/// one to a context, and it notes what is inserted, deleted and set there:
///
/// ```swift
/// context.undoManager = ModelUndoManager()
/// trip.name = "Winter in Kyoto"
/// context.undoManager?.undo()
/// ```
///
/// Changes are taken back in groups. A group is what happened since the last ``ModelContext/processPendingChanges()``, save,
/// undo, or beginning or end of a transaction; or between ``beginUndoGrouping()`` and ``endUndoGrouping()``.
///
/// A save leaves the groups as they are: to take back what was saved makes new unsaved changes, for the next save. A
/// ``ModelContext/rollback()`` empties both stacks. One manager serves one context; it and its context stay in one isolation.
public final class ModelUndoManager {
    /// How many groups are kept, the oldest are forgotten first; 0, as to begin with, for all. Objects that a group concerns
    /// stay in memory as long as the group.
    public var levelsOfUndo = 0 {
        didSet { trim() }
    }
    /// How many calls of ``beginUndoGrouping()`` have not been ended.
    public private(set) var groupingLevel = 0
    /// Whether ``undo()`` is running.
    public private(set) var isUndoing = false
    /// Whether ``redo()`` is running.
    public private(set) var isRedoing = false

    /// The context whose changes these are; set by the context.
    weak var unit: UnitOfWork?
    private var stacks = UndoStacks()
    private var open = UndoGroup()
    private var disabledLevel = 0

    /// A manager without a context.
    public init() {}

    // MARK: Undo and redo

    /// Whether there is something to take back.
    public var canUndo: Bool { !open.isEmpty || !stacks.undo.isEmpty }
    /// Whether there is something to do again: something was taken back, and nothing else was done since.
    public var canRedo: Bool { !stacks.redo.isEmpty }
    /// How many groups can be taken back, the one that is still open among them.
    public var undoCount: Int { stacks.undo.count + (open.isEmpty ? 0 : 1) }
    /// How many groups can be done again.
    public var redoCount: Int { stacks.redo.count }

    /// Takes back the latest group: values, relationships, insertions and deletions are as before it. Groupings that were
    /// begun are ended first. Does nothing without a group.
    ///
    /// An object that was inserted leaves the context, or is deleted by the next save if it was saved. One that was deleted
    /// is back; if that was saved, the next save writes it again, with the same identifier. Of an array, what the group added
    /// and removed is taken back: who came or left since, because others saved it, stays or stays away.
    ///
    /// No round trip, but for arrays that the group changed and that are not loaded any more, as after a refresh: one for each
    /// whose other side does not say what was there (many-to-many, without an inverse, or ordered), blocking the thread like
    /// any lazy loading. What cannot be read stays as it is, and the next save throws `unfulfilledFault`.
    public func undo() {
        closeAll()
        guard let unit else { return }
        // Before the group leaves the stack: what is read may stand for its objects from now on.
        stacks.undo.last?.loadEnds(in: unit)
        guard let group = stacks.undo.popLast() else { return }
        isUndoing = true
        defer { isUndoing = false }
        stacks.redo.append(group.takeBack(in: unit))
    }

    /// Does again what the latest ``undo()`` took back. Does nothing when there is none. Costs what that does.
    public func redo() {
        closeAll()
        guard let unit else { return }
        stacks.redo.last?.loadEnds(in: unit)
        guard let group = stacks.redo.popLast() else { return }
        isRedoing = true
        defer { isRedoing = false }
        stacks.undo.append(group.takeBack(in: unit))
    }

    /// Forgets all groups; nothing can be taken back or done again.
    public func removeAllActions() {
        open = UndoGroup()
        stacks = UndoStacks()
        groupingLevel = 0
    }

    // MARK: Groups

    /// Begins a group that goes to the matching ``endUndoGrouping()``, whatever is saved meanwhile. Within another it is part
    /// of that.
    public func beginUndoGrouping() {
        if groupingLevel == 0 { close() }
        groupingLevel += 1
    }

    /// Ends the group that was begun last. Does nothing when none was.
    public func endUndoGrouping() {
        guard groupingLevel > 0 else { return }
        groupingLevel -= 1
        if groupingLevel == 0 { close() }
    }

    /// Ends the group of what has happened, unless one was begun explicitly.
    func closeGroup() {
        if groupingLevel == 0 { close() }
    }

    private func closeAll() {
        groupingLevel = 0
        close()
    }

    private func close() {
        guard !open.isEmpty else {
            open = UndoGroup()
            return
        }
        open.noteEnd()
        stacks.undo.append(open)
        open = UndoGroup()
        trim()
    }

    private func trim() {
        guard levelsOfUndo > 0, stacks.undo.count > levelsOfUndo else { return }
        stacks.undo.removeFirst(stacks.undo.count - levelsOfUndo)
    }

    // MARK: Names

    /// Names the group that is open, or else the latest one, for a menu.
    public func setActionName(_ actionName: String) {
        if open.isEmpty, groupingLevel == 0, let last = stacks.undo.indices.last {
            stacks.undo[last].name = actionName
        } else {
            open.name = actionName
        }
    }

    /// The name of the group that ``undo()`` takes back; empty if it has none.
    public var undoActionName: String { open.isEmpty ? stacks.undo.last?.name ?? "" : open.name }
    /// The name of the group that ``redo()`` does again; empty if it has none.
    public var redoActionName: String { stacks.redo.last?.name ?? "" }

    // MARK: Registration

    /// Whether changes are noted.
    public var isUndoRegistrationEnabled: Bool { disabledLevel == 0 }

    /// Changes are not noted until the matching ``enableUndoRegistration()``. Whoever takes back what was done before must
    /// expect to find the values of then.
    public func disableUndoRegistration() { disabledLevel += 1 }

    /// Ends the effect of ``disableUndoRegistration()``.
    public func enableUndoRegistration() {
        if disabledLevel > 0 { disabledLevel -= 1 }
    }

    // MARK: Called by the context

    var isNoting: Bool { disabledLevel == 0 && !isUndoing && !isRedoing }

    /// Whether the value at `slot` before the group is known already.
    func knows(_ slot: Int, of model: any PersistentModel) -> Bool { open.knows(slot, of: model) }

    func noteValue(_ value: OriginalValue, of property: any ModelProperty, in model: any PersistentModel) {
        open.note(open.valueBefore(value, property, of: model), of: model)
        stacks.redo.removeAll()
    }

    func notePresence(_ wasPresent: Bool, of model: any PersistentModel) {
        open.note(wasPresent, of: model)
        stacks.redo.removeAll()
    }

    /// A save did more than was asked for: delete rules took objects along, and cleared references to what went. It belongs
    /// to the groups whose deletions were saved.
    func noteConsequences(
        deleted: [any PersistentModel], along: (UndoGroup) -> [any PersistentModel],
        cleared: [(model: any PersistentModel, originals: [OriginalValue])]
    ) {
        let gone = Set(deleted.map { ObjectIdentifier($0) })
        let saved = cleared.flatMap { model, originals in originals.map { ClearedValue($0, of: model) } }
        func complete(_ group: inout UndoGroup, _ cleared: [ClearedValue]) {
            guard group.hasDeletions(among: gone) else { return }
            group.addConsequences(deleted: along(group), cleared: cleared)
        }
        if let oldest = stacks.undo.firstIndex(where: { $0.hasDeletions(among: gone) }) {
            // What a later group had made of them is no part of an earlier one.
            var cleared = open.before(saved)
            for index in stacks.undo.indices[oldest...].reversed() {
                let before = index > oldest ? stacks.undo[index].before(cleared) : []
                complete(&stacks.undo[index], cleared)
                cleared = before
            }
        }
        complete(&open, saved)
        for index in stacks.redo.indices { complete(&stacks.redo[index], saved) }
    }

    /// A save gave dates to objects that belong to softly deleted ones. That belongs to the groups that deleted these, to the last one of each.
    ///
    /// - Parameter along: what went with some of them, with the values before.
    func noteSoftDeletions(
        _ deleted: [any PersistentModel], along: ([any PersistentModel]) -> [Journal.Images]
    ) {
        var open = deleted
        func complete(_ group: inout UndoGroup) {
            let own = group.softDeletions(among: open)
            guard !own.isEmpty else { return }
            let known = Set(own.map { ObjectIdentifier($0) })
            open.removeAll { known.contains(ObjectIdentifier($0)) }
            for images in along(own) { for value in images.values { group.note(value, of: images.model) } }
        }
        complete(&self.open)
        for index in stacks.undo.indices.reversed() { complete(&stacks.undo[index]) }
    }

    /// A save took an object from the array of an owner that it does not know, and gave it to another one, which had claimed
    /// it. It belongs to the group with that claim.
    func noteLoss(
        of target: any PersistentModel, _ before: OriginalObjects, by loser: any PersistentModel,
        to owner: any PersistentModel
    ) {
        if open.hasClaim(on: target, at: before.slot, of: owner) {
            open.addLoss(of: target, before, by: loser)
        } else if let index = stacks.undo.lastIndex(where: { $0.hasClaim(on: target, at: before.slot, of: owner) }) {
            stacks.undo[index].addLoss(of: target, before, by: loser)
        }
    }

    /// Others have taken the place of objects: of new ones that a save found to be one row, of those that stood for a row that a
    /// new one took over, of those whose row has become one of another class.
    func replace(_ moves: ReplacedObjects) {
        guard !moves.isEmpty else { return }
        var mark = mark
        mark.replace(moves)
        reset(to: mark)
    }

    /// What there is to take back, to be put back when a transaction fails.
    var mark: UndoMark { UndoMark(stacks: stacks, open: open, groupingLevel: groupingLevel) }

    func reset(to mark: UndoMark) {
        stacks = mark.stacks
        open = mark.open
        groupingLevel = mark.groupingLevel
    }
}

/// The groups that can be taken back, and those that can be done again; the latest last.
struct UndoStacks {
    var undo: [UndoGroup] = []
    var redo: [UndoGroup] = []
}

/// What could be taken back and done again at one moment.
struct UndoMark {
    fileprivate var stacks: UndoStacks
    fileprivate var open: UndoGroup
    fileprivate let groupingLevel: Int

    mutating func replace(_ moves: ReplacedObjects) {
        var arrivals = moves.displaced
        for index in stacks.undo.indices { stacks.undo[index].replace(moves, &arrivals) }
        open.replace(moves, &arrivals)
        for index in stacks.redo.indices {
            // Done again is what was taken back: everything that is to come is gone now.
            var none: [ObjectIdentifier: any PersistentModel] = [:]
            stacks.redo[index].replace(moves, &none)
        }
        stacks.undo.removeAll(where: \.isEmpty)
    }
}
