import Strata
import StrataClient

extension ReferenceGraph {
    /// What a save would make of everything.
    struct Saved {
        var graph: ReferenceGraph
        /// Not empty: it must fail with one of these.
        var errors: Set<SwiftDataError.Code> = []
        /// It may fail with one of these: objects that go anyway were changed in the database.
        var possibleErrors: Set<SwiftDataError.Code> = []
        /// Whether a new object has the unsaved value of a changed one: the save refuses it.
        var hasCollision = false
        /// New objects that stand for a row, by the row's key.
        var standsFor: [RowKey: RowKey] = [:]
        /// What becomes of the keys of new objects that stand for a row, and of those for which another one stands.
        var moved: [RowKey: RowKey] = [:]
    }

    /// Whether everything that the delete rules look at is known: neither keys nor ends are out of date.
    func isSettled(_ context: Int) -> Bool {
        let state = contexts[context]
        guard !isIgnoringPairs(context) else { return false }
        guard state.hasDeletions else { return true }
        return state.stale.isEmpty && state.stalePairs.isEmpty && state.staleGifts.isEmpty
            && !state.objects.contains { key, object in
                object.row.kind.references.contains { reference in
                    !object.owns(.reference(reference)) && object.row[reference] != rows[key]?[reference]
                }
            }
    }

    /// The rows with the unsaved values of a context's objects in their place.
    private func rowsInMemory(_ context: Int) -> [RowKey: GraphRow] {
        var now = rows
        for (key, object) in contexts[context].objects {
            switch object.phase {
            case .inserted: now[key] = object.row
            case .deleted: now[key] = nil
            case .registered: if object.hasWritten || object.seemsChanged { now[key] = object.row }
            }
        }
        return now
    }

    /// All or nothing: deletions by predicate first; then what was changed and inserted; then the delete rules, on what is
    /// true by then.
    func saved(_ context: Int, _ policy: ConflictPolicy) -> Saved {
        var result = Saved(graph: self)
        let own = contexts[context]
        var doomed: Set<RowKey> = []
        for bulk in own.bulkDeletions {
            let matching = result.graph.rows.keys.filter { key in
                result.graph.rows[key]!.kind.isKind(of: bulk.kind)
                    && bulk.condition?.matches(key, in: result.graph.rows) != false
            }
            let erased = result.graph.erase(Set(matching))
            doomed.formUnion(erased.doomed)
            result.errors.formUnion(erased.errors)
        }
        let asked = own.objects.filter { $1.phase == .deleted }.map(\.key)
        // What goes in memory leads on, although a deletion by predicate, or others, have taken its row already.
        var memory = self
        memory.rows = rowsInMemory(context)
        let goes = memory.erase(Set(asked)).doomed
        var conflicts: Set<RowKey> = []
        var missing: Set<RowKey> = []
        var lost: [RowKey: [GraphSlot: GraphValue]] = [:]
        var overwritten: [ReferenceContext.End] = []
        for (key, object) in own.objects where object.phase != .deleted {
            if object.phase == .inserted {
                if object.row[.code] == .empty { result.graph.rows[key] = object.row }
                continue
            }
            guard object.hasWritten else { continue }
            guard var row = result.graph.rows[key] else {
                missing.insert(key)
                continue
            }
            for (slot, original) in object.originals {
                if row[slot] == original || object.blind.contains(slot) || policy == .overwrite
                    || row[slot] == .empty && object.row[slot] == .empty
                        && own.isReleased(slot, from: original, among: goes)
                {
                    // It leaves where it was moved by others, which its context did not know.
                    if case .reference(let reference) = slot, row[slot] != original, let owner = row[reference] {
                        overwritten.append(.init(owner: owner, reference: reference))
                    }
                    row[slot] = object.row[slot]
                } else if policy == .keepStore {
                    lost[key, default: [:]][slot] = row[slot]
                } else {
                    conflicts.insert(key)
                }
            }
            if object.originalNumber != nil { row.number = object.row.number }
            result.graph.rows[key] = row
        }
        result.insertUnique(own, besides: Set(asked))
        let erased = result.graph.erase(goes.intersection(doomed.union(missing).union(conflicts)).union(asked))
        doomed.formUnion(erased.doomed)
        result.errors.formUnion(erased.errors)
        result.checkDenials(of: own, goes)

        if !conflicts.isSubset(of: doomed) { result.errors.insert(.conflict) }
        if !conflicts.isDisjoint(with: doomed) { result.possibleErrors.insert(.conflict) }
        if policy != .keepStore, !missing.isSubset(of: goes) { result.errors.insert(.modelNotFound) }
        result.checkReferences(of: own, doomed)
        result.checkUnique(own, before: rows)
        result.pair(own, erased.doomed)
        result.give(own, erased.doomed)
        result.settle(context, doomed.union(asked), missing, lost)
        result.graph.contexts[context].stale.formUnion(overwritten)
        result.graph.noteStale(since: self, by: context)
        return result
    }
}

