import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// What was done in memory by saves of an open transaction, in order, so that it can be undone when a level of it is rolled back.
///
/// What is unsaved stands in the objects, as before-images (``ModelState``); a save moves these here. A level of a transaction is a mark: an
/// entry that says what was unsaved when it began. Rolling a level back undoes everything behind its mark, the last first; committing
/// one within another leaves its entries to that. Empty while no transaction is open.
struct Journal {
    /// The values that properties of one object had.
    struct Images {
        let model: any PersistentModel
        var values: [OriginalValue]
    }

    enum Edit {
        /// A level began.
        case began(LevelBeginning)
        /// Rows were written: what is read from now on may be gone with them. The stamp is that of what was read after.
        case written(readStamp: UInt32)
        /// Properties were written, or found to be something else.
        case values(Images)
        /// Objects came to stand for rows. Together: they may refer to each other.
        case inserted([any PersistentModel])
        /// An object of another class came to stand for a row that was there.
        case converted(any PersistentModel)
        /// An object stood for its row until then.
        case left(any PersistentModel)
        /// An object took over a row that was there, and had this key until then.
        case rekeyed(any PersistentModel, key: RowKey)
        /// Somebody was told of an update by predicate.
        case updated(UpdateByPredicate)
    }

    private(set) var edits: [Edit] = []

    mutating func append(_ edit: Edit) { edits.append(edit) }

    /// Notes values that one object had.
    mutating func append(_ values: [OriginalValue], of model: any PersistentModel) {
        if !values.isEmpty { edits.append(.values(Images(model: model, values: values))) }
    }

    mutating func append(_ images: [Images]) { edits += images.map(Edit.values) }
    mutating func append(_ other: Journal) { edits += other.edits }

    // MARK: Marks

    /// Places a mark.
    ///
    /// - Returns: where it stands.
    mutating func mark(_ beginning: LevelBeginning) -> Int {
        edits.append(.began(beginning))
        return edits.count - 1
    }

    /// What was unsaved at a mark.
    func beginning(at mark: Int) -> LevelBeginning? {
        guard edits.indices.contains(mark), case .began(let beginning) = edits[mark] else { return nil }
        return beginning
    }

    /// Removes a mark. What lies behind it belongs to the mark before.
    mutating func remove(mark: Int) { edits.remove(at: mark) }

    /// The transaction is over.
    mutating func removeAll() { edits.removeAll() }

    /// Takes out what lies behind a mark, and the mark.
    mutating func take(backTo mark: Int) -> Journal {
        defer { edits.removeSubrange(mark...) }
        return Journal(edits: Array(edits[mark...]))
    }

    /// Undoes everything, the last first: the rows are what they were before it. Call when the context has no unsaved changes.
    func undo(in unit: UnitOfWork) {
        for edit in edits.reversed() {
            switch edit {
            case .began, .written: break
            case .values(let images): unit.restore(images.model, images.values)
            case .inserted(let models): unit.detach(models)
            case .converted(let model): unit.detach([model])
            case .left(let model):
                guard let (session, entity) = unit.session(for: type(of: model)._$descriptor) else { continue }
                session.add(model, key: model._$state.key, entity: entity, phase: .registered)
            case .rekeyed(let model, let key):
                model._$state.rekey(to: key)
                type(of: model)._$descriptor.keyProperty?.setKey(key, of: model)
            case .updated(let update): update.forget()
            }
        }
    }

    /// The stamp of what was read after something was first written; `nil` where nothing was.
    var firstWrite: UInt32? {
        for case .written(let stamp) in edits { return stamp }
        return nil
    }

    // MARK: Objects in the place of others

    /// Others stand for rows now: what is put back leads to them.
    mutating func replace(_ moves: ReplacedObjects) {
        for place in edits.indices {
            switch edits[place] {
            case .began(var beginning):
                beginning.replace(moves)
                edits[place] = .began(beginning)
            case .values(let images): edits[place] = .values(moves.redirect(images))
            case .written, .inserted, .converted, .left, .rekeyed, .updated: break
            }
        }
    }

    // MARK: What it holds

    var inserted: [any PersistentModel] {
        edits.flatMap { edit -> [any PersistentModel] in
            if case .inserted(let models) = edit { models } else { [] }
        }
    }

    /// The objects of which values were written.
    var changed: [any PersistentModel] {
        edits.compactMap { edit in
            if case .values(let images) = edit { images.model } else { nil }
        }
    }

    /// The objects that stood for a row and do not any more.
    var left: [any PersistentModel] {
        edits.compactMap { edit in
            if case .left(let model) = edit { model } else { nil }
        }
    }
}

/// What was unsaved, and could be taken back, when a level of a transaction began: it is so again if the level fails.
struct LevelBeginning {
    private struct Object {
        let phase: ModelState.Phase
        let wasInserted: Bool
        /// The values before its edits.
        var before: Journal.Images
        /// The values it had.
        var values: Journal.Images

        var model: any PersistentModel { values.model }
    }

    private var objects: [Object] = []
    private let bulkChanges: [BulkChange]
    private let claims: TargetClaims
    private let deletionDate: Date?
    private let errors: Int
    private var undo: UndoMark?

    init(_ unit: UnitOfWork) {
        let unsaved = unit.unsaved
        bulkChanges = unsaved.bulkChanges
        claims = unsaved.claims
        deletionDate = unsaved.deletionDate
        errors = unit.errors.own.count
        undo = unit.undoManager?.mark
        // Mostly nothing is unsaved.
        if unsaved.inserted.isEmpty, unsaved.changed.isEmpty, unsaved.deleted.isEmpty { return }
        var seen = Set<ObjectIdentifier>()
        for model in unsaved.insertedModels + unsaved.changedModels + unsaved.deletedModels
        where seen.insert(ObjectIdentifier(model)).inserted {
            let state = model._$state
            let properties = type(of: model)._$descriptor.properties
            // What changes in a new object is not noted one by one.
            let kept = state.phase == .inserted ? Array(properties.indices) : state.changedSlots.slots
            objects.append(
                Object(
                    phase: state.phase, wasInserted: state.wasInserted,
                    before: Journal.Images(model: model, values: state.originals),
                    values: Journal.Images(
                        model: model, values: kept.compactMap { properties[$0].currentValue(of: model) })))
        }
    }

    fileprivate mutating func replace(_ moves: ReplacedObjects) {
        for place in objects.indices {
            objects[place].before = moves.redirect(objects[place].before)
            objects[place].values = moves.redirect(objects[place].values)
        }
        undo?.replace(moves)
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
            unit.put(object.values.values, into: object.model)
            state.setChanges(object.before.values)
            unit.noteDirty(object.model)
            if object.phase == .deleted { unit.markDeleted(object.model, wasInserted: object.wasInserted) }
        }
        unit.unsaved.bulkChanges = bulkChanges
        unit.unsaved.claims = claims
        unit.unsaved.deletionDate = deletionDate
        // What was loaded meanwhile may not show these changes: it is read again.
        if !objects.isEmpty { unit.forgetUnchangedEnds() }
        if let undo { unit.undoManager?.reset(to: undo) }
    }
}
