import StrataRepository

extension MigrationPlanner {
    /// Orders of relationships that are stored from now on, and those that are not any more.
    mutating func planOrders() {
        for link in flows.continuations {
            let kept = link.new.positionPlace.flatMap { flows.kept($0) }
            if link.old.position != nil, kept == nil {
                let property = "\(link.oldOwner.name).\(link.old.name)"
                draft.notes.append("drops the order of \(property)")
                draft.losses.append("the order of \(property)")
            }
            guard let place = link.new.positionPlace, kept == nil else { continue }
            planOrder(link, place)
        }
    }

    /// What there is gets positions by key, which is the order that it has had, owner by owner.
    ///
    /// What old code inserts meanwhile has no position: it comes last, by key, as it did. So do links that come from elsewhere.
    private mutating func planOrder(_ link: RelationshipContinuation, _ place: ColumnPlace) {
        let links = Links(link.new.storage, ownTable: link.newOwner.table)
        let owner = ColumnPlace(table: place.table, column: links.own)
        guard flows.kept(owner) != nil else { return }
        let holder = table(names.table(place.table))
        let (own, other, position) = (
            quoted(names.column(owner)), quoted(names.column(ColumnPlace(table: place.table, column: links.other))),
            quoted(names.column(place))
        )
        let owners = names.table(link.newOwner.table)
        draft.add(
            .fillColumns, "order \(link.newOwner.name).\(link.new.name) by key",
            [
                """
                UPDATE \(holder) AS t SET \(position) = s.place * \(Self.positionStep)
                FROM (
                    SELECT r.\(own) AS own, r.\(other) AS other,
                        row_number() OVER (PARTITION BY r.\(own) ORDER BY r.\(other)) AS place,
                        count(r.\(position)) OVER (PARTITION BY r.\(own)) AS positions
                    FROM \(holder) AS r WHERE \(range("r.\(own)"))
                ) AS s
                WHERE t.\(own) = s.own AND t.\(other) = s.other AND s.positions = 0
                """
            ], execution: batches(owners), lock: .rowExclusive, on: [names.table(place.table)])
    }

    /// The distance that a save puts between objects that are appended.
    private static let positionStep = Int64(1) << 32

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
