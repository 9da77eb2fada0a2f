import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// Everything unsaved of one store, on its way to the server: changes by predicate, then the objects, in one transaction.
final class PendingSave: StoreOperation {
    let session: StoreSession
    private let request: SaveRequest
    /// What delete rules did to objects in memory: applied when the save has succeeded.
    private let propagation: DeletePropagation
    private let bulkChanges: [BulkChange]
    /// How each update by predicate goes on.
    private let updates: [BulkUpdateExecution]
    /// The objects whose deletion was asked for, without those that rules take along.
    private let explicitlyDeleted: [any PersistentModel]
    private let envelope: Envelope
    private var result: SaveResult?
    private var envelopeMoment = HistoryMoment()
    /// The keys of rows that bulk deletions deleted, and that delete rules took along.
    private var bulkDeleted: [(root: EntityMapping, key: RowKey)] = []
    /// The keys of rows to which bulk deletions gave a date, and delete rules.
    private var bulkSoftlyDeleted: [SoftlyDeletedRow] = []
    /// The objects that get a date of deletion, and whether others lose theirs.
    private let softlyDeleted: [any PersistentModel]
    private let restores: Bool

    /// What is around the objects' own transaction or savepoint.
    private enum Envelope {
        /// Nothing: the objects' transaction is all there is.
        case none
        /// A transaction, committed with the last batch or later, when other stores are as far.
        case transaction(isCommittedHere: Bool)
        /// A savepoint in the transaction of the context, released with the last batch or later, when other stores are as far.
        case savepoint(isReleasedHere: Bool)
    }

    /// The savepoint around a save within the context's transaction.
    static let savepoint = "strata_envelope"

    /// Whether the transaction of the context is committed with the last batch.
    private var isLast = false

    /// The transaction of the context, which this save is in, is committed with it.
    func endsTransaction() {
        isLast = true
        if case .none = envelope { request.commitsTransaction = true }
    }

    private var hasEnvelope: Bool { if case .none = envelope { false } else { true } }

    /// - Parameter commits: whether the transaction is committed, or the savepoint released, by this operation; otherwise by another one,
    ///   when other stores are as far.
    /// - Parameter date: the date of the save.
    init(_ unit: UnitOfWork, session: StoreSession, context: ModelContext, commits: Bool, date: Date) throws {
        self.session = session
        let unsaved = unit.unsaved
        bulkChanges = unsaved.bulkChanges.filter { $0.session === session }
        updates = bulkChanges.compactMap { change in
            guard case .update(let update) = change else { return nil }
            return BulkUpdateExecution(update, unsaved: unsaved.changedModels)
        }
        let mapping = session.store.mapping
        func ours(_ models: [any PersistentModel]) -> [any PersistentModel] {
            unit.sessions.count == 1 ? models : models.filter { mapping.entity(for: type(of: $0)) != nil }
        }
        let inserted = ours(unsaved.insertedModels)
        if !unit.lackingParts.isEmpty { try Self.requireParts(of: inserted) }
        if unit.lacksKeys, inserted.contains(where: { $0._$state.key == 0 }) {
            if let failure = session.store.keys.failure as? SwiftDataError { throw failure }
            throw SwiftDataError(
                .storeFailure, "No keys could be reserved for the new objects.",
                underlying: session.store.keys.failure as? PostgresError)
        }
        explicitlyDeleted = ours(unsaved.deletedModels)
        let changedBefore = ours(unsaved.changedModels)
        try Self.refuseRows(ofViewsIn: mapping, changed: changedBefore, deleted: explicitlyDeleted)
        let moved = updates.flatMap(\.relationships)
        try MovedEnds.refuse(moved, changed: changedBefore, deleted: explicitlyDeleted, mapping)
        let followsOthers = bulkChanges.contains(where: \.isDeletion)
        var propagation = try DeletePropagation(
            explicitlyDeleted, mapping: mapping, registered: session, followsOthers: followsOthers, moved: moved)
        while unit.loadForUndo(propagation.deleted) {
            // What was read now may go along.
            propagation = try DeletePropagation(
                explicitlyDeleted, mapping: mapping, registered: session, followsOthers: followsOthers, moved: moved)
        }
        let changed = ours(unit.unsaved.changedModels).filter { !propagation.isDeleted($0) }
        self.propagation = propagation
        let dated = mapping.deletesSoftly ? changed.filter { SoftDeletion(of: $0) != nil } : []
        softlyDeleted = dated.filter { SoftDeletion(of: $0) == .deletes }
        restores = softlyDeleted.count < dated.count
        let isInside = session.connection != nil
        if bulkChanges.isEmpty && commits {
            envelope = .none
        } else {
            envelope = isInside ? .savepoint(isReleasedHere: commits) : .transaction(isCommittedHere: commits)
        }
        let request = SaveRequest(
            inserted: inserted, changed: changed,
            deleted: propagation.deleted, conflictPolicy: context.conflictPolicy, uniquePolicy: context.uniquePolicy,
            date: date, authorship: try context.authorship(in: session.store),
            asksForMoment: session.store.recordsHistory)
        if let change = unit.unsaved.classChange, unit.sessions[Int(change.model._$state.storeIndex)] === session {
            request.classChange = change
        }
        if case .none = envelope { request.insideTransaction = isInside } else { request.insideTransaction = true }
        request.beginning = unit
        request.claims = unit.unsaved.claims
        if !propagation.deleted.isEmpty { request.registeredRoots = session.registeredRoots }
        if context.conflictPolicy != .overwrite { request.followed = propagation.followed }
        self.request = request
    }

