import StrataRepository

extension MigrationPlanner {
    /// Orders of relationships that are stored from now on, and those that are not any more.
    mutating func planOrders() {
        for link in flows.continuations {
            let kept = link.new.positionPlace.flatMap { flows.kept($0) }
            if let place = link.old.positionPlace, kept == nil {
                let property = "\(link.oldOwner.name).\(link.old.name)"
                draft.notes.append("drops the order of \(property)")
                draft.losses.append(
                    StageLoss(
                        subject: "the order of \(property)", unit: "position", isByName: false,
                        query: "SELECT count(\(quoted(place.column))) FROM \(table(place.table))"))
            }
            guard let place = link.new.positionPlace, kept == nil else { continue }
            planOrder(link, place)
        }
    }

    /// What there is gets positions by key, which is the order that it has had, owner by owner.
    ///
    /// What old code inserts meanwhile has no position: it comes last, by key, as it did. So do links that come from elsewhere.
    private mutating func planOrder(_ link: RelationshipContinuation, _ place: ColumnPlace) {
        // By the key, and behind all others, is where rows without a position come.
        let isOfSeveral =
            link.new.isOfSeveral
            || new.database.table(named: place.table).map { table in
                new.entities.contains { $0.table == table.name } && (table.primaryKey?.columns.count ?? 0) > 1
            } == true
        if isOfSeveral { return }
        let links = Links(link.new, of: link.newOwner, in: new)
        let owner = ColumnPlace(table: place.table, column: links.own)
        guard flows.kept(owner) != nil else { return }
        draft.add(
            .fillColumns,
            OrderLinks(
                relationship: "\(link.newOwner.name).\(link.new.name)", owners: names.table(link.newOwner.table),
                key: names.key(ofNew: link.newOwner.table),
                holder: names.table(place.table), own: names.column(owner),
                other: names.column(ColumnPlace(table: place.table, column: links.other)),
                position: names.column(place)))
    }

    /// The relationship whose positions a column of the old version holds: `Trip.stops`.
    func orderedRelationship(at place: ColumnPlace) -> String? {
        for entity in old.entities {
            if let relationship = entity.relationships.first(where: { $0.positionPlace == place }) {
                return "\(entity.name).\(relationship.name)"
            }
        }
        return nil
    }
}

extension FrozenRelationship {
    /// The column with the positions, and its table.
    var positionPlace: ColumnPlace? {
        guard let position else { return nil }
        return switch storage {
        case .foreignKey(let table, _), .inverseForeignKey(let table, _), .joinTable(let table, _, _):
            ColumnPlace(table: table, column: position)
        }
    }
}
