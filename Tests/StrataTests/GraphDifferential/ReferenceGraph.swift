import Strata
import StrataClient

/// The rows, and what each context has not saved: a model of the library in plain values, written from its documentation.
struct ReferenceGraph: Sendable {
    var rows: [RowKey: GraphRow] = [:]
    var pairs: Set<GraphPair> = []
    /// The sites that badges were given to: a badge does not know its own.
    var gifts: [RowKey: RowKey] = [:]
    var contexts: [ReferenceContext]
    /// Who is at each ordered end, in the order that is stored; `nil` while a transaction may have written another one.
    var orders: [ReferenceContext.End: [RowKey]]? = [:]
    /// The keys of the objects that steps name.
    var names: [Int: RowKey] = [:]

    init(contexts: Int) {
        self.contexts = Array(repeating: ReferenceContext(), count: contexts)
    }

    /// The object of this name in a context, unless it is to be deleted.
    func object(_ number: Int, _ context: Int) -> (key: RowKey, object: ReferenceContext.Object)? {
        guard let key = names[number], let object = contexts[context].objects[key], object.phase != .deleted,
            !isOutdated(key, context)
        else { return nil }
        return (key, object)
    }

    /// Whether there is a row that a reference can lead to.
    func canHold(_ reference: GraphReference, _ target: RowKey) -> Bool {
        rows[target]?.kind.isKind(of: reference.target) == true
    }

    // MARK: To-many ends

    /// Who is at a to-many end, as the context must show it, and of whom nothing is said: objects that are to be deleted, and
    /// those whose key others have changed since they were read.
    func members(_ end: ReferenceContext.End, _ context: Int) -> (sure: Set<RowKey>, unsure: Set<RowKey>) {
        let slot = GraphSlot.reference(end.reference)
        let own = contexts[context].objects
        var sure: Set<RowKey> = []
        var unsure: Set<RowKey> = []
        for (key, object) in own {
            let mine = object.row[end.reference]
            let stored = rows[key]?[end.reference]
            let isKnown = object.phase == .inserted || rows[key] != nil
            if object.phase != .deleted, isKnown, object.owns(slot) || mine == stored {
                if mine == end.owner {
                    sure.insert(key)
                } else if stored == end.owner, object.phase != .inserted, object.originals[slot]?.key != stored {
                    // It was moved here by others, and away by this context, which did not know that.
                    unsure.insert(key)
                }
            } else if mine == end.owner || stored == end.owner || object.originals[slot]?.key == end.owner {
                unsure.insert(key)
            }
        }
        for (key, row) in rows where own[key] == nil && row[end.reference] == end.owner { sure.insert(key) }
        return (sure, unsure)
    }

    /// Whether a context may show these objects at a to-many end, or the one at an end where there is room for one.
    func accepts(_ keys: [RowKey], at end: ReferenceContext.End, _ context: Int) -> Bool {
        let (sure, unsure) = members(end, context)
        // Of several that claim the place, any has it.
        if end.reference.isOneToOne, sure.count > 1 {
            return keys.count == 1 && sure.union(unsure).isSuperset(of: keys)
        }
        return Set(keys).count == keys.count && Set(keys).symmetricDifference(sure).isSubset(of: unsure)
    }

    // MARK: Delete rules

    /// Deletes rows and what goes with them.
    ///
    /// - Returns: what was deleted, and why it must not be.
    mutating func erase(_ seeds: Set<RowKey>) -> (doomed: Set<RowKey>, errors: Set<SwiftDataError.Code>) {
        var doomed = seeds
        var next = Array(seeds)
        while let key = next.popLast() {
            for (other, row) in rows where !doomed.contains(other) {
                let goes = row.kind.references.contains { $0.rule == .cascade && row[$0] == key }
                if goes {
                    doomed.insert(other)
                    next.append(other)
                }
            }
        }
        var errors: Set<SwiftDataError.Code> = []
        for (other, row) in rows where !doomed.contains(other) {
            for reference in row.kind.references {
                guard let target = row[reference], doomed.contains(target), reference.rule != .noAction else {
                    continue
                }
                if reference.rule == .deny || reference.isRequired { errors.insert(.deleteDenied) }
                // What forbids a deletion is not changed by it.
                if reference.rule != .deny { rows[other]?[reference] = nil }
            }
        }
        for key in doomed { rows[key] = nil }
        pairs = pairs.filter { !doomed.contains($0.person) && !doomed.contains($0.skill) }
        gifts = gifts.filter { !doomed.contains($0) && !doomed.contains($1) }
        return (doomed, errors)
    }

    // MARK: What others notice

    /// Rows are not any more what `before` had: to-many ends that other contexts have in memory are out of date.
    mutating func noteStale(since before: ReferenceGraph, by writer: Int?) {
        var ends: Set<ReferenceContext.End> = []
        for key in Set(rows.keys).union(before.rows.keys) {
            let (old, new) = (before.rows[key], rows[key])
            guard let kind = (old ?? new)?.kind, old != new else { continue }
            for reference in kind.references where old?[reference] != new?[reference] {
                for owner in [old?[reference], new?[reference]] {
                    if let owner { ends.insert(.init(owner: owner, reference: reference)) }
                }
            }
        }
        let parted = pairs.symmetricDifference(before.pairs).flatMap { [$0.person, $0.skill] }
        let badges = Set(gifts.keys).union(before.gifts.keys).filter { gifts[$0] != before.gifts[$0] }
        let sites = badges.flatMap { [gifts[$0], before.gifts[$0]].compactMap(\.self) }
        for context in contexts.indices where context != writer {
            contexts[context].staleGifts.formUnion(sites)
            contexts[context].stale.formUnion(ends)
            contexts[context].stalePairs.formUnion(parted)
        }
    }
}
