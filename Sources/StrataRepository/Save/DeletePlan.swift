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
    /// A relationship by whose rule objects go, or whose rule forbids it.
    private struct Edge {
        let relationship: RelationshipMapping
        var source: Int { relationship.owner.root.index }
        var destination: Int { relationship.destination.root.index }
        /// Whether a foreign key says the same: in a subclass's table it would leave the rest of the object.
        var isForeignKey: Bool {
            if case .inverseForeignKey(let holder, _) = relationship.storage { return holder.base.parent == nil }
            return false
        }
    }

    private let mapping: StoreMapping
    private var cascades: [Edge] = []
    /// `.deny` where no foreign key can forbid it: on the side that holds the key, and for join tables.
    private var denials: [Edge] = []
    /// Limits below which what goes may bring the number of an owner's objects.
    private var minima: [Edge] = []
    /// Whether rows of subclasses are deleted by nobody else.
    private var leavesRows = false
    /// The roots of the hierarchies of which rows may go, by index, in order.
    private var roots: [Int] = []
    /// Those whose rows were to be deleted in the first place.
    private let asked: Set<Int>
    /// How the keys of what goes are called in the statement.
    package private(set) var keys = DoomedKeys([])

    /// For nothing to delete.
    init(nothingOf mapping: StoreMapping) {
        self.mapping = mapping
        asked = []
    }

    /// - Parameter roots: the hierarchies of the objects to delete.
    package init(deleting roots: some Sequence<EntityMapping>, mapping: StoreMapping) {
        self.mapping = mapping
        asked = Set(roots.map(\.index))
        self.roots = asked.sorted()
        var next = 0
        while next < self.roots.count {
            follow(mapping.entities[self.roots[next]])
            next += 1
        }
        self.roots.sort()
        reach = Set(self.roots)
        leavesRows = self.roots.contains { mapping.entities[$0].family.contains(where: \.found.staysBehind) }
        keys = DoomedKeys(self.roots.map { mapping.entities[$0].keyKind })
        minima = mapping.limitedRelationships.filter { $0.property.metadata.minimumModelCount > 0 }
            .map(Edge.init).filter { self.roots.contains($0.destination) }
    }

    private mutating func follow(_ root: EntityMapping) {
        for entity in root.family {
            for case let relationship? in entity.relationships[entity.descriptor.ownSlots] {
                let edge = Edge(relationship: relationship)
                switch (relationship.property.deleteRule, relationship.storage) {
                case (.cascade, _):
                    cascades.append(edge)
                    if !roots.contains(edge.destination) { roots.append(edge.destination) }
                case (.deny, .foreignKey), (.deny, .joinTable): denials.append(edge)
                default: break
                }
            }
        }
    }

    /// Whether a plain `DELETE` does not do.
    package var isNeeded: Bool { leavesRows || !(cascades.isEmpty && denials.isEmpty && minima.isEmpty) }

    /// Whether foreign keys do all that the rules say, and no object in memory is concerned: nothing has to be reported then,
    /// and a plain `DELETE` is quicker.
    ///
    /// - Parameter registered: the hierarchies of which objects are in memory; `nil` when that is not known.
    func isCarriedOutByForeignKeys(registered: Set<Int>?) -> Bool {
        guard let registered, denials.isEmpty, minima.isEmpty, !leavesRows else { return false }
        let taken = Set(roots).subtracting(asked)
        guard cascades.allSatisfy({ taken.contains($0.destination) && $0.isForeignKey }),
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

    /// Whether objects of a hierarchy may go by a rule without being asked for.
    package func mayTakeAlong(_ root: EntityMapping) -> Bool { cascades.contains { $0.destination == root.index } }

    /// The hierarchies of which rows may go, by the index of their root.
    package private(set) var reach: Set<Int> = []

    /// The relationships whose rules take objects along.
    var cascading: [RelationshipMapping] { cascades.map(\.relationship) }

    // MARK: SQL

    /// A query for hierarchy and key of everything that goes.
    ///
    /// - Parameters:
    ///   - name: what the query is called.
    ///   - seeds: a query for hierarchy and key of the rows that are to be deleted.
    ///   - tables: names the tables in which rules are followed.
    func doomed(
        named name: String, seeds: SQLFragment, tables: AliasGenerator
    ) throws -> (query: SQLFragment, isRecursive: Bool) {
        guard !cascades.isEmpty else { return (seeds, false) }
        let arms = cascades.map { edge -> SQLFragment in
            let (from, _, other) = edge.relationship.ends(in: tables)
            let key: SQLFragment = "d.\(raw: keys.column(of: edge.relationship.owner.keyKind))"
            return
                "SELECT \(raw: String(edge.destination)), \(keys.values(other, edge.relationship.destination.keyKind)) FROM \(from) AS t WHERE d.root = \(raw: String(edge.source)) AND \(edge.relationship.isOwn(key, in: tables)) AND \(other) IS NOT NULL\(edge.relationship.ofFollowedClass(in: tables))"
        }
        let targets = arms.joined(separator: " UNION ALL ")
        return (
            "\(seeds) UNION SELECT e.root, \(raw: keys.columns("e.")) FROM \(raw: name) AS d CROSS JOIN LATERAL (\(targets)) AS e(root, \(raw: keys.columns()))",
            true
        )
    }

    /// `WITH RECURSIVE doomed(root, pk) AS (…)`, hierarchy and key of everything that goes.
    ///
    /// - Parameters:
    ///   - seeds: a query for hierarchy and key of the rows that are to be deleted.
    ///   - left: the keys of rows from which a relationship's foreign key is not followed, by ``RelationshipMapping``.
    ///   - moved: by relationship, a condition on the rows `t` that say so: others will have been taken apart before.
    func doomed(
        seeds: SQLFragment, left: [ObjectIdentifier: [RowKey]], moved: [ObjectIdentifier: SQLFragment] = [:]
    ) -> SQLFragment {
        var sql: SQLFragment = "WITH RECURSIVE doomed(root, \(raw: keys.columns())) AS (\(seeds)"
        if !cascades.isEmpty {
            let arms = cascades.map { targets($0, left, moved) }.joined(separator: " UNION ALL ")
            sql.append(
                " UNION SELECT e.root, \(raw: keys.columns("e.")) FROM doomed AS d CROSS JOIN LATERAL (\(arms)) AS e(root, \(raw: keys.columns()))"
            )
        }
        sql.append(raw: ")")
        return sql
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
        for entity in roots.flatMap({ mapping.entities[$0].family })
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

    /// The objects at the other end of one object `d`.
    private func targets(
        _ edge: Edge, _ left: [ObjectIdentifier: [RowKey]], _ moved: [ObjectIdentifier: SQLFragment]
    ) -> SQLFragment {
        let (from, _, other) = edge.relationship.ends
        let text =
            "SELECT \(edge.destination), \(keys.values(other, edge.relationship.destination.keyKind)) FROM \(from)"
            + " WHERE d.root = \(edge.source)"
            + " AND \(edge.relationship.isOwn("d.\(keys.column(of: edge.relationship.owner.keyKind))"))"
            + " AND \(other) IS NOT NULL"
        var sql: SQLFragment = "\(raw: text)\(edge.relationship.ofFollowedClass())\(hasNotLeft(edge, left))"
        if let condition = moved[ObjectIdentifier(edge.relationship)] { sql.append(" AND \(condition)") }
        return sql
    }

    /// Whether `d` still has what its row says.
    private func hasNotLeft(_ edge: Edge, _ left: [ObjectIdentifier: [RowKey]]) -> SQLFragment {
        guard let keys = left[ObjectIdentifier(edge.relationship)] else { return "" }
        let kind = edge.relationship.owner.keyKind
        return " AND d.\(raw: self.keys.column(of: kind)) <> ALL (\(bind: keys.sorted(), of: kind))"
    }

    /// Fails for an object that goes while one at the other end stays.
    private func refusal(_ edge: Edge, _ left: [ObjectIdentifier: [RowKey]]) -> SQLFragment {
        let (from, _, other) = edge.relationship.ends
        let (owner, target) = (edge.relationship.owner.root, edge.relationship.destination.root)
        let key = "d.\(keys.column(of: owner.keyKind))"
        let query =
            "SELECT 0, \(keys.failing(ServerRefusal.deny.text(edge.relationship, key: key))) FROM doomed AS d"
            + " JOIN \(from) ON \(edge.relationship.isOwn(key)) WHERE d.root = \(edge.source) AND \(other) IS NOT NULL"
            + " AND NOT EXISTS (SELECT FROM doomed AS o WHERE \(keys.isRow("o", of: target, other)))"
        return "\(raw: query)\(edge.relationship.ofFollowedClass())\(hasNotLeft(edge, left))"
    }
}

extension DeletePlan {
    /// Fails for an owner that stays and loses so many objects that too few are left.
    private func shortage(_ edge: Edge) -> SQLFragment {
        let relationship = edge.relationship
        let (from, own, other) = relationship.ends
        let stays = "NOT EXISTS (SELECT FROM doomed AS x WHERE"
        let (owner, target) = (relationship.owner.root, relationship.destination.root)
        let refusal = keys.failing(ServerRefusal.count.text(relationship, key: "o.pk", number: "c.n"))
        let lost = "d.\(keys.column(of: target.keyKind))"
        let owners =
            "SELECT 0, \(refusal) FROM (SELECT DISTINCT \(own) AS pk FROM doomed AS d JOIN \(from)"
            + " ON \(relationship.isOther(lost))"
            + " WHERE d.root = \(edge.destination) AND \(own) IS NOT NULL"
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
            return (tables.item(join), "t.\(identifier: own)", "t.\(identifier: other)")
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
        case .joinTable: return "\(ends(in: tables).own) = \(value)"
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
