extension StoreMapping {
    /// The views that name tables whose rows are of many tenants, by way of other views or not.
    package var viewsOfTenants: Set<String> {
        guard tenant != nil, hasViews else { return [] }
        let definition = DatabaseDefinition(self)
        var found = Set(definition.tables.filter { $0.policy != nil }.map(\.name))
        var views: Set<String> = []
        for view in definition.views.creationOrder where !view.relations.isDisjoint(with: found) {
            found.insert(view.name)
            views.insert(view.name)
        }
        return views
    }
}
