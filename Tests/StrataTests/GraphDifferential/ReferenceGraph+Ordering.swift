import StrataClient

/// The order of to-many ends that store it.
///
/// Where the rows put what comes is read from them. But what nobody has arranged stays as it was, and what one context has
/// arranged is in that order.
extension ReferenceGraph {
    /// Whether an ordered end in memory is in the order that it must have.
    func compareOrder(_ end: ReferenceContext.End, _ keys: [RowKey], _ c: Int) -> String? {
        guard end.reference.isOrdered else { return nil }
        let expected: [RowKey]
        if let arrangement = contexts[c].arrangements[end] {
            let known = Set(arrangement)
            let seen = keys.filter(known.contains)
            expected = arrangement.filter(Set(seen).contains)
            if seen == expected { return nil }
        } else {
            guard let orders, !isTouched(end, c) else { return nil }
            expected = orders[end] ?? []
            if keys == expected { return nil }
        }
        return
            "the order of \(end.reference.inverse) of \(numbers([end.owner])) in context \(c) is \(numbers(keys)), not "
            + "\(numbers(expected))"
    }

    /// Whether a context has unsaved changes of who is at an end.
    private func isTouched(_ end: ReferenceContext.End, _ c: Int) -> Bool {
        let slot = GraphSlot.reference(end.reference)
        return contexts[c].objects.contains { key, object in
            let owners = [object.row[end.reference], object.originals[slot]?.key, rows[key]?[end.reference]]
            guard owners.contains(end.owner) else { return false }
            return object.phase != .registered || object.owns(slot) || rows[key] == nil
        }
    }

    /// The ends to which a save may give another order: those that were arranged, and those to which an object comes that others
    /// have moved there meanwhile.
    func mayArrange(_ c: Int) -> Set<ReferenceContext.End> {
        var ends = Set(contexts[c].arrangements.keys)
        for (key, object) in contexts[c].objects {
            for case .reference(let reference) in object.originals.keys where reference.isOrdered {
                guard let owner = object.row[reference], rows[key]?[reference] == owner else { continue }
                ends.insert(.init(owner: owner, reference: reference))
            }
        }
        return ends
    }

    /// The orders that the rows have now.
    ///
    /// - Parameter arranged: the ends to which the writer may have given another order; `nil` for all.
    /// - Returns: what is wrong with them, or `nil`.
    mutating func noteOrders(
        _ found: [ReferenceContext.End: [RowKey]], since earlier: [ReferenceContext.End: [RowKey]], by writer: Int?,
        arranged: Set<ReferenceContext.End>?
    ) -> String? {
        orders = found
        for end in Set(earlier.keys).union(found.keys) {
            let (old, new) = (earlier[end] ?? [], found[end] ?? [])
            let (kept, now) = (old.filter(Set(new).contains), new.filter(Set(old).contains))
            guard kept != now else { continue }
            if let arranged, !arranged.contains(end) {
                return
                    "the rows have \(numbers(now)) at \(end.reference.inverse) of \(numbers([end.owner])), which were "
                    + "\(numbers(kept))"
            }
            for context in contexts.indices where context != writer { contexts[context].stale.insert(end) }
        }
        return nil
    }
}
