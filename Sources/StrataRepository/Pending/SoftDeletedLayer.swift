import StrataClient
import StrataModels

/// What a soft deletion gives a date, with everything that goes by delete rules, as queries.
final class SoftDeletedLayer: PendingLayer {
    private let mapping: StoreMapping
    private let plan: SoftDeletePlan
    private let seeds: (AliasGenerator) throws -> SQLFragment

    /// - Parameter seeds: a query for hierarchy, key and date of the rows that are deleted, over the tables as they are before.
    init(_ plan: SoftDeletePlan, _ seeds: @escaping (AliasGenerator) throws -> SQLFragment, mapping: StoreMapping) {
        self.plan = plan
        self.seeds = seeds
        self.mapping = mapping
    }

    /// What goes with the objects of a save that get a date; `nil` where nothing does.
    convenience init?(_ context: SaveContext) {
        let deleted = context.changed.groups.filter { $0.entity.descriptor.dates.deletion != nil }.map { group in
            (
                root: group.entity.root,
                keys: group.models.filter { SoftDeletion(of: $0) == .deletes }.map { $0._$state.key }.sorted()
            )
        }.filter { !$0.keys.isEmpty }
        guard !deleted.isEmpty else { return nil }
        let plan = SoftDeletePlan(deleting: deleted.map(\.root), mapping: context.mapping)
        guard plan.isNeeded else { return nil }
        self.init(
            plan,
            { tables in
                deleted.map { plan.seed(of: $0.root, $0.keys, in: tables) }.joined(separator: " UNION ALL ")
            }, mapping: context.mapping)
    }

    func touches(_ table: OverlaidTable) -> Bool {
        guard case .entity(let index) = table else { return false }
        let entity = mapping.entities[index]
        return entity.parent == nil && plan.reach.contains(index)
    }

    /// The name of the query for what goes, by hierarchy and key.
    private func doomed(_ below: PendingView) -> String { "doomed\(below.level)" }

    func common(over below: PendingView) throws -> (query: SQLFragment, isRecursive: Bool)? {
        let name = doomed(below)
        let (query, isRecursive) = plan.doomed(
            named: name, seeds: try seeds(AliasGenerator(below)), tables: AliasGenerator(below))
        return ("\(raw: name)(\(raw: plan.columns)) AS (\(query))", isRecursive)
    }

    func rows(of request: TableRequest, over below: PendingView) throws -> SQLFragment {
        guard case .entity(let index) = request.table else { return "" }
        let entity = mapping.entities[index]
        let tables = AliasGenerator(below)
        let item = tables.item(entity)
        let key: SQLFragment = entity.key.value(of: "t")
        let column = entity.descriptor.dates.deletion.flatMap { entity.columns[$0]?.name }
        let compared = request.compared.map { name -> SQLFragment in
            let stored = entity.asRead(tables.column(name, of: entity, in: "t"), named: name)
            guard name == column else { return stored }
            return
                "coalesce(\(stored), (SELECT min(d.at) FROM \(raw: doomed(below)) AS d WHERE \(plan.keys.isRow("d", of: entity, key))))"
        }
        let shown = request.shown.map { tables.shownColumn($0, of: entity, in: "t") }
        return "SELECT \((entity.key.columns(of: "t") + compared + shown).joined(separator: ", ")) FROM \(item) AS t"
    }
}
