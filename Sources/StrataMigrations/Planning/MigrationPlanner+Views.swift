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
        func names(_ other: (String) -> String) -> [String: String] {
            Dictionary(older.map { ($0.name, other($0.name)) }, uniquingKeysWith: { first, _ in first })
        }
        let (firstNames, retiredNames) = (names(PhysicalNames.temporary), names(PhysicalNames.retired))
        for round in ViewRound.rounds(replacing: older, by: newer) {
            if !round.filled.isEmpty {
                draft.add(.replaceViews, CreateViews(views: round.filled, firstNames: firstNames))
            }
            guard !older.isEmpty else { continue }
            // Of those that stepped aside only a round has to know in which something is made again when it is undone.
            let retired = round.older.isEmpty ? [] : round.retired
            let successors = newer.filter { view in retired.contains { $0.name == view.name } }
            draft.add(
                .replaceViews,
                ReplaceViews(
                    older: round.older, aside: round.aside, retired: retired, successors: successors,
                    filled: round.filled, newer: round.newer, firstNames: firstNames, retiredNames: retiredNames))
        }
        // They have been filled before contract, with the rows that were there.
        let materialized = newer.filter(\.isMaterialized)
        if !materialized.isEmpty, draft.changesRowsInContract {
            draft.add(.refreshViews, RefreshViews(views: materialized))
        }
    }
}
