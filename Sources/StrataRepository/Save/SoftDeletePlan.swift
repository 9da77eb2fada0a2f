package import Foundation
package import StrataClient
import StrataModels

/// How the server gives a date of deletion to everything that delete rules take along with softly deleted rows, in memory or not: one
/// statement.
///
/// A recursive query follows `.cascade` from the rows to those that are there still, and takes each row's date along: all that it finds get that
/// of what took it along. References stay as they are, so that all of it can be restored. `.deny` is asked of what is there and does not go.
package struct SoftDeletePlan {
    private let mapping: StoreMapping
    private let closure: CascadeClosure
    /// How the keys of what goes are called in the statement.
    var keys: DoomedKeys { closure.keys }

    /// - Parameter roots: the hierarchies of the objects to delete. Each has a date of deletion.
    package init(deleting roots: some Sequence<EntityMapping>, mapping: StoreMapping) {
        self.mapping = mapping
        closure = CascadeClosure(of: roots, in: mapping)
    }

    /// Whether rules have anything to say.
    var isNeeded: Bool { !(closure.cascades.isEmpty && closure.denials.isEmpty) }

    /// Whether objects of a hierarchy may go by a rule without being asked for.
    package func mayTakeAlong(_ root: EntityMapping) -> Bool { closure.mayTakeAlong(root) }

    /// The hierarchies of which rows may get a date, by the index of their root.
    var reach: Set<Int> { closure.reach }

    // MARK: SQL

    /// The columns of the query for what goes: hierarchy, key, and the date.
    var columns: String { "root, \(keys.columns()), at" }

    /// A query for hierarchy, key and date of the rows of a hierarchy that have these keys, and a date.
    func seed(of root: EntityMapping, _ rowKeys: [RowKey], in tables: AliasGenerator) -> SQLFragment {
        guard let column = Self.date(of: root) else { return keys.seed(of: root, rowKeys) }
        let date: SQLFragment = tables.column(column.name, of: root, in: "r")
        return """
            SELECT \(raw: String(root.index)), \(keys.values("s.pk" as SQLFragment, root.keyKind)), \(root.asRead(date, named: column.name)) \
            FROM \(unnested(rowKeys, of: root.keyKind, as: "s(pk)")) JOIN \(tables.item(root)) AS r \
            ON \(root.key.isEqual(to: "s.pk", of: "r")) AND \(date) IS NOT NULL
            """
    }

    /// A query for hierarchy, key and date, from one for hierarchy and key.
    func dated(_ seeds: SQLFragment, _ date: Date) -> SQLFragment { "SELECT s.*, \(bind: date) FROM (\(seeds)) AS s" }

    private static func date(of root: EntityMapping) -> Column? {
        root.descriptor.dates.deletion.flatMap { root.columns[$0] }
    }

    /// A query for hierarchy, key and date of everything that goes, those of `seeds` included.
    ///
    /// - Parameters:
    ///   - name: what the query is called.
    ///   - seeds: a query for hierarchy, key and date of the rows that are deleted.
    ///   - tables: names the tables in which rules are followed.
    func doomed(
        named name: String, seeds: SQLFragment, tables: AliasGenerator
    ) -> (query: SQLFragment, isRecursive: Bool) {
        closure.query(named: name, seeds: seeds, in: tables, passing: "at") { step in
            let there = there(step.relationship, step.other, tables)
            return "\(there) AND \(step.isOwn)\(step.relationship.ofClass(in: tables))"
        }
    }

    /// ` WHERE …`, with a join where it takes one: whether the row at the other end of a relationship in `t` is there.
    private func there(
        _ relationship: RelationshipMapping, _ other: SQLFragment, _ tables: AliasGenerator
    ) -> SQLFragment {
        let root = relationship.destination.root
        guard let date = Self.date(of: root) else { return " WHERE \(other) IS NOT NULL" }
        func column(_ row: SQLFragment) -> SQLFragment { tables.column(date.name, of: root, in: row) }
        if case .inverseForeignKey(let holder, _) = relationship.storage, holder.base === root {
            return " WHERE \(column("t")) IS NULL"
        }
        return
            " JOIN \(tables.item(root)) AS r ON \(root.key.isEqual(to: other, of: "r")) WHERE \(column("r")) IS NULL"
    }

    /// The statement. It returns hierarchy (the index of its root), key and date of every row that got one.
    ///
    /// - Parameters:
    ///   - seeds: a query for hierarchy, key and date of the rows that are deleted. Those that have a date keep it.
    ///   - date: the date of change of what goes.
    package func sql(seeds: SQLFragment, date: Date) -> SQLFragment {
        let (query, isRecursive) = doomed(named: "doomed", seeds: seeds, tables: AliasGenerator())
        var sql: SQLFragment =
            "WITH \(raw: isRecursive ? "RECURSIVE " : "")doomed(\(raw: columns)) AS (\(query))"
        var dated: [SQLFragment] = []
        for root in closure.roots.map({ mapping.entities[$0] }) {
            guard let column = Self.date(of: root) else { continue }
            let set = [
                "\(identifier: column.name) = \(root.asWritten("d.at" as SQLFragment, named: column.name))"
                    as SQLFragment
            ]
            let doomedKey = keys.column(of: root.keyKind)
            sql.append(
                """
                , \(raw: "u\(root.index)")(pk, at) AS (UPDATE \(root.table) AS t \
                SET \((set + root.tableClasses.flatMap { changes(of: $0, date) }).joined(separator: ", ")) \
                FROM (SELECT \(raw: doomedKey) AS pk, min(at) AS at FROM doomed WHERE root = \(raw: String(root.index)) GROUP BY 1) AS d \
                WHERE \(root.key.isEqual(to: "d.pk", of: "t")) AND t.\(identifier: column.name) IS NULL RETURNING \(root.key.value(of: "t")), d.at)
                """)
            for entity in root.descendants where entity.base === entity {
                let set = changes(of: entity, date)
                guard !set.isEmpty else { continue }
                sql.append(
                    """
                    , \(raw: "u\(entity.index)") AS (UPDATE \(entity.table) AS t SET \(set.joined(separator: ", ")) \
                    FROM \(raw: "u\(root.index)") AS d WHERE \(entity.key.isEqual(to: "d.pk", of: "t")))
                    """)
            }
            dated.append(
                "SELECT \(raw: String(root.index)), \(keys.values("u.pk" as SQLFragment, root.keyKind)), u.at FROM \(raw: "u\(root.index)") AS u"
            )
        }
        sql.append(" \((dated + closure.denials.map(refusal)).joined(separator: " UNION ALL "))")
        return sql
    }

    /// The dates of change that a class declares itself, in a table `t`. Other classes that share it have none of them.
    private func changes(of entity: EntityMapping, _ date: Date) -> [SQLFragment] {
        entity.descriptor.dates.modification.slots.filter(entity.descriptor.ownSlots.contains)
            .compactMap { entity.columns[$0] }
            .map { column in
                let value = entity.asWritten("\(bind: date)" as SQLFragment, named: column.name)
                guard let ownRows = entity.ownRows else { return "\(identifier: column.name) = \(value)" }
                let isOfClass = ownRows.isMet(by: "t.\(identifier: ownRows.column)")
                return
                    "\(identifier: column.name) = CASE WHEN \(isOfClass) THEN \(value) ELSE t.\(identifier: column.name) END"
            }
    }

    /// Fails for an object that goes while one at the other end is there, and stays.
    private func refusal(_ relationship: RelationshipMapping) -> SQLFragment {
        let tables = AliasGenerator()
        let (from, _, other) = relationship.ends(in: tables)
        let (owner, target) = (relationship.owner.root, relationship.destination.root)
        let key = "d.\(keys.column(of: owner.keyKind))"
        let failing = keys.failing(ServerRefusal.deny.text(relationship, key: key))
        let stays: SQLFragment =
            closure.reach.contains(target.index)
            ? " AND NOT EXISTS (SELECT FROM doomed AS o WHERE \(keys.isRow("o", of: target, other)))" : ""
        return """
            SELECT 0, \(raw: failing), d.at FROM doomed AS d CROSS JOIN LATERAL (SELECT \(other) AS pk FROM \(from) AS t\
            \(there(relationship, other, tables)) AND \(relationship.isOwn("\(raw: key)", in: tables))\(stays)\(relationship.ofClass(in: tables)) LIMIT 1) AS s \
            WHERE d.root = \(raw: String(owner.index))
            """
    }
}

extension StoreMapping {
    /// A row that ``SoftDeletePlan/sql(seeds:date:)`` returns.
    package func softlyDeleted(_ row: PostgresRow) throws -> SoftlyDeletedRow {
        let (root, key) = try doomed(row)
        return SoftlyDeletedRow(root: root, key: key, date: try row.decode(row.columnCount - 1, as: Date.self))
    }
}

/// A row that got a date of deletion.
package struct SoftlyDeletedRow {
    package let root: EntityMapping
    package let key: RowKey
    package let date: Date
}
