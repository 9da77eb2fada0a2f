import StrataRepository

extension MigrationPlanner {
    /// Rules that saves keep and the database does not know: rows that break a new one are found before the first statement.
    ///
    /// Not on the way back, which must not be kept from running by them; nor before `didMigrate`, which may see to such rows.
    mutating func planSaveRules() {
        guard !isWayBack, !stage.hasDidMigrate else { return }
        for rows in match.rowClasses { refuseAbstract(rows) }
        for link in flows.continuations { refuseCounts(of: link) }
    }

    // MARK: Classes without objects of their own

    private mutating func refuseAbstract(_ rows: SchemaCorrespondence.RowClass) {
        guard rows.new.isAbstract == true, rows.old.isAbstract != true else { return }
        var conditions = isOfClass(rows, alias: "s").map { [$0] } ?? []
        if rows.condition == nil {
            let splits = match.rowClasses.filter { $0.old == rows.old }.compactMap(\.condition)
            conditions += splits.map { "(\($0)) IS NOT TRUE" }
        }
        refuse(
            DataCheck(
                code: "M206", title: "\(rows.new.name) is abstract now, and there are rows of it",
                remedy: "make them rows of a subclass (.split(…, where: …)), or delete them",
                query: """
                    SELECT s.\(oldKey(rows.old.table))::text, 'of \(rows.old.name) itself' FROM \(table(rows.old.table)) AS s
                    WHERE \(conditions.isEmpty ? "true" : conditions.joined(separator: " AND "))
                    """))
    }

    // MARK: Limits of relationships

    private mutating func refuseCounts(of link: RelationshipContinuation) {
        // Of a to-one the database itself knows whether it is required, and what becomes one has checks of its own.
        let limits = CountLimits(link.new)
        guard !link.new.isToOne, limits.isNarrower(than: CountLimits(link.old)) else { return }
        let kinds = match.rowClasses.filter { rows in
            new.chain(of: rows.new).contains(link.newOwner)
                && old.chain(of: rows.old).contains { $0.name == link.ends.own }
        }
        // A row that is split off is counted as what it was.
        let whole = kinds.filter { rows in
            rows.condition == nil || !kinds.contains { $0.condition == nil && $0.old == rows.old }
        }
        guard !whole.isEmpty else { return }
        let selects = whole.map { count(link.links, ofRows: $0) }
        let property = "\(link.newOwner.name).\(link.new.name)"
        refuse(
            DataCheck(
                code: "M404", title: "\(property) has \(limits.words) now, and rows have another number",
                remedy: "give these rows more objects or fewer, or declare wider limits",
                query: """
                    SELECT r."pk"::text, r.n::text FROM (
                        \(selects.joined(separator: "\n    UNION ALL "))
                    ) AS r WHERE \(limits.isOutside("r.n"))
                    """))
    }

    private func count(_ links: Links, ofRows rows: SchemaCorrespondence.RowClass) -> String {
        let condition = isOfClass(rows, alias: "s").map { " WHERE " + $0 } ?? ""
        let key = old.database.table(named: rows.old.table)?.primaryKey?.columns ?? []
        let isThere = (links.ownColumns + links.otherColumns).map { "\(quoted($0)) IS NOT NULL" }
            .joined(separator: " AND ")
        if key.count > 1 {
            let columns = links.ownColumns.enumerated().map { "\(quoted($1)) AS k\($0)" }.joined(separator: ", ")
            let isSame = key.enumerated().map { "c.k\($0) = s.\(quoted($1))" }.joined(separator: " AND ")
            let places = (1...key.count).map { "\($0)" }.joined(separator: ", ")
            return """
                SELECT \(sql.shown(key, of: "s")) AS "pk", coalesce(c.n, 0) AS n FROM \(table(rows.old.table)) AS s LEFT JOIN (
                        SELECT \(columns), count(*) AS n FROM \(table(links.table))
                        WHERE \(isThere) GROUP BY \(places)
                    ) AS c ON \(isSame)\(condition)
                """
        }
        return """
            SELECT \(sql.selectedKey(names.key(ofOld: rows.old.table), of: "s")), coalesce(c.n, 0) AS n FROM \(table(rows.old.table)) AS s LEFT JOIN (
                    SELECT \(quoted(links.own)) AS k, count(*) AS n FROM \(table(links.table))
                    WHERE \(isThere) GROUP BY 1
                ) AS c ON c.k = s.\(oldKey(rows.old.table))\(condition)
            """
    }
}

/// How many objects a relationship may have.
private struct CountLimits {
    private let minimum: Int
    /// `nil` for no limit.
    private let maximum: Int?
    /// Whether it may be nil: one that has nothing is, and then has no limits.
    private let isOptional: Bool

    init(_ relationship: FrozenRelationship) {
        isOptional = relationship.isOptional
        if relationship.isToOne {
            (minimum, maximum) = (1, 1)
        } else {
            minimum = relationship.minimumCount
            maximum = relationship.maximumCount > 0 ? relationship.maximumCount : nil
        }
    }

    private func allows(_ count: Int) -> Bool {
        if isOptional, count == 0 { return true }
        return count >= minimum && count <= maximum ?? .max
    }

    /// Whether some number is not allowed that the other limits allow.
    func isNarrower(than other: CountLimits) -> Bool {
        // Between the limits of both, and beyond them, nothing changes.
        let numbers =
            [0, 1]
            + [minimum, maximum, other.minimum, other.maximum].compactMap { $0 }.flatMap { [$0 - 1, $0, $0 + 1] }
        return numbers.contains { $0 >= 0 && other.allows($0) && !allows($0) }
    }

    /// `at least 1 and at most 2 objects`
    var words: String {
        let least = minimum > 0 ? "at least \(minimum)" : nil
        let most = maximum.map { "at most \($0)" }
        return [least, most].compactMap { $0 }.joined(separator: " and ")
            + ((maximum ?? minimum) == 1 ? " object" : " objects")
    }

    /// A condition on a number that is not allowed.
    func isOutside(_ number: String) -> String {
        let parts = [minimum > 0 ? "\(number) < \(minimum)" : nil, maximum.map { "\(number) > \($0)" }].compactMap {
            $0
        }
        let condition = parts.joined(separator: " OR ")
        return isOptional ? "\(number) > 0 AND (\(condition))" : condition
    }
}
