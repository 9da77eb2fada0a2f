import StrataRepository

extension MigrationPlanner {
    /// Relationships whose links lie elsewhere now: to-one, to-many, many-to-many in any direction.
    mutating func planLinks() {
        refuseMisfits()
        for flow in flows.links {
            if flow.to.isJoinTable, !flow.from.isJoinTable { planPairs(flow) } else { planReferences(flow) }
        }
    }

    /// References become pairs: while both codes run, a trigger follows the references.
    private mutating func planPairs(_ flow: LinkFlow) {
        let (source, target) = (flow.from.table, names.table(flow.to.table))
        let reference = quoted(flow.from.reference)
        let columns = "\(quoted(flow.to.own)), \(quoted(flow.to.other))"
        let pair = "s.\(quoted(flow.from.own)), s.\(quoted(flow.from.other))"
        draft.add(
            .copyLinks,
            CopyLinks(
                source: source, key: names.key(ofOld: source), reference: flow.from.reference,
                pair: [flow.from.own, flow.from.other], target: target,
                ends: [flow.to.own, flow.to.other]))
        let isOwn = flow.from.rows == .own
        let key = isOwn ? flow.to.own : flow.to.other
        let other = isOwn ? flow.to.other : flow.to.own
        let sourceKey = oldKey(source)
        let (oldPair, newPair) = (
            "\(quoted(key)) = OLD.\(sourceKey) AND \(quoted(other)) = OLD.\(reference)",
            isOwn ? "NEW.\(sourceKey), NEW.\(reference)" : "NEW.\(reference), NEW.\(sourceKey)"
        )
        syncs[source, default: TableSync()].after.append(
            """
            IF TG_OP = 'UPDATE' AND NEW.\(reference) IS DISTINCT FROM OLD.\(reference) THEN
                DELETE FROM \(table(target)) WHERE \(oldPair);
            END IF;
            IF NEW.\(reference) IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.\(reference) IS DISTINCT FROM OLD.\(reference)) THEN
                INSERT INTO \(table(target)) (\(columns)) VALUES (\(newPair)) ON CONFLICT DO NOTHING;
            END IF;
            """)
        addPairSync(flow, key: key, other: other)
        let query = """
            SELECT s.\(sourceKey)::text, s.\(reference)::text FROM \(table(source)) AS s
            WHERE s.\(reference) IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM \(table(target)) AS t WHERE (t.\(quoted(flow.to.own)), t.\(quoted(flow.to.other))) = (\(pair)))
            """
        draft.add(.verify, Verify(subject: flow.property, queries: [query], tables: [target]))
    }

    /// What new code does with pairs, as far as one reference can say it: the first partner, or one of those that are left.
    private mutating func addPairSync(_ flow: LinkFlow, key: String, other: String) {
        let (source, target) = (flow.from.table, names.table(flow.to.table))
        let (reference, isUnique) = (flow.from.reference, isUnique(flow.from.reference, in: old, flow.from.table))
        let sourceKey = oldKey(source)
        let free =
            isUnique
            ? " AND NOT EXISTS (SELECT 1 FROM \(table(source)) AS o WHERE o.\(quoted(reference)) = NEW.\(quoted(other)))"
            : ""
        syncs[target, default: TableSync()].after.append(
            """
            IF TG_OP = 'UPDATE' AND NEW IS DISTINCT FROM OLD THEN
                UPDATE \(table(source)) SET \(quoted(reference)) = NULL
                WHERE \(sourceKey) = OLD.\(quoted(key)) AND \(quoted(reference)) = OLD.\(quoted(other));
            END IF;
            UPDATE \(table(source)) SET \(quoted(reference)) = NEW.\(quoted(other))
            WHERE \(sourceKey) = NEW.\(quoted(key)) AND \(quoted(reference)) IS NULL\(free);
            """)
        let left =
            isUnique
            ? "NULL"
            : "(SELECT min(p.\(quoted(other))) FROM \(table(target)) AS p WHERE p.\(quoted(key)) = OLD.\(quoted(key)))"
        syncs[target, default: TableSync()].deleted.append(
            """
            UPDATE \(table(source)) SET \(quoted(reference)) = \(left)
            WHERE \(sourceKey) = OLD.\(quoted(key)) AND \(quoted(reference)) = OLD.\(quoted(other));
            """)
        for foreignKey in new.database.table(named: flow.to.table)?.foreignKeys ?? [] {
            for column in foreignKey.columns {
                addDeletion(
                    from: target, column: column, with: names.table(foreignKey.referencedTable),
                    key: names.key(ofNew: foreignKey.referencedTable))
            }
        }
    }

    private func isUnique(_ column: String, in schema: FrozenSchema, _ tableName: String) -> Bool {
        schema.database.table(named: tableName)?.uniques.contains { $0.columns == [column] } == true
    }