    /// A row has all parts of its key.
    private static func requireParts(of inserted: [any PersistentModel]) throws {
        for model in inserted where model._$state.key == 0 {
            let descriptor = type(of: model)._$descriptor
            guard descriptor.hasKeyParts, let part = descriptor.keyParts.missing(in: model) else { continue }
            throw SaveError.missingPart(part, of: model)
        }
    }

    /// Whether the objects can be edited while they are written.
    private var allowsEdits = false

    /// From here on the objects can be edited while they are written.
    func allowEdits() {
        allowsEdits = true
        for models in [request.inserted, request.changed, request.deleted] {
            for model in models { model._$state.beginSave() }
        }
    }

    /// The save is over. Does nothing for what was written.
    func abandon(in unit: UnitOfWork) {
        guard allowsEdits else { return }
        for models in [request.inserted, request.changed, request.deleted] {
            for model in models where model._$state.isUnderWay { unit.abandon(model) }
        }
    }

    // MARK: The operation

    private enum Step {
        /// Sends what is around the objects, and the changes by predicate, where there are any.
        case opening
        /// The changes by predicate were sent.
        case bulkChanges
        case objects(SaveAttempts)
        /// Ends what is around the objects.
        case closing
        case closed
        /// Undoes what is around the objects.
        case undoing(any Error)
        case undone(any Error)
    }

    private var step = Step.opening

    func next() throws -> PostgresBatch? {
        while true {
            switch step {
            case .opening:
                let opening = try self.opening()
                step = .bulkChanges
                if let opening { return opening }
            case .bulkChanges:
                for update in updates { update.noteOverwritten(in: request) }
                if !bulkSoftlyDeleted.isEmpty { noteOverwrittenDates() }
                // Known now: another task of the transaction may have sent something while this save waited for its turn.
                request.followsWrites = session.connection?.mayHaveStored ?? false
                step = .objects(SaveAttempts(request, mapping: session.store.mapping))
            case .objects(let save):
                if let batch = try save.next() { return batch }
                result = save.result
                step = .closing
            case .closing:
                step = .closed
                if let closing = try self.closing() { return closing }
            case .undoing(let failure):
                step = .undone(failure)
                return Self.undoing
            case .closed: return nil
            case .undone(let failure): throw failure
            }
        }
    }

    func recover(from error: any Error, in transaction: TransactionState) throws {
        var failure = error
        switch step {
        case .opening: throw error
        // The first error says more than one of undoing.
        case .undoing(let first), .undone(let first): throw first
        case .objects(let save):
            do { return try save.recover(from: error, in: transaction) } catch {
                failure = hasEnvelope ? explain(error) : error
            }
        case .bulkChanges: failure = explain(bulkChange: error)
        case .closing, .closed: failure = explain(error)
        }
        // The connection's pool ends a transaction that is left open; within the context's own it must go on.
        guard transaction.has(savepoint: Self.savepoint) else { throw failure }
        step = .undoing(failure)
    }