extension ReferenceContext {
    /// Whether a reference left what this save deletes: when that has gone before, it is empty already.
    fileprivate func isReleased(_ slot: GraphSlot, from original: GraphValue, among gone: Set<RowKey>) -> Bool {
        guard case .reference(let reference) = slot, let target = original.key else { return false }
        return reference.rule == .nullify && !reference.isRequired && gone.contains(target) && objects[target] != nil
    }
}

extension ReferenceGraph.Saved {
    fileprivate mutating func checkReferences(of own: ReferenceContext, _ doomed: Set<RowKey>) {
        for (key, object) in own.objects where object.isChanged {
            // Required ends are looked at before the server can say that the row is gone or holds another value.
            let isIncomplete = object.row.kind.references.contains { reference in
                reference.isRequired && object.owns(.reference(reference))
                    && object.row[reference].map { graph.canHold(reference, $0) } != true
            }
            if isIncomplete { possibleErrors.insert(.modelValidationFailure) }
            guard let row = graph.rows[key] else { continue }
            for reference in row.kind.references where object.owns(.reference(reference)) {
                guard let target = row[reference] else {
                    if reference.isRequired { errors.insert(.modelValidationFailure) }
                    continue
                }
                // Nothing in the tables keeps such a reference from leading to nothing.
                if !graph.canHold(reference, target), reference.rule != .noAction {
                    errors.insert(.modelNotFound)
                    // The context may know already that it is gone.
                    if reference.isRequired { errors.insert(.modelValidationFailure) }
                }
                guard reference.isOneToOne else { continue }
                if graph.rows.contains(where: { $0 != key && $1[reference] == target }) {
                    errors.insert(.uniqueConstraint)
                }
            }
        }
    }

    /// What an unsaved value forbids is seen before the server can say that the row holds another one.
    fileprivate mutating func checkDenials(of own: ReferenceContext, _ gone: Set<RowKey>) {
        for (key, object) in own.objects where object.isChanged && !gone.contains(key) {
            let denies = object.row.kind.references.contains { reference in
                (reference.rule == .deny || reference.isRequired) && object.owns(.reference(reference))
                    && object.row[reference].map(gone.contains) == true
            }
            if denies { possibleErrors.insert(.deleteDenied) }
        }
    }

    fileprivate mutating func pair(_ own: ReferenceContext, _ doomed: Set<RowKey>) {
        for pair in own.paired.map({ GraphPair(person: $0.person, skill: moved[$0.skill] ?? $0.skill) })
        where !doomed.contains(pair.person) && !doomed.contains(pair.skill) {
            if graph.rows[pair.person] != nil, graph.rows[pair.skill] != nil {
                graph.pairs.insert(pair)
            } else if own.objects[pair.person] != nil, own.objects[pair.skill] != nil {
                errors.insert(.modelNotFound)
            } else {
                // A refresh has found out already that one of the two is gone.
                possibleErrors.insert(.modelNotFound)
            }
        }
        graph.pairs.subtract(own.unpaired)
    }

    fileprivate mutating func give(_ own: ReferenceContext, _ doomed: Set<RowKey>) {
        for (badge, sites) in own.withdrawn {
            // Others may have given it elsewhere.
            if let site = graph.gifts[badge], sites.contains(site) { graph.gifts[badge] = nil }
        }
        for (badge, sites) in own.claimed where !doomed.contains(badge) {
            guard let site = sites.last(where: { !doomed.contains($0) }) else { continue }
            if graph.rows[badge] != nil, graph.rows[site] != nil {
                graph.gifts[badge] = site
            } else if own.objects[badge] != nil, own.objects[site] != nil {
                errors.insert(.modelNotFound)
            } else {
                possibleErrors.insert(.modelNotFound)
            }
        }
    }

    /// The context's objects are in step with their rows.
    fileprivate mutating func settle(
        _ context: Int, _ gone: Set<RowKey>, _ missing: Set<RowKey>, _ lost: [RowKey: [GraphSlot: GraphValue]]
    ) {
        var state = graph.contexts[context]
        takePlaces(in: &state)
        for key in gone.union(missing) { state.objects[key] = nil }
        for (key, object) in state.objects {
            var object = object
            for (slot, stored) in lost[key] ?? [:] {
                if case .reference(let reference) = slot {
                    for owner in [object.row[slot].key, stored.key] {
                        if let owner { state.stale.insert(.init(owner: owner, reference: reference)) }
                    }
                }
                object.row[slot] = stored
            }
            // A required one never leads nowhere: others have let it lead elsewhere, and it is read again.
            for reference in object.row.kind.references where !reference.isRequired && reference.rule != .noAction {
                if let target = object.row[reference], gone.contains(target) || missing.contains(target) {
                    object.row[reference] = nil
                }
            }
            object.originals = [:]
            object.originalNumber = nil
            object.blind = []
            // Of a row that others have deleted, nothing can be read any more.
            if graph.rows[key] != nil { object.mayBeReread = false }
            object.phase = .registered
            state.objects[key] = object
        }
        state.bulkDeletions = []
        state.paired = []
        state.unpaired = []
        state.claimed = [:]
        state.withdrawn = [:]
        state.arrangements = [:]
        graph.contexts[context] = state
        graph.names = graph.names.mapValues { moved[$0] ?? $0 }
    }
}
