import StrataRepository

extension MigrationPlanner {
    /// Names that models give to constraints and indexes may be those of anything. Until the switch the old version's relations have theirs, and a
    /// step would take another's for what it has to build.
    func refuseTakenRelations() throws(MigrationError) {
        let kept = Set(keptTables.map(\.old.name))
        var others: Set<String> = []
        var exchangeable: Set<String> = []
        for table in old.database.tables {
            let names = table.uniques.map(\.name) + table.indexes.map(\.name)
            others.insert(table.name)
            if let key = table.primaryKey { others.insert(key.name) }
            if kept.contains(table.name) { exchangeable.formUnion(names) } else { others.formUnion(names) }
        }
        for view in old.database.views { others.formUnion([view.name] + [view.keyIndex].compactMap(\.self)) }
        let wanted = new.database.tables.flatMap { table in (table.uniques.map(\.name) + table.indexes.map(\.name)) }
        for name in wanted where others.contains(name) {
            throw taken(name, "the older version has something else of that name, which goes or stays")
        }
        for table in new.database.tables where exchangeable.contains(table.name) {
            throw taken(table.name, "the older version has an index of the name of this table")
        }
        let all = others.union(exchangeable).union(wanted)
        for name in wanted {
            guard let interim = [InterimName.new(name), InterimName.old(name)].first(where: all.contains) else {
                continue
            }
            throw taken(interim, "a stage calls \(name) so while it is under way")
        }
    }

    private func taken(_ name: String, _ reason: String) -> MigrationError {
        MigrationError(
            .planRefused, "The name \(name) is taken: \(reason).", places: [name],
            remedy:
                "give another name, #Unique(name:) or #Index(name:); or take two versions, the first of which gives the name up"
        )
    }
}