    /// Takes back what the save has sent within the context's transaction.
    static var undoing: PostgresBatch {
        var batch = PostgresBatch()
        batch.rollback(to: savepoint)
        batch.release(savepoint)
        // Whatever has become of the task: the transaction around it goes on, and would have what was sent.
        batch.runsToEnd = true
        return batch
    }

    private func explain(bulkChange error: any Error) -> any Error {
        guard let failure = error as? PostgresError else { return error }
        // RESTRICT has a code of its own since PostgreSQL 18.
        if let update = updates.first(where: { $0.statementName == failure.statementName }) {
            return update.explain(failure)
        }
        if let refusal = ServerRefusal(failure, mapping: session.store.mapping) {
            return refusal.error(store: session.store.identifier)
        }
        guard ["23503", "23001"].contains(failure.sqlState) else { return explain(failure) }
        return SwiftDataError(
            .deleteDenied,
            "A deletion by predicate was refused: objects that stay refer to one of those it would delete, by a relationship "
                + "with the rule deny or one that is not optional (\(failure.constraint ?? "a foreign key")). Delete those too, "
                + "or let them refer to something else.", details: failure.detail, underlying: failure)
    }

    private func explain(_ error: any Error) -> any Error {
        error is PostgresError ? SaveExecution.explain(error, of: request, mapping: session.store.mapping) : error
    }

    private func opening() throws -> PostgresBatch? {
        var batch = PostgresBatch()
        switch envelope {
        case .none: return nil
        case .transaction: batch.begin()
        case .savepoint: batch.savepoint(Self.savepoint)
        }
        try batch.set(request.authorship)
        var updates = updates[...]
        for change in bulkChanges {
            switch change {
            case .deletion(let deletion):
                let isSoft = deletion.plan.softly != nil
                batch.add(
                    try deletion.plan.statement(at: request.date),
                    onRow: { row in
                        let mapping = self.session.store.mapping
                        if isSoft {
                            self.bulkSoftlyDeleted.append(try mapping.softlyDeleted(row))
                        } else {
                            self.bulkDeleted.append(try mapping.doomed(row))
                        }
                    })
            case .update: try updates.popFirst()?.addStatement(to: &batch)
            }
        }
        return batch
    }

    /// Objects that were edited as well: a deletion by predicate has given their rows a date before, which is nobody else's change.
    private func noteOverwrittenDates() {
        for row in bulkSoftlyDeleted {
            guard let state = session.state(key: row.key, root: row.root), let model = state.model else { continue }
            let slots = state.changedSlots.intersection(type(of: model)._$descriptor.dates.ofPresence)
            if !slots.isEmpty { request.overwritten[ObjectIdentifier(model), default: SlotSet()].formUnion(slots) }
        }
    }

    private func closing() throws -> PostgresBatch? {
        var batch = PostgresBatch()
        switch envelope {
        case .none, .transaction(isCommittedHere: false), .savepoint(isReleasedHere: false): return nil
        case .transaction(isCommittedHere: true): try commit(&batch)
        case .savepoint(isReleasedHere: true):
            batch.release(Self.savepoint)
            if isLast { try commit(&batch) }
        }
        return batch
    }

    private func commit(_ batch: inout PostgresBatch) throws {
        if request.asksForMoment {
            batch.add(
                try HistoryMoment.ofTransaction(in: session.store.mapping.schemaName),
                onRow: { [unowned self] in try envelopeMoment.take($0) })
        }
        batch.commit()
    }

    /// The place in the history after what this save committed itself.
    var moment: HistoryMoment {
        envelopeMoment.position == nil ? result?.moment ?? HistoryMoment() : envelopeMoment
    }

    /// Whether an object becomes one of another class.
    var changesClass: Bool { request.classChange != nil }

    func carriesOut(_ change: BulkChange) -> Bool { bulkChanges.contains { $0 === change } }

    // MARK: Apply

