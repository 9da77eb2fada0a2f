import StrataRepository

/// Names that models give to constraints and indexes may be those of anything. Until the switch the old version's have theirs, and a step would take
/// another's for what it has to build.
extension MigrationPlanner {
    func refuseTakenNames() throws(MigrationError) {
        try refuseTakenRelations()
        for (table, oldTable) in keptTables { try refuseTakenConstraints(of: table, oldTable) }
    }

    /// Tables, indexes and views have one list of names.
    private func refuseTakenRelations() throws(MigrationError) {
        let kept = Dictionary(keptTables.map { ($0.old.name, $0.new) }) { first, _ in first }
        var others: Set<String> = []
        var exchangeable: Set<String> = []
        for table in old.database.tables {
            others.insert(table.name)
            guard let continued = kept[table.name] else {
                others.formUnion(table.indexNames)
                continue
            }
            exchangeable.formUnion(table.indexNames)
            // One that is built anew behind the switch has its name until then.
            if let key = table.primaryKey, key.name != continued.primaryKey?.name, !isSamePrimaryKey(continued, table) {
                others.insert(key.name)
            }
        }
        for view in old.database.views { others.formUnion([view.name] + [view.keyIndex].compactMap(\.self)) }
        let wanted = new.database.tables.flatMap { table in
            table.uniques.map(\.name) + table.indexes.map(\.name) + [table.givenKeyName].compactMap(\.self)
        }
        for name in wanted where others.contains(name) {
            throw taken(name, "the older version has something else of that name, which goes or stays")
        }
        for table in new.database.tables where exchangeable.contains(table.name) {
            throw taken(table.name, "the older version has an index of the name of this table")
        }
        let all = others.union(exchangeable).union(wanted)
        for name in wanted {
            guard let interim = Self.interimNames(of: name).first(where: all.contains) else { continue }
            throw taken(interim, "a stage calls \(name) so while it is under way")
        }
    }

    /// The constraints of a table have one list, whatever their kind. Of one kind they change names with each other; what becomes of another kind would
    /// be added while the other one is there.
    private func refuseTakenConstraints(
        of table: TableDefinition, _ oldTable: TableDefinition
    ) throws(MigrationError) {
        let (kinds, oldKinds) = (table.namesByKind, oldTable.namesByKind)
        guard kinds != oldKinds else { return }
        for (place, names) in kinds.enumerated() {
            let others = oldKinds.indices.filter { $0 != place }.flatMap { oldKinds[$0] }
            for name in names where others.contains(name) {
                throw taken(
                    name,
                    "the older version has a constraint of another kind of that name in the table \(oldTable.name)")
            }
        }
        // Those that change places, or make way, have another name in between.
        let columns = newColumns(of: table, oldTable)
        let keys = ForeignKeyContinuations(
            from: oldTable.foreignKeys, to: table.foreignKeys, columns, tables: flows.tables
        ).renames(in: oldTable.name)
        let checks = checkRenames(table, oldTable, columns)
        let final = keys.final + checks.final
        let left = Set(final.map(\.from))
        let built = checks.final.map(\.from).filter { !oldTable.constraintNames.contains($0) }
        let interim =
            (keys.retired + checks.retired).map(\.to) + built
            + final.filter { left.contains($0.to) }.map { InterimName.new($0.to) }
        let all = Set(table.constraintNames + oldTable.constraintNames)
        if let name = interim.sorted().first(where: all.contains) {
            throw taken(name, "a stage calls a constraint of the table \(table.name) so while it is under way")
        }
    }

    private static func interimNames(of name: String) -> [String] { [InterimName.new(name), InterimName.old(name)] }

    private func taken(_ name: String, _ reason: String) -> MigrationError {
        MigrationError(
            .planRefused, "The name \(name) is taken: \(reason).", places: [name],
            remedy:
                "give another name (name: of #Unique, #Index or #Check, constraint:, superclassConstraint: or keyConstraint:); or take two versions, the "
                + "first of which gives the name up"
        )
    }
}

extension TableDefinition {
    /// The name of the primary key, where it is not the one by rule: that makes way for others.
    fileprivate var givenKeyName: String? {
        primaryKey.flatMap { $0.name == Naming.joined(name, "pkey") ? nil : $0.name }
    }

    /// Those with an index, foreign keys, and checks.
    fileprivate var namesByKind: [[String]] {
        [
            [primaryKey?.name].compactMap(\.self) + uniques.map(\.name), foreignKeys.map(\.name), checks.map(\.name),
        ]
    }
}