    /// Pairs become references: each row can hold one, so two for one row are refused beforehand.
    private mutating func planReferences(_ flow: LinkFlow) {
        let source = names.lateTable(flow.from.table)
        func late(_ column: String) -> String { names.lateColumn(ColumnPlace(table: flow.from.table, column: column)) }
        if flow.to.isJoinTable {
            // From one join table to another that is not the same: both have rows of pairs.
            draft.add(
                .moveLinks,
                MovePairs(
                    source: source, own: late(flow.from.own), other: late(flow.from.other), target: flow.to.table,
                    ends: [flow.to.own, flow.to.other]))
            return
        }
        let isOwnKey = flow.to.rows == .own
        let (key, value) = isOwnKey ? (flow.from.own, flow.from.other) : (flow.from.other, flow.from.own)
        let batchKey = flow.from.keyColumns?[0] ?? flow.from.own
        let targetKey = names.key(ofNew: flow.to.table, isLate: true)
        refuseSeveral(flow, of: key, value)
        if isUnique(flow.to.reference, in: new, flow.to.table) { refuseSeveral(flow, of: value, key) }
        draft.add(
            .moveLinks,
            MoveReferences(
                source: source, batchKey: late(batchKey), row: late(key), value: late(value), target: flow.to.table,
                targetKey: targetKey, reference: flow.to.reference))
        let query = """
            SELECT s.\(quoted(late(key)))::text, s.\(quoted(late(value)))::text FROM \(table(source)) AS s
            WHERE s.\(quoted(late(key))) IS NOT NULL AND s.\(quoted(late(value))) IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM \(table(flow.to.table)) AS t
                WHERE t.\(quoted(targetKey)) = s.\(quoted(late(key))) AND t.\(quoted(flow.to.reference)) = s.\(quoted(late(value))))
            """
        draft.add(.verifyMoved, Verify(subject: flow.property, queries: [query], tables: [flow.to.table]))
        draft.notes.append("old code must be stopped before contract: the links of \(flow.property) move")
    }

    // MARK: Links that do not fit

    private mutating func refuseSeveral(_ flow: LinkFlow, of key: String, _ value: String) {
        refuse(
            DataCheck(
                code: "M401", title: "\(flow.property): one object has several where it can have one now",
                remedy: "remove all links but one of these objects",
                query: """
                    SELECT s.\(quoted(key))::text, string_agg(s.\(quoted(value))::text, ', ' ORDER BY s.\(quoted(value)))
                    FROM \(table(flow.from.table)) AS s
                    WHERE s.\(quoted(key)) IS NOT NULL AND s.\(quoted(value)) IS NOT NULL
                    GROUP BY s.\(quoted(key)) HAVING count(*) > 1
                    """))
    }

    /// Both ends of each link must be objects of the classes that the relationship has now.
    private mutating func refuseMisfits() {
        let isHeld = { (link: RelationshipContinuation) in
            if case .foreignKey = link.old.storage { true } else { false }
        }
        for link in flows.continuations.filter(isHeld) + flows.continuations.filter({ !isHeld($0) }) {
            let (links, ends) = (link.links, link.ends)
            let property = "\(link.newOwner.name).\(link.new.name)"
            refuseMisfits(
                at: links.otherColumns, of: links, leading: ends.other, to: link.new.destination,
                "\(property) leads to objects that are no \(link.new.destination)")
            // What a row loses with its column is counted with the columns.
            if isHeld(link), !link.isTurned, case .foreignKey = link.new.storage { continue }
            refuseMisfits(
                at: links.ownColumns, of: links, leading: ends.own, to: link.newOwner.name,
                "\(property): links of objects that are no \(link.newOwner.name)")
        }
    }

    private mutating func refuseMisfits(
        at columns: [String], of links: Links, leading oldName: String, to newName: String, _ title: String
    ) {
        guard let before = old.entity(named: oldName), let after = new.entity(named: newName) else { return }
        let (members, family) = (old.family(of: before), new.family(of: after))
        let fitting = match.rowClasses.filter { members.contains($0.old) && family.contains($0.new) }
        // Links to objects that are dropped are another question.
        let dropped = match.droppedEntities.filter { members.contains($0) }
        let isWhole = members.allSatisfy { member in
            dropped.contains(member) || fitting.contains { $0.old == member && $0.condition == nil }
        }
        if isWhole { return }
        let kinds = fitting + dropped.map { SchemaCorrespondence.RowClass(old: $0, new: after) }
        let fits = kinds.map { rows in
            let condition = isOfClass(rows, alias: "s").map { " AND \($0)" } ?? ""
            let own = old.database.table(named: rows.old.table)?.primaryKey?.columns ?? [Naming.key]
            let isSame = zip(own, columns).map { "s.\(quoted($0)) = l.\(quoted($1))" }.joined(separator: " AND ")
            return "EXISTS (SELECT 1 FROM \(table(rows.old.table)) AS s WHERE \(isSame)\(condition))"
        }
        let holder = links.keyColumns ?? (columns == links.ownColumns ? links.otherColumns : links.ownColumns)
        let value = columns == links.keyColumns ? links.referenceColumns : columns
        let isThere = value.map { "l.\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        refuse(
            DataCheck(
                code: "M403", title: title, remedy: "remove these links, or let them lead elsewhere",
                query: """
                    SELECT \(sql.shown(holder, of: "l")), \(sql.shown(value, of: "l")) FROM \(table(links.table)) AS l
                    WHERE \(isThere) AND NOT (\(fits.joined(separator: " OR ")))
                    """))
    }
}
