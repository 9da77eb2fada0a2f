package import Foundation
import StrataClient
import StrataModels

/// How the server gives a date of deletion to everything that delete rules take along with softly deleted rows, in memory or not: one
/// statement.
///
/// A recursive query follows `.cascade` from the rows to those that are there still; all that it finds get the date, in hierarchies whose
/// rows have none. References stay as they are, so that all of it can be restored. `.deny` is asked of what is there and does not go.
package struct SoftDeletePlan {
    private let mapping: StoreMapping
    private var cascades: [RelationshipMapping] = []
    private var denials: [RelationshipMapping] = []
    /// The roots of the hierarchies of which rows may get a date, by index, in order.
    private var roots: [Int] = []
    /// How the keys of what goes are called in the statement.
    let keys: DoomedKeys

    /// - Parameter roots: the hierarchies of the objects to delete. Each has a date of deletion.
    package init(deleting roots: some Sequence<EntityMapping>, mapping: StoreMapping) {
        self.mapping = mapping
        self.roots = Set(roots.map(\.index)).sorted()
        var next = 0
        while next < self.roots.count {
            for entity in mapping.entities[self.roots[next]].family {
                for case let relationship? in entity.relationships[entity.descriptor.ownSlots] {
                    switch relationship.property.deleteRule {
                    case .cascade:
                        cascades.append(relationship)
                        let root = relationship.destination.root.index
                        if !self.roots.contains(root) { self.roots.append(root) }
                    case .deny: denials.append(relationship)
                    case .nullify, .noAction: break
                    }
                }
            }
            next += 1
        }
        self.roots.sort()
        keys = DoomedKeys(self.roots.map { mapping.entities[$0].keyKind })
    }

    /// Whether rules have anything to say.
    var isNeeded: Bool { !(cascades.isEmpty && denials.isEmpty) }

    /// The hierarchies of which rows may get a date, by the index of their root.
    var reach: Set<Int> { Set(roots) }

    // MARK: SQL

    /// A query for hierarchy and key of everything that goes, those of `seeds` included.
    ///
    /// - Parameters:
    ///   - name: what the query is called.
    ///   - seeds: a query for hierarchy and key of the rows that are deleted.
    ///   - tables: names the tables in which rules are followed.
    func doomed(
        named name: String, seeds: SQLFragment, tables: AliasGenerator
    ) -> (query: SQLFragment, isRecursive: Bool) {
        guard !cascades.isEmpty else { return (seeds, false) }
        let arms = cascades.map { relationship -> SQLFragment in
            let (from, own, other) = relationship.ends(in: tables)
            let destination = relationship.destination
            let key = keys.values(other, destination.keyKind)
            return """
                SELECT \(raw: String(destination.root.index)), \(key) FROM \(from) AS t\(there(relationship, other, tables)) \
                AND d.root = \(raw: String(relationship.owner.root.index)) \
                AND \(own) = d.\(raw: keys.column(of: relationship.owner.keyKind))
                """
        }
        let targets = arms.joined(separator: " UNION ALL ")
        return (
            "\(seeds) UNION SELECT e.root, \(raw: keys.columns("e.")) FROM \(raw: name) AS d CROSS JOIN LATERAL (\(targets)) AS e(root, \(raw: keys.columns()))",
            true
        )
    }

    /// ` WHERE …`, with a join where it takes one: whether the row at the other end of a relationship in `t` is there.
    private func there(
        _ relationship: RelationshipMapping, _ other: SQLFragment, _ tables: AliasGenerator
    ) -> SQLFragment {
        let root = relationship.destination.root
        guard let slot = root.descriptor.dates.deletion, let date = root.columns[slot] else {
            return " WHERE \(other) IS NOT NULL"
        }
        let column = tables.column(date.name, of: root)
        if case .inverseForeignKey(let holder, _) = relationship.storage, holder === root {
            return " WHERE t.\(column) IS NULL"
        }
        return
            " JOIN \(tables.item(root)) AS r ON r.\(identifier: root.key) = \(other) WHERE r.\(column) IS NULL"
    }

    /// The statement. It returns hierarchy (the index of its root) and key of every row that got the date.
    ///
    /// - Parameters:
    ///   - seeds: a query for hierarchy and key of the rows that are deleted. Those that have a date keep it.
    ///   - date: when they are deleted.
    package func sql(seeds: SQLFragment, date: Date) -> SQLFragment {
        let (query, isRecursive) = doomed(named: "doomed", seeds: seeds, tables: AliasGenerator())
        var sql: SQLFragment =
            "WITH \(raw: isRecursive ? "RECURSIVE " : "")doomed(root, \(raw: keys.columns())) AS (\(query))"
        var dated: [SQLFragment] = []
        for root in roots.map({ mapping.entities[$0] }) {
            let own = "u\(root.index)"
            for entity in root.family {
                let slots = entity.descriptor.dates.deleted.slots
                let columns = slots.filter { entity.descriptor.ownSlots.contains($0) }.compactMap { entity.columns[$0] }
                guard !columns.isEmpty else { continue }
                let set = columns.map { column in
                    "\(identifier: column.name) = \(entity.asWritten("\(bind: date)", named: column.name))" as SQLFragment
                }
                    .joined(separator: ", ")
                let key: SQLFragment = "\(identifier: entity.key)"
                sql.append(", \(raw: "u\(entity.index)") AS (UPDATE \(entity.table) SET \(set) WHERE ")
                if entity === root, let slot = root.descriptor.dates.deletion, let column = root.columns[slot] {
                    // As an array: the index is used however many keys the planner expects.
                    sql.append(
                        "\(key) = ANY (ARRAY(SELECT \(raw: keys.column(of: root.keyKind)) FROM doomed WHERE root = \(raw: String(root.index)))) AND \(identifier: column.name) IS NULL RETURNING \(key))"
                    )
                } else {
                    sql.append("\(key) IN (SELECT \(identifier: root.key) FROM \(raw: own)))")
                }
            }
            let key: SQLFragment = "u.\(identifier: root.key)"
            dated.append(
                "SELECT \(raw: String(root.index)), \(keys.values(key, root.keyKind)) FROM \(raw: own) AS u")
        }
        sql.append(" \((dated + denials.map(refusal)).joined(separator: " UNION ALL "))")
        return sql
    }

    /// Fails for an object that goes while one at the other end is there, and stays.
    private func refusal(_ relationship: RelationshipMapping) -> SQLFragment {
        let tables = AliasGenerator()
        let (from, own, other) = relationship.ends(in: tables)
        let (owner, target) = (relationship.owner.root, relationship.destination.root)
        let key = "d.\(keys.column(of: owner.keyKind))"
        let failing = keys.failing(ServerRefusal.deny.text(relationship, key: key))
        let stays: SQLFragment =
            roots.contains(target.index)
            ? " AND NOT EXISTS (SELECT FROM doomed AS o WHERE \(keys.isRow("o", of: target, other)))" : ""
        return """
            SELECT 0, \(raw: failing) FROM doomed AS d CROSS JOIN LATERAL (SELECT \(other) AS pk FROM \(from) AS t\
            \(there(relationship, other, tables)) AND \(own) = \(raw: key)\(stays) LIMIT 1) AS s \
            WHERE d.root = \(raw: String(owner.index))
            """
    }
}
