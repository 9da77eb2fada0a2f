import StrataRepository

extension MigrationPlanner {
    /// Views go by their definitions alone: there is nothing in them that could be kept or lost.
    mutating func planViews() {
        planEarlyViews()
        if !views.late.older.isEmpty { draft.add(.dropViews, ReplaceViews(older: views.late.older)) }
        if !views.late.newer.isEmpty { draft.add(.createViews, CreateViews(views: views.late.newer)) }
    }

    private mutating func planEarlyViews() {
        let (older, newer) = views.early
        let firstNames = Dictionary(
            older.map { ($0.name, PhysicalNames.temporary($0.name)) }, uniquingKeysWith: { first, _ in first })
        // Where nothing is in the way they are simply made.
        let before = older.isEmpty ? newer : newer.filledBefore(Set(firstNames.keys))
        if !before.isEmpty {
            draft.add(.prepareViews, CreateViews(views: before, firstNames: firstNames))
        }
        if !older.isEmpty {
            let names = Set(before.map(\.name))
            draft.add(
                .replaceViews,
                ReplaceViews(
                    older: older, filled: before, firstNames: firstNames,
                    newer: newer.filter { !names.contains($0.name) }))
        }
        // They have been filled before contract, with the rows that were there.
        let materialized = newer.filter(\.isMaterialized)
        if !materialized.isEmpty, draft.changesRowsInContract {
            draft.add(.refreshViews, RefreshViews(views: materialized))
        }
    }
}

extension [ViewDefinition] {
    /// Those whose rows are computed when they are made, and those that these read. One that reads a view whose name is taken has to wait
    /// for that: its query names it.
    fileprivate func filledBefore(_ taken: Set<String>) -> [ViewDefinition] {
        var waiting = taken
        // Each stands after those that it reads.
        for view in self where !view.relations.isDisjoint(with: waiting) { waiting.insert(view.name) }
        let free = filter { $0.relations.isDisjoint(with: waiting) }
        var names = Set(free.filter(\.isMaterialized).map(\.name))
        for view in free.reversed() where names.contains(view.name) { names.formUnion(view.relations) }
        return free.filter { names.contains($0.name) }
    }
}
