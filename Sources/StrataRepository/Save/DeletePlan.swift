package import StrataClient
import StrataModels

/// How the server deletes objects together with everything that delete rules take along, in memory or not: one statement.
///
/// Foreign keys carry out `.cascade` only where the other table's root holds the key, and report nothing of what they
/// deleted. So wherever a rule cascades, a recursive query first follows the rules from the deleted rows to all that go with
/// them; these are deleted by their hierarchies' roots, and their keys are returned. Foreign keys are checked when the
/// statement ends: what forbids a deletion does not when it goes as well. In tables of another program, whose foreign keys may delete nothing, the
/// rows of subclasses are deleted with it.
package struct DeletePlan {
    private let mapping: StoreMapping
    private let closure: CascadeClosure
    /// `.deny` where no foreign key can forbid it: on the side that holds the key, and for join tables.
    private let denials: [RelationshipMapping]
    /// Limits below which what goes may bring the number of an owner's objects.
    private let minima: [RelationshipMapping]
    /// Whether rows of subclasses are deleted by nobody else.
    private let leavesRows: Bool
    /// How the keys of what goes are called in the statement.
    package var keys: DoomedKeys { closure.keys }

    /// For nothing to delete.
    init(nothingOf mapping: StoreMapping) {
        self.mapping = mapping
        closure = CascadeClosure(of: [], in: mapping)
        (denials, minima, leavesRows) = ([], [], false)
    }

    /// - Parameter roots: the hierarchies of the objects to delete.
    package init(deleting roots: some Sequence<EntityMapping>, mapping: StoreMapping) {
        self.mapping = mapping
        let closure = CascadeClosure(of: roots, in: mapping)
        self.closure = closure
        denials = closure.denials.filter { denial in
            if case .inverseForeignKey = denial.storage { false } else { true }
        }
        leavesRows = closure.roots.contains { mapping.entities[$0].family.contains(where: \.found.staysBehind) }
        minima = mapping.limitedRelationships.filter {
            $0.property.metadata.minimumModelCount > 0 && closure.reach.contains($0.destination.root.index)
        }
    }

    /// Whether a plain `DELETE` does not do.
    package var isNeeded: Bool { leavesRows || !(closure.cascades.isEmpty && denials.isEmpty && minima.isEmpty) }

    /// Whether foreign keys do all that the rules say, and no object in memory is concerned: nothing has to be reported then,
    /// and a plain `DELETE` is quicker.
    ///
    /// - Parameter registered: the hierarchies of which objects are in memory; `nil` when that is not known.
    func isCarriedOutByForeignKeys(registered: Set<Int>?) -> Bool {
        guard let registered, denials.isEmpty, minima.isEmpty, !leavesRows else { return false }
        let taken = closure.reach.subtracting(closure.asked)
        guard closure.cascades.allSatisfy({ taken.contains($0.destination.root.index) && Self.isForeignKey($0) }),
            registered.isDisjoint(with: taken)
        else { return false }
        // Objects in memory may know the key of one that goes.
        return !registered.contains { root in
            mapping.entities[root].family.contains { entity in
                entity.relationships.contains { relationship in
                    guard let relationship, case .foreignKey = relationship.storage else { return false }
                    return taken.contains(relationship.destination.root.index)
                }
            }
        }
    }

    /// Whether a foreign key says the same as a rule: in a subclass's table it would leave the rest of the object.
    private static func isForeignKey(_ relationship: RelationshipMapping) -> Bool {
        if case .inverseForeignKey(let holder, _) = relationship.storage { return holder.base.parent == nil }
        return false
    }

    /// Whether objects of a hierarchy may go by a rule without being asked for.
    package func mayTakeAlong(_ root: EntityMapping) -> Bool { closure.mayTakeAlong(root) }

    /// The hierarchies of which rows may go, by the index of their root.
    package var reach: Set<Int> { closure.reach }

    /// The relationships whose rules take objects along.
    var cascading: [RelationshipMapping] { closure.cascades }

    // MARK: SQL

    /// A query for hierarchy and key of everything that goes.
    ///
    /// - Parameters:
    ///   - name: what the query is called.
    ///   - seeds: a query for hierarchy and key of the rows that are to be deleted.
    ///   - tables: names the tables in which rules are followed.
    ///   - left: the keys of rows from which a relationship's foreign key is not followed, by ``RelationshipMapping``.
    ///   - moved: by relationship, a condition on the rows `t` that say so: others will have been taken apart before.
    func doomed(
        named name: String, seeds: SQLFragment, tables: AliasGenerator, left: [ObjectIdentifier: [RowKey]] = [:],
        moved: [ObjectIdentifier: SQLFragment] = [:]
    ) -> (query: SQLFragment, isRecursive: Bool) {
        closure.query(named: name, seeds: seeds, in: tables) { step in
            let ofClass = step.relationship.ofFollowedClass(in: tables)
            let stays = moved[ObjectIdentifier(step.relationship)].map { " AND \($0)" as SQLFragment } ?? ""
            return """
                 WHERE \(step.isOwn) AND \(step.other) IS NOT NULL\(ofClass)\(hasNotLeft(step.relationship, left))\(stays)
                """
        }
    }

    /// `WITH RECURSIVE doomed(root, pk) AS (…)`, hierarchy and key of everything that goes, as the rows tell before the statement.
    func doomed(
        seeds: SQLFragment, left: [ObjectIdentifier: [RowKey]], moved: [ObjectIdentifier: SQLFragment] = [:]
    ) -> SQLFragment {
        let (query, _) = doomed(named: "doomed", seeds: seeds, tables: AliasGenerator(), left: left, moved: moved)
        return "WITH RECURSIVE doomed(root, \(raw: keys.columns())) AS (\(query))"
    }

    /// The statement. It returns hierarchy (the index of its root) and key of everything that goes.
    ///
    /// - Parameters:
    ///   - seeds: a query for hierarchy and key of the rows that are to be deleted.
    ///   - left: the keys of rows from which a relationship's foreign key is not followed, by ``RelationshipMapping``.
    ///   - checksCounts: whether owners that stay must have as many objects as they need right after the statement.
    package func sql(
        seeds: SQLFragment, left: [ObjectIdentifier: [RowKey]] = [:], checksCounts: Bool = true
    ) -> SQLFragment {
        var sql = doomed(seeds: seeds, left: left)
        for entity in closure.roots.flatMap({ mapping.entities[$0].family })
        where entity.parent == nil || entity.base === entity && Self.isChecked(entity) {
            let root = entity.root.index
            // As an array: the index is used however many keys the planner expects.
            sql.append(
                raw: ", d\(entity.index) AS (DELETE FROM \(entity.table.quoted) WHERE "
                    + entity.key.isAmong(
                        "ARRAY(SELECT \(keys.column(of: entity.keyKind)) FROM doomed WHERE root = \(root))", of: "")
                    + ")")
        }
        sql.append(raw: " SELECT root, \(keys.columns()) FROM doomed")
        for denial in denials { sql.append(" UNION ALL \(refusal(denial, left))") }
        if checksCounts { for minimum in minima { sql.append(" UNION ALL \(shortage(minimum))") } }
        return sql
    }

    /// Whether rows of a subclass's table are in the way of what they refer to: the server would delete them with their root's
    /// rows, but maybe only after it has checked their foreign keys; or not at all.
    private static func isChecked(_ entity: EntityMapping) -> Bool {
        entity.found.staysBehind || !(entity.ownForeignKeys.isEmpty && entity.hiddenColumns.isEmpty)
    }

    /// Whether `d` still has what its row says.
    private func hasNotLeft(_ relationship: RelationshipMapping, _ left: [ObjectIdentifier: [RowKey]]) -> SQLFragment {
        guard let keys = left[ObjectIdentifier(relationship)] else { return "" }
        let kind = relationship.owner.keyKind
        return " AND d.\(raw: self.keys.column(of: kind)) <> ALL (\(bind: keys.sorted(), of: kind))"
    }

    /// Fails for an object that goes while one at the other end stays.
    private func refusal(_ relationship: RelationshipMapping, _ left: [ObjectIdentifier: [RowKey]]) -> SQLFragment {
        let (from, _, other) = relationship.ends
        let (owner, target) = (relationship.owner.root, relationship.destination.root)
        let key = "d.\(keys.column(of: owner.keyKind))"
        let query =
            "SELECT 0, \(keys.failing(ServerRefusal.deny.text(relationship, key: key))) FROM doomed AS d"
            + " JOIN \(from) ON \(relationship.isOwn(key)) WHERE d.root = \(owner.index) AND \(other) IS NOT NULL"
            + " AND NOT EXISTS (SELECT FROM doomed AS o WHERE \(keys.isRow("o", of: target, other)))"
        return "\(raw: query)\(relationship.ofFollowedClass())\(hasNotLeft(relationship, left))"
    }
}

