import StrataClient

/// What fetches find: what they would find if the context had been saved before.
extension ReferenceGraph {
    /// Whether a fetch returned what it should.
    func check(_ keys: [RowKey], _ query: GraphQuery, _ kind: GraphKind, _ c: Int) -> String? {
        if Set(keys).count != keys.count { return "the fetch returned an object twice" }
        guard let expected = expected(query, kind, c) else { return nil }
        let isFree = query.order.isEmpty && query.limit == nil && query.offset == nil
        if isFree ? Set(keys) == Set(expected) : keys == expected { return nil }
        return "fetched \(numbers(keys)), not \(numbers(expected))"
    }

    func check(_ count: Int, _ query: GraphQuery, _ kind: GraphKind, _ c: Int) -> String? {
        guard let expected = expected(query, kind, c)?.count else { return nil }
        return count == expected ? nil : "counted \(count), not \(expected)"
    }

    /// The objects in the rows as a save would leave them that nothing stops: what it would refuse takes part as far as it
    /// goes. A new object that takes a row's place comes as that row, and has no key but its own before.
    private func expected(_ query: GraphQuery, _ kind: GraphKind, _ c: Int) -> [RowKey]? {
        if query.passesOverUnsaved { return query.result(of: kind, in: rows) }
        guard isSettled(c) else { return nil }
        let saved = saved(c, .overwrite)
        // How far new objects go that a save would refuse is not said.
        if kind == .skill, saved.errors.contains(.uniqueConstraint) || saved.hasCollision { return nil }
        return query.result(of: kind, in: saved.graph.rows).map { saved.standsFor[$0] ?? $0 }
    }
}