    /// Brings the objects in step with what was written. Returns what it takes to undo that in memory.
    func apply(in unit: UnitOfWork) -> Journal {
        var saved = Journal()
        unit.stamps.save &+= 1
        if changesOnly {
            noteChanged(in: unit, &saved)
            for model in saved.changed { model._$state.saveStamp = unit.stamps.save }
            return saved
        }
        let redirected = result.map { apply($0, in: unit, &saved) } ?? []
        let losers = Set((result?.merged ?? []).map { ObjectIdentifier($0.loser) })
        let inserted =
            losers.isEmpty ? request.inserted : request.inserted.filter { !losers.contains(ObjectIdentifier($0)) }
        for model in inserted {
            let state = model._$state
            _ = state.finishSave()
            // It may have been deleted meanwhile.
            if state.phase == .inserted { state.phase = .registered }
            state.wasInserted = false
            state.saveStamp = unit.stamps.save
            unit.noteDirty(model)
            unit.weakenReferences(of: model)
        }
        saved.append(.inserted(inserted))
        noteChanged(in: unit, &saved)
        let consequences = propagation.apply()
        let changed = consequences.isEmpty ? [] : Set(request.changed.map { ObjectIdentifier($0) })
        unit.noteConsequences(of: propagation, asked: explicitlyDeleted, cleared: consequences, in: session)
        for change in consequences {
            saved.append(change.originals, of: change.model)
            if !changed.contains(ObjectIdentifier(change.model)) { cleared.append(change.model) }
        }
        let losses = TakenTarget.settle(result?.taken ?? [], registered: session)
        unit.noteLosses(losses, to: result?.taken ?? [], in: session)
        for change in losses { saved.append(change.originals, of: change.model) }
        // Somebody may have taken a deletion back meanwhile: the row is gone, the object is a new one.
        let wanted = explicitlyDeleted.filter { $0._$state.phase != .deleted }
        // What a delete rule took along before it ever had a row has none when this is undone.
        let new = request.deleted.isEmpty ? [] : Set(inserted.map { ObjectIdentifier($0) })
        for model in request.deleted { end(model, &saved, hadRow: !new.contains(ObjectIdentifier(model))) }
        leaveOutNew()
        bulkDeleted += result?.doomed ?? []
        endBulkDeleted(in: unit, &saved)
        if !bulkDeleted.isEmpty || result?.gone.isEmpty == false {
            let gone = GoneRows(bulkDeleted, objects: result?.gone ?? [])
            saved.append(gone.leaveRelationships(registeredIn: session))
        }
        // Not to those that others stand for now: their rows are there.
        clearReferences(to: request.deleted + saved.left.filter { $0._$state.phase == .gone }, in: unit)
        forgetPartialRelationships(in: unit, &saved)
        applyDatesOfDeletion(in: unit, &saved)
        for update in updates { saved.append(.updated(update.finish(in: unit))) }
        // Undone first: the objects that others stand for are put back after it.
        saved.append(redirected)
        for model in saved.changed { model._$state.saveStamp = unit.stamps.save }
        for model in wanted { unit.insert(model) }
        return saved
    }

    /// Lists in memory lose what was softly deleted, and are read again where something was restored. Objects whose rows the server gave a date
    /// have it.
    private func applyDatesOfDeletion(in unit: UnitOfWork, _ saved: inout Journal) {
        let rows = (result?.softlyDeleted ?? []) + bulkSoftlyDeleted
        // A new object that took over a row has brought it back.
        let restores =
            restores || result?.rekeyed.contains { type(of: $0.model)._$descriptor.dates.deletion != nil } == true
        guard !softlyDeleted.isEmpty || !rows.isEmpty || restores else { return }
        let written = Set(request.changed.map { ObjectIdentifier($0) })
        var taken: [any PersistentModel] = []
        var images: [Journal.Images] = []
        for row in rows {
            guard let model = session.state(key: row.key, root: row.root)?.model else { continue }
            taken.append(model)
            images.append(Journal.Images(model: model, values: giveDates(to: model, row.date, in: unit)))
            if !written.contains(ObjectIdentifier(model)) { cleared.append(model) }
        }
        saved.append(images.filter { !$0.values.isEmpty })
        unit.undoManager?.noteSoftDeletions(softlyDeleted) { self.goneAlong(with: $0, images, in: unit) }
        var ends = LeftEnds(session.store.mapping, registered: session)
        for model in softlyDeleted + taken {
            for left in ends.leave(model) { saved.append(left.originals, of: left.model) }
        }
        if restores { unit.forgetUnchangedEnds() }
    }