extension DeletePlan {
    /// Fails for an owner that stays and loses so many objects that too few are left.
    private func shortage(_ relationship: RelationshipMapping) -> SQLFragment {
        let (from, own, other) = relationship.ends
        let stays = "NOT EXISTS (SELECT FROM doomed AS x WHERE"
        let (owner, target) = (relationship.owner.root, relationship.destination.root)
        let refusal = keys.failing(ServerRefusal.count.text(relationship, key: "o.pk", number: "c.n"))
        let lost = "d.\(keys.column(of: target.keyKind))"
        let owners =
            "SELECT 0, \(refusal) FROM (SELECT DISTINCT \(own) AS pk FROM doomed AS d JOIN \(from)"
            + " ON \(relationship.isOther(lost))"
            + " WHERE d.root = \(target.index) AND \(own) IS NOT NULL"
        let rest =
            ") AS o CROSS JOIN LATERAL (SELECT count(*) AS n FROM \(from) WHERE \(relationship.isOwn("o.pk"))"
            + " AND \(stays) \(keys.isRow("x", of: target, other)))"
        let condition =
            ") AS c WHERE \(stays) \(keys.isRow("x", of: owner, "o.pk"))) AND c.n < \(relationship.property.metadata.minimumModelCount)"
            + (relationship.property.isOptional ? " AND c.n > 0" : "")
        let ofClass = relationship.ofClass()
        return "\(raw: owners)\(ofClass)\(raw: rest)\(ofClass)\(raw: condition)"
    }
}

