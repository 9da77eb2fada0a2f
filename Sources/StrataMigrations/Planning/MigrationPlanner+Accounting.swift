import StrataRepository

extension MigrationPlanner {
    /// Every old property must go on, or be acknowledged as gone; rows that lose a value although others keep it are
    /// counted before anything runs.
    mutating func accountForEverything() throws(MigrationError) {
        var missing: [SchemaChange.Subject] = []
        for entity in old.entities {
            let rows = match.rowClasses.filter { rows in old.chain(of: rows.old).contains { $0.name == entity.name } }
            if match.droppedEntities.contains(entity) {
                draft.notes.append("drops \(entity.name) with its rows (acknowledged)")
                draft.losses.append(lossOfRows(of: entity))
            }
            // Its subclasses may stay, with what they have from it.
            if rows.isEmpty { continue }
            // Of a foreign key of several columns all go the same way.
            var seen: Set<String> = []
            for column in entity.columns where seen.insert(column.property).inserted {
                account(for: column, of: entity, rows: rows, missing: &missing)
            }
            for relationship in entity.relationships {
                account(for: relationship, of: entity, missing: &missing)
            }
        }
        if let first = missing.first {
            let names = missing.map(\.description)
            let path = RenameCandidate.path(first.entity, first.property ?? "", stage.oldTypeNames)
            throw MigrationError(
                .planRefused,
                "Version \(new.version) does not say what becomes of: " + names.joined(separator: ", ") + ".",
                places: names,
                remedy: RenameCandidate(match, stage).question(for: first) + """
                    keep the values with @Attribute(originalName:), .renamed(…, to: …) or .split(…, where:), or let them go by \
                    name: .dropped(\\\(path)), .consumed(\\\(path)) in the stage's changes
                    """)
        }
    }

    private mutating func account(
        for column: FrozenColumn, of entity: FrozenEntity, rows: [SchemaCorrespondence.RowClass],
        missing: inout [SchemaChange.Subject]
    ) {
        let place = ColumnPlace(table: entity.table, column: column.column)
        let property = "\(entity.name).\(column.property)"
        let fed = Set(flows.flows.flatMap { flow in flow.sources.filter { $0.place == place }.flatMap(\.rows) })
        if flows.isShared(place) { return }
        if fed.isEmpty, match.isAcknowledged(entity.name, column.property) {
            draft.notes.append("drops \(property) (acknowledged)")
            draft.losses.append(
                StageLoss(
                    subject: property, unit: "value", isByName: match.isDropped(entity.name, column.property),
                    query: "SELECT count(\(quoted(column.column))) FROM \(table(entity.table))"))
            return
        }
        guard !fed.isEmpty else {
            missing.append(.init(entity.name, column.property))
            return
        }
        // A row that is split off is one row: it loses nothing if either of its classes keeps the value.
        for lost in rows where !fed.contains(lost) {
            let isKeptElsewhere = fed.contains { $0.old == lost.old && $0.condition == nil }
            if isKeptElsewhere { continue }
            let kept = fed.filter { $0.old == lost.old }.compactMap(\.condition)
            var conditions = ["s.\(quoted(column.column)) IS NOT NULL"]
            if let ofClass = isOfClass(lost, alias: "s") { conditions.append(ofClass) }
            conditions += kept.map { "(\($0)) IS NOT TRUE" }
            if let fill = column.defaultExpression {
                conditions.append("s.\(quoted(column.column)) IS DISTINCT FROM \(fill)")
            }
            let own = lost.old.table == entity.table
            let from =
                own
                ? "\(table(entity.table)) AS s"
                : "\(table(lost.old.table)) AS o JOIN \(table(entity.table)) AS s "
                    + sql.sameKey(
                        names.keyColumns(ofOld: lost.old.table), names.keyColumns(ofOld: entity.table), "o", "s")
            // By contract, what the rule no longer takes or never took may have come into the new table all the same.
            let copies = flows.flows.filter {
                $0.sources.contains { $0.place == place && $0.rows.contains { $0.old == lost.old } }
            }
            let uncopied = Set(copies.map(\.place.table)).filter { names.table($0) != entity.table }
                .sorted { names.table($0) < names.table($1) }.map {
                    " AND NOT EXISTS (SELECT 1 FROM \(table(names.table($0))) AS t "
                        + "WHERE t.\(newKey($0)) = s.\(oldKey(entity.table)))"
                }
            refuse(
                DataCheck(
                    code: "M101", title: "\(property): rows of \(lost.new.name) would lose their value",
                    remedy: "split these rows off, clear the values, or let them go with --allow M101",
                    query: """
                        SELECT \(sql.shown(names.keyColumns(ofOld: entity.table), of: "s")), s.\(quoted(column.column))::text FROM \(from)
                        WHERE \(conditions.joined(separator: " AND "))
                        """), andAgain: uncopied.joined())
        }
    }