    /// What belongs to some of the deleted objects, in memory, among what got a date: before the lists lose it.
    private func goneAlong(
        with models: [any PersistentModel], _ images: [Journal.Images], in unit: UnitOfWork
    ) -> [Journal.Images] {
        let taken = Dictionary(images.map { (ObjectIdentifier($0.model), $0) }, uniquingKeysWith: { first, _ in first })
        var found: [Journal.Images] = []
        var seen = Set<ObjectIdentifier>()
        var pending = models
        while let model = pending.popLast() {
            for part in unit.cascades(of: model) {
                guard let images = taken[ObjectIdentifier(part)], seen.insert(ObjectIdentifier(part)).inserted else {
                    continue
                }
                pending.append(part)
                // The date of change is not undone, as that of any edit.
                let date = type(of: part)._$descriptor.dates.deletion
                found.append(
                    Journal.Images(model: part, values: images.values.filter { $0.slot == date && $0.isKnown }))
            }
        }
        return found
    }

    /// - Returns: what the object had. A date that was edited meanwhile stays, and the row is not what it replaced.
    private func giveDates(to model: any PersistentModel, _ date: Date, in unit: UnitOfWork) -> [OriginalValue] {
        let descriptor = type(of: model)._$descriptor
        unit.forgetSetByServer(descriptor.dates.ofPresence.intersection(model._$state.changedSlots), of: model)
        model._$state.saveStamp = unit.stamps.save
        return descriptor.dates.ofPresence.slots.compactMap { slot in
            guard !model._$state.changedSlots.contains(slot),
                let property = descriptor.properties[slot] as? AnyAttributeProperty
            else { return nil }
            let before = property.currentValue(of: model)
            property.setDate(slot == descriptor.dates.deletion ? date : request.date, of: model)
            return before
        }
    }

    private func noteChanged(in unit: UnitOfWork, _ saved: inout Journal) {
        for model in request.changed {
            saved.append(model._$state.finishSave(), of: model)
            unit.weakenReferences(of: model)
        }
    }

    /// What servers save most: objects were changed, and nothing else is to be looked at.
    private var changesOnly: Bool {
        request.inserted.isEmpty && request.deleted.isEmpty && explicitlyDeleted.isEmpty && bulkChanges.isEmpty
            && softlyDeleted.isEmpty && !restores && result?.isPlain != false
    }

    /// The rows may have more at their to-many ends than the objects that took their place.
    private func forgetPartialRelationships(in unit: UnitOfWork, _ saved: inout Journal) {
        for model in (result?.rekeyed.map(\.model) ?? []) + (result?.merged.map(\.winner) ?? []) {
            let relationships = type(of: model)._$descriptor.relationships.filter { !$0.isToOne }
            let values = relationships.compactMap { $0.currentValue(of: model) }.filter(\.isKnown)
            saved.append(values, of: model)
            unit.forgetRelationships(of: [model])
        }
    }

    /// Objects that were pointed elsewhere while the save was under way: their rows had pointed at what is gone, and point at
    /// nothing now.
    private func clearReferences(to gone: [any PersistentModel], in unit: UnitOfWork) {
        guard !gone.isEmpty else { return }
        for model in unit.unsaved.changedModels {
            model._$state.rewriteImages { original in
                guard let reference = (original as? OriginalReference)?.reference,
                    gone.contains(where: { reference.points(to: $0) }),
                    let property = type(of: model)._$descriptor.properties[original.slot] as? RelationshipProperty,
                    property.isOptional
                else { return original }
                let cleared = OriginalReference(.none)
                cleared.slot = original.slot
                return cleared
            }
        }
    }

    private func end(_ model: any PersistentModel, _ saved: inout Journal, hadRow: Bool = true) {
        session.remove(model._$state)
        // It may have been changed before.
        saved.append(model._$state.finishSave(), of: model)
        model._$state.phase = .gone
        model._$state.clearChanges()
        model._$state.unregister()
        if hadRow { saved.append(.left(model)) }
    }

