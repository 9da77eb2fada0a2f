import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// Brings the objects in memory in step with what a save has written to one store.
struct SaveApplication {
    private let contents: SaveContents
    private let session: StoreSession
    private let result: SaveResult?
    /// The keys of rows that bulk deletions deleted, and that delete rules took along.
    private var bulkDeleted: [(root: EntityMapping, key: RowKey)]
    /// The keys of rows to which bulk deletions gave a date, and delete rules.
    private let bulkSoftlyDeleted: [SoftlyDeletedRow]
    /// Objects that delete rules changed, and nobody else.
    private(set) var cleared: [any PersistentModel] = []

    private var request: SaveRequest { contents.request }

    init(
        _ contents: SaveContents, _ session: StoreSession, _ result: SaveResult?,
        bulkDeleted: [(root: EntityMapping, key: RowKey)], bulkSoftlyDeleted: [SoftlyDeletedRow]
    ) {
        (self.contents, self.session, self.result) = (contents, session, result)
        (self.bulkDeleted, self.bulkSoftlyDeleted) = (bulkDeleted, bulkSoftlyDeleted)
    }

    /// Brings the objects in step with what was written. Returns what it takes to undo that in memory.
    mutating func apply(in unit: UnitOfWork) -> Journal {
        var saved = Journal()
        unit.stamps.save &+= 1
        if changesOnly {
            noteChanged(in: unit, &saved)
            for model in saved.changed { model._$state.saveStamp = unit.stamps.save }
            forgetGeneratedValues(of: request.changed, in: unit)
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
        let consequences = contents.propagation.apply()
        let changed = consequences.isEmpty ? [] : Set(request.changed.map { ObjectIdentifier($0) })
        unit.noteConsequences(
            of: contents.propagation, asked: contents.explicitlyDeleted, cleared: consequences, in: session)
        for change in consequences {
            saved.append(change.originals, of: change.model)
            if !changed.contains(ObjectIdentifier(change.model)) { cleared.append(change.model) }
        }
        let losses = TakenTarget.settle(result?.taken ?? [], registered: session)
        unit.noteLosses(losses, to: result?.taken ?? [], in: session)
        for change in losses { saved.append(change.originals, of: change.model) }
        // Somebody may have taken a deletion back meanwhile: the row is gone, the object is a new one.
        let wanted = contents.explicitlyDeleted.filter { $0._$state.phase != .deleted }
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
        for update in contents.updates { saved.append(.updated(update.finish(in: unit))) }
        // Undone first: the objects that others stand for are put back after it.
        saved.append(redirected)
        for model in saved.changed { model._$state.saveStamp = unit.stamps.save }
        let others = cleared + (request.classChange.map { [$0.model] } ?? [])
        forgetGeneratedValues(of: inserted + saved.changed + request.changed + others, in: unit)
        for model in wanted { unit.insert(model) }
        return saved
    }

    /// What the server computes of the rows that were written, by the save or by a delete rule, is not known: it is read when it is next touched, of
    /// all of them at once.
    private func forgetGeneratedValues(of models: [any PersistentModel], in unit: UnitOfWork) {
        guard session.store.mapping.hasGeneratedColumns else { return }
        var groups: [Int: FetchGroup] = [:]
        var seen = Set<ObjectIdentifier>()
        for model in models where model._$state.phase == .registered && seen.insert(ObjectIdentifier(model)).inserted {
            let (state, descriptor) = (model._$state, type(of: model)._$descriptor)
            guard !descriptor.generatedSlots.isEmpty else { continue }
            forget(descriptor.generatedSlots, of: model, in: unit)
            for slot in descriptor.generatedSlots.slots { descriptor.properties[slot].announceChange(in: model) }
            guard state.fetchGroup == nil else { continue }
            let root = root(of: model)
            let group = groups[root.index] ?? FetchGroup(root: root.descriptor)
            groups[root.index] = group
            group.append(state.key)
            state.fetchGroup = group
        }
    }

    /// Lists in memory lose what was softly deleted, and are read again where something was restored. Objects whose rows the server gave a date
    /// have it.
    private mutating func applyDatesOfDeletion(in unit: UnitOfWork, _ saved: inout Journal) {
        let rows = (result?.softlyDeleted ?? []) + bulkSoftlyDeleted
        // A new object that took over a row has brought it back.
        let restores =
            contents.restores
            || result?.rekeyed.contains { type(of: $0.model)._$descriptor.dates.deletion != nil } == true
        guard !contents.softlyDeleted.isEmpty || !rows.isEmpty || restores else { return }
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
        unit.undoManager?.noteSoftDeletions(contents.softlyDeleted) { Self.goneAlong(with: $0, images, in: unit) }
        var ends = LeftEnds(session.store.mapping, registered: session)
        for model in contents.softlyDeleted + taken {
            for left in ends.leave(model) { saved.append(left.originals, of: left.model) }
        }
        if restores { unit.forgetUnchangedEnds() }
    }

    /// What belongs to some of the deleted objects, in memory, among what got a date: before the lists lose it.
    private static func goneAlong(
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
        request.inserted.isEmpty && request.deleted.isEmpty && contents.explicitlyDeleted.isEmpty
            && contents.bulkChanges.isEmpty
            && contents.softlyDeleted.isEmpty && !contents.restores && result?.isPlain != false
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
    private mutating func leaveOutNew() {
        guard !bulkDeleted.isEmpty, !request.inserted.isEmpty else { return }
        let new = Set(request.inserted.map { ObjectIdentifier($0) })
        bulkDeleted.removeAll { row in
            session.state(key: row.key, root: row.root)?.model.map { new.contains(ObjectIdentifier($0)) } ?? false
        }
    }

    /// Objects in memory whose rows went although nothing in memory said so: by a bulk deletion, or by a rule that led to
    /// them over rows that are not in memory.
    private mutating func endBulkDeleted(in unit: UnitOfWork, _ saved: inout Journal) {
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
}