extension RelationshipMapping {
    /// The table in which the relationship stands, and the columns of its own and the other side's keys in `t`.
    func ends(in tables: AliasGenerator) -> (from: SQLFragment, own: SQLFragment, other: SQLFragment) {
        switch storage {
        case .foreignKey(let column):
            return (tables.item(owner), owner.key.value(of: "t"), tables.column(column.name, of: owner, in: "t"))
        case .inverseForeignKey(let holder, let column):
            return (
                tables.item(holder), tables.column(column.name, of: holder, in: "t"), holder.key.value(of: "t")
            )
        case .joinTable(let join, let own, let other):
            return (tables.item(join), own.value(of: "t"), other.value(of: "t"))
        }
    }
}

extension RelationshipMapping {
    /// ` AND …`: whether a row `t` of ``ends(in:)`` is of a class that has the column. In a row of another class that shares the table, another program may
    /// have written it, and nobody sees it.
    func ofClass(in tables: AliasGenerator = AliasGenerator()) -> SQLFragment {
        guard let holder = columnHolder, let rows = holder.ownRows else { return "" }
        return " AND \(tables.isOfClass(rows, root: holder.root, in: "t"))"
    }

    /// The same for a rule that Strata follows. Where the rows that go have the key, the server's foreign key does the same, and asks no class.
    func ofFollowedClass(in tables: AliasGenerator = AliasGenerator()) -> SQLFragment {
        if case .foreignKey = storage { ofClass(in: tables) } else { "" }
    }

    /// The class in whose table the relationship stands; `nil` for a table of pairs.
    var columnHolder: EntityMapping? {
        switch storage {
        case .foreignKey: owner
        case .inverseForeignKey(let holder, _): holder
        case .joinTable: nil
        }
    }

    /// Whether the own side's key is this value, in `ends(in:)`: by the columns, which have an index.
    func isOwn(_ value: SQLFragment, in tables: AliasGenerator) -> SQLFragment {
        switch storage {
        case .foreignKey: return owner.key.isEqual(to: value, of: "t")
        case .inverseForeignKey(let holder, let column):
            if let columns = tables.columns(column, of: holder) { return columns.isEqual(to: value, of: "t") }
            return "\(ends(in: tables).own) = \(value)"
        case .joinTable(_, let own, _): return own.isEqual(to: value, of: "t")
        }
    }
}

extension StoreMapping {
    /// A row that ``DeletePlan/sql(seeds:)`` returns.
    package func doomed(_ row: PostgresRow) throws -> (root: EntityMapping, key: RowKey) {
        // Of keys of several kinds, each has a column of its own.
        let root = entities[Int(try row.decode(0, as: Int32.self))]
        let column = (1..<row.columnCount).first { !row.isNull($0) } ?? 1
        return (root, row.key(column, root.keyKind))
    }
}
