import StrataClient
import StrataModels

/// Collects deleted objects. Where rules take others along, one statement for all (``DeletePlan``), unless foreign keys do it
/// and nobody in memory has to know; elsewhere one `DELETE` a hierarchy, referencing tables first. Subclass rows are left to the
/// foreign keys.
struct DeleteCollector {
    private let context: SaveContext
    private let left: [ObjectIdentifier: [RowKey]]
    private let isLast: Bool

    /// - Parameters:
    ///   - left: rows whose foreign keys rules do not follow (``LinkCollector/left``).
    ///   - isLast: whether nothing else is written after the deletions.
    init(_ context: SaveContext, left: [ObjectIdentifier: [RowKey]], isLast: Bool) {
        self.context = context
        self.left = left
        self.isLast = isLast
    }

    func statements() throws -> [SaveStatement] {
        let roots = context.deletedKeys.keys.sorted()
        guard !roots.isEmpty else { return [] }
        let plan = DeletePlan(deleting: roots.map { context.mapping.entities[$0] }, mapping: context.mapping)
        let mayCheck = !context.followed.isEmpty
        if plan.isNeeded, mayCheck || !plan.isCarriedOutByForeignKeys(registered: context.registeredRoots) {
            return [try delete(roots, plan)]
        }
        // Referenced tables come first when rows are inserted, so last when they are deleted.
        let referenced = referencedRoots(of: roots)
        let order = TableOrder.components(of: roots) { referenced[$0] ?? [] }
        return try order.reversed().map(delete)
    }

    /// By hierarchy, those that its rows refer to, also by the hidden key of a to-many relationship that its targets know nothing of.
    private func referencedRoots(of roots: [Int]) -> [Int: [Int]] {
        var referenced: [Int: [Int]] = [:]
        for root in roots {
            for entity in context.mapping.entities[root].family {
                referenced[root, default: []] += entity.referencedTables.map { context.mapping.entities[$0].root.index }
                for case let relationship? in entity.relationships[entity.descriptor.ownSlots] {
                    guard case .inverseForeignKey(let holder, _) = relationship.storage else { continue }
                    referenced[holder.root.index, default: []].append(root)
                }
            }
        }
        return referenced
    }

    private func delete(_ roots: [Int], _ plan: DeletePlan) throws -> SaveStatement {
        var followed: [Int: Set<RowKey>] = [:]
        for (relationship, keys) in context.followed {
            followed[relationship.destination.root.index, default: []].formUnion(keys)
        }
        let seeds = roots.compactMap { root -> SQLFragment? in
            let own = (context.deletedKeys[root] ?? []).subtracting(followed[root] ?? [])
            if own.isEmpty { return nil }
            return plan.keys.seed(of: context.mapping.entities[root], own.sorted())
        }
        let tables = roots.map { context.mapping.entities[$0].table.name }
        var sql = plan.sql(seeds: seeds.joined(separator: " UNION ALL "), left: left, checksCounts: isLast)
        for (relationship, keys) in context.followed {
            sql.append(" UNION ALL \(refusal(of: keys, relationship, plan.keys))")
        }
        let statement = try sql.statement()
        return SaveStatement(
            kind: .delete(context.mapping.entities[roots[0]]), text: statement.sql.text,
            parameters: statement.parameters, name: "save: delete \(tables.joined(separator: ", "))",
            rows: roots.reduce(0) { $0 + (context.deletedKeys[$1]?.count ?? 0) }, returnsKeys: true)
    }

    /// Fails for an object that would go with another one, and that others have moved away from that.
    private func refusal(
        of keys: [RowKey], _ relationship: RelationshipMapping, _ doomed: DoomedKeys
    ) -> SQLFragment {
        let root = relationship.destination.root
        let text = ServerRefusal.moved.text(relationship, key: "s.pk")
        return """
            SELECT 0, \(raw: doomed.failing(text)) FROM \(unnested(keys.sorted(), of: root.keyKind, as: "s(pk)")) \
            JOIN \(root.table) AS t ON \(root.key.isEqual(to: "s.pk", of: "t")) \
            WHERE NOT EXISTS (SELECT FROM doomed AS d WHERE \(raw: doomed.isRow("d", of: root, "s.pk")))
            """
    }

    private func keys(of root: Int) throws -> PostgresArray {
        try PostgresArray((context.deletedKeys[root] ?? []).sorted(), of: context.mapping.entities[root].keyKind)
    }

    /// Hierarchies that refer to each other go in one statement: "not deferrable" foreign keys without an action are checked
    /// at its end.
    private func delete(_ component: [Int]) throws -> SaveStatement {
        var text = ""
        var parameters = PostgresParameters()
        let tables = component.map { context.mapping.entities[$0] }
        for (index, root) in tables.enumerated() {
            let delete =
                "DELETE FROM \(root.table.quoted) WHERE \(root.key.isAmong("$\(index + 1)::\(root.keyKind.type.array)", of: ""))"
            if index == tables.count - 1 {
                text += (index > 0 ? " " : "") + delete
            } else {
                text += (index == 0 ? "WITH " : ", ") + "t\(index) AS (\(delete))"
            }
            try parameters.append(keys(of: component[index]))
        }
        return SaveStatement(
            kind: .delete(context.mapping.entities[component[0]]), text: text, parameters: parameters,
            name: "save: delete \(tables.map(\.table.name).joined(separator: ", "))",
            rows: component.reduce(0) { $0 + (context.deletedKeys[$1]?.count ?? 0) })
    }
}