    /// The rows of a class that goes; rows of its subclasses are not among them.
    private func lossOfRows(of entity: FrozenEntity) -> StageLoss {
        let root = old.chain(of: entity).first ?? entity
        let ofClass =
            old.children(of: root).isEmpty
            ? ""
            : " WHERE \(quoted(names.classColumn(ofOld: root.table))) = \(SQLFragment.literal(entity.discriminator))"
        return StageLoss(
            subject: entity.name, unit: "row", isByName: match.isDropped(entity.name),
            query: "SELECT count(*) FROM \(table(root.table))\(ofClass)")
    }

    /// A question that is asked before the stage begins, and again before contract: old code may have written since.
    ///
    /// - Parameter condition: what must hold as well by then, as ` AND …`; the rows of the query are called `s`.
    mutating func refuse(_ check: DataCheck, andAgain condition: String = "") {
        guard !draft.checks.contains(where: { $0.query == check.query }) else { return }
        draft.checks.append(check)
        draft.add(.verify, VerifyAgain(check: check, condition: condition))
    }

    /// A relationship whose links stand in no column of its class: they must be found again at one of its ends.
    private mutating func account(
        for relationship: FrozenRelationship, of entity: FrozenEntity, missing: inout [SchemaChange.Subject]
    ) {
        if case .foreignKey = relationship.storage { return }
        let links = Links(relationship, of: entity, in: old)
        let isKeptColumn =
            flows.flows.contains { flow in
                flow.sources.contains { $0.place == ColumnPlace(table: links.table, column: links.reference) }
            } || flows.sharedColumns.values.contains { $0.table == links.table && $0.column == links.reference }
        let isMoved = flows.links.contains { $0.from.isSame(as: links) }
        let isHeldByOther = !links.isJoinTable && relationship.inverse != nil
        if isKeptColumn || isMoved || isHeldByOther { return }
        let property = "\(entity.name).\(relationship.name)"
        if match.isAcknowledged(entity.name, relationship.name) || match.isAcknowledged(relationship.destination)
            || relationship.inverse.map({ match.isAcknowledged(relationship.destination, $0) }) == true
        {
            draft.notes.append("drops \(property) (acknowledged)")
            let isByName =
                match.isDropped(entity.name, relationship.name) || match.isDropped(relationship.destination)
                || relationship.inverse.map { match.isDropped(relationship.destination, $0) } == true
            let counted = links.isJoinTable ? "*" : quoted(links.reference)
            draft.losses.append(
                StageLoss(
                    subject: property, unit: "link", isByName: isByName,
                    query: "SELECT count(\(counted)) FROM \(table(links.table))"))
        } else {
            missing.append(.init(entity.name, relationship.name))
        }
    }
}

extension Links {
    func isAt(_ place: ColumnPlace) -> Bool {
        !isJoinTable && table == place.table && referenceColumns.contains(place.column)
    }
}
