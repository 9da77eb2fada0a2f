import StrataRepository

/// Views that get their names in one transaction, of those that a stage replaces before contract.
///
/// The rows of a materialized view are computed before that transaction, and its query needs the names of what it reads. So one that reads
/// a view which is replaced comes in a later round. An older view that one of a later round reads steps aside until then: PostgreSQL knows by number what
/// a view reads.
struct ViewRound {
    /// Made before the transaction, under names of their own where older ones have theirs.
    var filled: [ViewDefinition]
    /// Made in it.
    var newer: [ViewDefinition]
    /// Older ones that go.
    var older: [ViewDefinition]
    /// Older ones that step aside.
    var aside: [ViewDefinition]
    /// Older ones that have stepped aside in rounds before.
    var retired: [ViewDefinition]

    /// Of older views, each of which has a newer one of its name, and newer ones; each after those that it reads.
    static func rounds(replacing older: [ViewDefinition], by newer: [ViewDefinition]) -> [ViewRound] {
        var rounds: [ViewRound] = []
        var (standing, retired, pending) = (older, [ViewDefinition](), newer)
        while !pending.isEmpty {
            let waiting = pending.waiting(for: Set(standing.map(\.name)))
            // Views that read each other are none of the server's.
            let now = waiting.count == pending.count ? pending : pending.filter { !waiting.contains($0.name) }
            let names = Set(now.map(\.name))
            let leaving = standing.filter { names.contains($0.name) }
            pending.removeAll { names.contains($0.name) }
            standing.removeAll { names.contains($0.name) }
            let going = (retired + leaving).creationOrder
            var read = Set(standing.flatMap(\.relations))
            for view in going.reversed() where read.contains(view.name) { read.formUnion(view.relations) }
            // Where nothing is in the way they are simply made.
            let filled = older.isEmpty ? names : now.filledBefore
            rounds.append(
                ViewRound(
                    filled: now.filter { filled.contains($0.name) }, newer: now.filter { !filled.contains($0.name) },
                    older: going.filter { !read.contains($0.name) }, aside: leaving.filter { read.contains($0.name) },
                    retired: retired))
            retired = going.filter { read.contains($0.name) }
        }
        return rounds
    }
}

extension [ViewDefinition] {
    /// The names of materialized ones that read, if only by way of others, a view whose name an older one has still, and of all that
    /// read these.
    fileprivate func waiting(for taken: Set<String>) -> Set<String> {
        var (behind, waiting) = (taken, Set<String>())
        // Each stands after those that it reads.
        for view in self {
            let isBehind = !view.relations.isDisjoint(with: behind)
            if isBehind { behind.insert(view.name) }
            if isBehind && view.isMaterialized || !view.relations.isDisjoint(with: waiting) {
                waiting.insert(view.name)
            }
        }
        return waiting
    }

    /// The names of those whose rows are computed when they are made, and of those that these read.
    fileprivate var filledBefore: Set<String> {
        var names = Set(filter(\.isMaterialized).map(\.name))
        for view in reversed() where names.contains(view.name) { names.formUnion(view.relations) }
        return names
    }
}
