import StrataRepository

extension MigrationPlanner {
    /// Throws where objects, or what refers to them, have keys of another kind from now on: every key and every reference would have to be made
    /// anew, and whoever holds an identifier would hold one of nobody. The same where a number becomes the key of a class whose keys Strata gave,
    /// or is it no more: the values of the one would be taken for those of the other.
    func refuseOtherKeys() throws(MigrationError) {
        try refuseOtherParts()
        for rows in match.rowClasses {
            guard let before = old.chain(of: rows.old).first, let now = new.chain(of: rows.new).first,
                let from = old.keyText(of: before), let to = new.keyText(of: now), from != to
            else { continue }
            throw MigrationError(
                .planRefused,
                "\(rows.new.name) has \(to) in version \(new.version), and \(rows.old.name) had \(from) in \(old.version).",
                places: [rows.new.name],
                remedy:
                    "keep the kind of the key; or declare a new class with the other key, copy the objects in a custom stage, and drop this one"
            )
        }
        for entity in new.entities {
            for column in entity.columns {
                guard let destination = column.destination,
                    let kept = flows.kept(ColumnPlace(table: entity.table, column: column.column)),
                    let from = old.database.table(named: kept.table)?.column(named: kept.column)?.type,
                    let to = new.database.table(named: entity.table)?.column(named: column.column)?.type, from != to
                else { continue }
                throw MigrationError(
                    .planRefused,
                    "\(entity.name).\(column.property) leads to \(destination), whose keys are \(to), and held keys of the type \(from).",
                    places: ["\(entity.name).\(column.property)"],
                    remedy: "give the relationship another name, fill it in a custom stage, and drop the older one")
            }
        }
    }
}

extension MigrationPlanner {
    /// Throws where a key of several columns has others, or is to have: each object would have another identifier. The same for rows and values that
    /// would have to be found in another table by such a key.
    private func refuseOtherParts() throws(MigrationError) {
        for rows in match.rowClasses {
            guard let before = old.chain(of: rows.old).first?.table, let now = new.chain(of: rows.new).first?.table
            else {
                continue
            }
            let (from, to) = (old.database.keyColumns(of: before), new.database.keyColumns(of: now))
            guard from.count > 1 || to.count > 1 else { continue }
            let kept = to.map { flows.kept(ColumnPlace(table: now, column: $0)) }
            guard kept != from.map({ ColumnPlace(table: before, column: $0) }) else { continue }
            throw MigrationError(
                .planRefused,
                "The key of \(rows.new.name) is (\(to.joined(separator: ", "))) in version \(new.version), and that of \(rows.old.name) was "
                    + "(\(from.joined(separator: ", "))) in \(old.version): each object would have another identifier.",
                places: [rows.new.name],
                remedy: "declare a new class with the other key, copy the rows in a custom stage, and drop this one")
        }
        for insertion in insertions where isOfParts(insertion.rows.old.table, insertion.target.table) {
            throw otherTable(insertion.rows.new.name)
        }
        for flow in flows.flows {
            for source in flow.sources where flows.tables[flow.place.table] != source.place.table {
                if isOfParts(source.place.table, flow.place.table) {
                    throw otherTable("\(flow.place.table).\(flow.place.column)")
                }
            }
        }
        for link in flows.continuations {
            guard let before = link.old.ownedPlaces, let now = link.new.ownedPlaces, before != now else { continue }
            let property = "\(link.newOwner.name).\(link.new.name)"
            throw MigrationError(
                .planRefused,
                "\(property) has the columns \((link.new.owned ?? []).joined(separator: ", ")) for itself, and had "
                    + "\((link.old.owned ?? []).joined(separator: ", ")) in version \(old.version): others are another property's.",
                places: [property],
                remedy: "give the relationship another name, fill it in a custom stage, and drop the older one")
        }
        for link in flows.links where link.isOfSeveral {
            throw otherTable(link.property)
        }
        for link in flows.links where link.from != link.to {
            for links in [link.from, link.to] where !links.isJoinTable && isOfParts(links.table, links.table) {
                throw otherTable(link.property)
            }
        }
    }

    /// Throws where rows would be walked by the text that a key of several columns begins with: in ranges of texts the empty one stands for the
    /// end, and here many rows may have it.
    func refuseWalks() throws(MigrationError) {
        let operations = draft.entries.values.flatMap { $0 }.compactMap { $0.operation as? any RowOperation }
        for entity in new.entities {
            let key = new.database.keyColumns(of: entity.table)
            guard key.count > 1, new.database.table(named: entity.table)?.column(named: key[0])?.type == .text,
                operations.contains(where: { [entity.table, names.table(entity.table)].contains($0.walked.table) })
            else { continue }
            throw MigrationError(
                .planRefused,
                "Rows of \(entity.name) would be changed in ranges of \(key[0]), the text that its key (\(key.joined(separator: ", "))) begins with.",
                places: [entity.name],
                remedy: "write the statement in a custom stage, or begin the key with a number or a UUID")
        }
    }

    /// Whether a class's table has a key of several columns, before or after.
    private func isOfParts(_ older: String, _ newer: String) -> Bool {
        func hasParts(_ schema: FrozenSchema, _ table: String) -> Bool {
            schema.entities.contains { $0.table == table } && schema.database.keyColumns(of: table).count > 1
        }
        return hasParts(old, older) || hasParts(new, newer)
    }

    private func otherTable(_ place: String) -> MigrationError {
        MigrationError(
            .planRefused,
            "\(place) comes from another table, or goes into one, and rows with a key of several columns are not found there.",
            places: [place], remedy: "write the statements in a custom stage")
    }
}

extension DatabaseDefinition {
    fileprivate func keyColumns(of table: String) -> [String] { self.table(named: table)?.primaryKey?.columns ?? [] }
}

extension FrozenSchema {
    /// What the keys of a class are, and who gives them: those of an identity are Strata's.
    fileprivate func keyText(of entity: FrozenEntity) -> String? {
        let table = database.table(named: entity.table)
        return table?.keyColumn.flatMap { table?.column(named: $0) }.map {
            "keys of the type \($0.type)" + ($0.type == .bigint && $0.identity == nil ? ", which a property has" : "")
        }
    }
}
