import StrataClient
import StrataModels

/// What the deletions of a save take along by delete rules, in memory or not, as a query that stands before another one: who looks for
/// rows that will be there leaves it out.
struct DoomedRows {
    private let context: SaveContext
    private let plan: DeletePlan
    var keys: DoomedKeys { plan.keys }

    /// `nil` where rules take along nothing of the hierarchy: what is deleted is then in memory.
    init?(_ context: SaveContext, of root: EntityMapping) {
        guard !context.deletedKeys.isEmpty else { return nil }
        let roots = context.deletedKeys.keys.sorted().map { context.mapping.entities[$0] }
        plan = DeletePlan(deleting: roots, mapping: context.mapping)
        guard plan.mayTakeAlong(root) else { return nil }
        self.context = context
    }

    /// `WITH RECURSIVE doomed(root, pk) AS (…)`.
    func query() throws -> SQLFragment {
        let seeds = context.deletedKeys.sorted { $0.key < $1.key }.map { root, keys in
            self.keys.seed(of: context.mapping.entities[root], keys.sorted())
        }
        var links = LinkCollector(context)
        links.add(changed: context.changed)
        links.add(deleted: context.deleted)
        return plan.doomed(seeds: seeds.joined(separator: " UNION ALL "), left: links.left, moved: moved(links))
    }

    /// By relationship, a condition on the rows that still say so: this save does not take them apart before its deletions.
    private func moved(_ links: LinkCollector) -> [ObjectIdentifier: SQLFragment] {
        let hidden = links.foreignKeyChanges
        var moved: [ObjectIdentifier: SQLFragment] = [:]
        for relationship in plan.cascading {
            let (_, own, other) = relationship.ends
            switch relationship.storage {
            case .foreignKey:
                // Objects that go: `left` says which of them had left their targets.
                continue
            case .inverseForeignKey(let holder, let column):
                let keys =
                    changed(column, of: holder)
                    + (hidden[holder.base.index] ?? [:]).filter { $1[column.name] != nil }.keys
                if keys.isEmpty { continue }
                moved[ObjectIdentifier(relationship)] =
                    "\(raw: other) <> ALL (\(bind: keys.sorted(), of: holder.keyKind))"
            case .joinTable(let join, let key, _):
                let pairs = links.pairs(in: join.table).removed
                if pairs.isEmpty { continue }
                let (first, second) = key == join.firstKey ? (own, other) : (other, own)
                moved[ObjectIdentifier(relationship)] = """
                    NOT EXISTS (SELECT FROM \(unnested(pairs, of: join, as: "m(a, b)")) \
                    WHERE m.a = \(raw: first) AND m.b = \(raw: second))
                    """
            }
        }
        return moved
    }

    /// The keys of the objects that change a foreign key.
    private func changed(_ column: Column, of holder: EntityMapping) -> [RowKey] {
        guard let slot = holder.columns.firstIndex(where: { $0?.name == column.name }) else { return [] }
        return context.changed.groups.filter { group in group.entity.chain.contains { $0 === holder } }.flatMap {
            group in
            group.models.filter { $0._$state.changedSlots.contains(slot) }.map { $0._$state.key }
        }
    }
}