    /// A deletion by predicate comes first in a save: a new object with the key of a row that it took has a row of its own since.
    private func leaveOutNew() {
        guard !bulkDeleted.isEmpty, !request.inserted.isEmpty else { return }
        let new = Set(request.inserted.map { ObjectIdentifier($0) })
        bulkDeleted.removeAll { row in
            session.state(key: row.key, root: row.root)?.model.map { new.contains(ObjectIdentifier($0)) } ?? false
        }
    }

    /// Objects in memory whose rows went although nothing in memory said so: by a bulk deletion, or by a rule that led to
    /// them over rows that are not in memory.
    private func endBulkDeleted(in unit: UnitOfWork, _ saved: inout Journal) {
        let models = bulkDeleted.compactMap { session.state(key: $0.key, root: $0.root)?.model }
        guard !models.isEmpty else { return }
        // The server has applied the rules already, so nothing can be denied any more.
        guard let consequences = try? DeletePropagation(models, mapping: session.store.mapping, registered: session)
        else {
            for model in models { end(model, &saved) }
            return
        }
        for cleared in consequences.apply() { saved.append(cleared.originals, of: cleared.model) }
        for model in consequences.deleted { end(model, &saved) }
    }

    /// - Returns: the relationships that lead to other objects now, as they were.
    private func apply(
        _ result: SaveResult, in unit: UnitOfWork, _ saved: inout Journal
    ) -> [Journal.Images] {
        var moves = ReplacedObjects()
        for (model, key) in result.rekeyed {
            let old = model._$state.key
            // By the parts of its key it was found, and has it.
            if old == key { continue }
            let root = root(of: model)
            if let twin = session.state(key: key, root: root), let other = twin.model, other !== model {
                // The object that stood for the row until now: it keeps its values and leaves the context.
                session.remove(twin)
                twin.unregister()
                twin.phase = .detached
                saved.append(.left(other))
                moves.displace(other, by: model)
            }
            // Undone first: the other object has the key then.
            saved.append(.rekeyed(model, key: old))
            session.rekey(model._$state, to: key)
            moves.move(old, to: key, root: root.descriptor)
        }
        for (loser, winner) in result.merged {
            moves.move(loser._$state.key, to: winner._$state.key, root: root(of: winner).descriptor)
            moves.replace(loser, by: winner)
            unit.detach([loser])
        }
        // Mostly there are none, and the objects many.
        let redirected =
            moves.isEmpty
            ? []
            : moves.apply(
                to: request.inserted + request.changed, registeredIn: session,
                wasEdited: unit.edits != unit.savesUnderWay.editsAtBeginning)
        for model in result.gone { end(model, &saved) }
        for (model, slots) in result.stale { forget(slots, of: model, in: unit) }
        unit.undoManager?.replace(moves)
        return redirected
    }

    /// The database won: what it has is not known, also not as what a later edit has replaced.
    private func forget(_ slots: SlotSet, of model: any PersistentModel, in unit: UnitOfWork) {
        let state = model._$state
        guard let mark = state.saveMark else { return unit.forgetValues(of: model, in: slots) }
        var unedited = slots
        unedited.subtract(SlotSet(state.imagesBehind(mark).map(\.slot)))
        unit.forgetValues(of: model, in: unedited)
        let properties = type(of: model)._$descriptor.properties
        state.rewriteImagesBehindMark { slots.contains($0.slot) ? properties[$0.slot].unknownValue() ?? $0 : $0 }
    }

    private func root(of model: any PersistentModel) -> EntityMapping {
        session.store.mapping.entities[Int(model._$state.rootIndex)]
    }

    private var updated: [any PersistentModel] {
        guard let model = request.classChange?.model, !request.changed.contains(where: { $0 === model }) else {
            return request.changed + cleared
        }
        return request.changed + cleared + [model]
    }

    /// Objects that delete rules changed, and nobody else.
    private var cleared: [any PersistentModel] = []

    var identifiers:
        (inserted: [PersistentIdentifier], updated: [PersistentIdentifier], deleted: [PersistentIdentifier])
    {
        // Their rows were gone: the objects are deleted, not updated.
        let gone = result?.gone ?? []
        let lost = Set(gone.map { ObjectIdentifier($0) })
        return (
            request.inserted.map { $0.persistentModelID },
            updated.filter { !lost.contains(ObjectIdentifier($0)) }.map { $0.persistentModelID },
            (request.deleted + gone).map { $0.persistentModelID }
        )
    }
}
