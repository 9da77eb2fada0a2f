extension MigrationPlanner {
    /// Views go by their definitions alone: there is nothing in them that could be kept or lost.
    mutating func planViews() {
        if !(views.early.older.isEmpty && views.early.newer.isEmpty) {
            draft.add(.replaceViews, ReplaceViews(older: views.early.older, newer: views.early.newer))
        }
        if !views.late.older.isEmpty { draft.add(.dropViews, ReplaceViews(older: views.late.older)) }
        if !views.late.newer.isEmpty { draft.add(.createViews, ReplaceViews(newer: views.late.newer)) }
    }
}
