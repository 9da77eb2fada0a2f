import StrataRepository

extension MigrationPlanner {
    /// Views go by their definitions alone: there is nothing in them that could be kept or lost.
    mutating func planViews() {
        planEarlyViews()
        if !views.late.older.isEmpty { draft.add(.dropViews, DropViews(views: views.late.older)) }
        if !views.late.newer.isEmpty { draft.add(.createViews, CreateViews(views: views.late.newer)) }
    }

    private mutating func planEarlyViews() {
        let (older, newer) = views.early
        let names = ViewNames(taken: Set(older.map(\.name)))
        for var round in ViewRound.rounds(replacing: older, by: newer) {
            if !round.filled.isEmpty {
                draft.add(.replaceViews, CreateViews(views: round.filled, names: names))
            }
            guard !older.isEmpty else { continue }
            // Of those that stepped aside only a round has to know in which something is made again when it is undone.
            if round.older.isEmpty { round.retired = [] }
            let successors = newer.filter { view in round.retired.contains { $0.name == view.name } }
            draft.add(.replaceViews, ReplaceViews(round: round, successors: successors, names: names))
        }
        // They have been filled before contract, with the rows that were there.
        let materialized = newer.filter(\.isMaterialized)
        if !materialized.isEmpty, draft.changesRowsInContract {
            draft.add(.refreshViews, RefreshViews(views: materialized))
        }
    }
}
