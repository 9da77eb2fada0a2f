import StrataClient
import StrataModels

/// What a deletion takes away, with everything that goes by delete rules, as queries.
///
/// What a rule forbids is shown as if it did not: the deleted objects are not found.
final class DeletedLayer: PendingLayer {
    private let mapping: StoreMapping
    private let plan: DeletePlan
    private let seeds: (AliasGenerator, DoomedKeys) throws -> SQLFragment
    /// The hierarchies of which rows may go, by the index of their root.
    private let roots: Set<Int>

    /// - Parameter seeds: a query for hierarchy and key of the rows that are deleted, over the tables as they are before.
    init(
        _ roots: [EntityMapping], _ seeds: @escaping (AliasGenerator, DoomedKeys) throws -> SQLFragment,
        mapping: StoreMapping
    ) {
        self.mapping = mapping
        self.seeds = seeds
        plan = DeletePlan(deleting: roots, mapping: mapping)
        self.roots = plan.reach
    }

    /// The deleted objects of a save.
    convenience init(_ context: SaveContext) {
        let deleted = context.deletedKeys.sorted { $0.key < $1.key }
        self.init(
            deleted.map { context.mapping.entities[$0.key] },
            { _, doomed in
                deleted.map { root, keys in doomed.seed(of: context.mapping.entities[root], keys.sorted()) }
                    .joined(separator: " UNION ALL ")
            }, mapping: context.mapping)
    }

    func touches(_ table: OverlaidTable) -> Bool { mapping.refers(table, to: roots) }

    /// The name of the query for what goes, by hierarchy and key.
    private func doomed(_ below: PendingView) -> String { "doomed\(below.level)" }

    func common(over below: PendingView) throws -> (query: SQLFragment, isRecursive: Bool)? {
        let name = doomed(below)
        let (query, isRecursive) = try plan.doomed(
            named: name, seeds: seeds(AliasGenerator(below), plan.keys), tables: AliasGenerator(below))
        return ("\(raw: name)(root, \(raw: plan.keys.columns())) AS (\(query))", isRecursive)
    }

    func rows(of request: TableRequest, over below: PendingView) throws -> SQLFragment {
        let doomed = doomed(below)
        func goes(_ root: EntityMapping, _ key: SQLFragment) -> SQLFragment {
            "EXISTS (SELECT FROM \(raw: doomed) AS d WHERE \(plan.keys.isRow("d", of: root, key)))"
        }
        let tables = AliasGenerator(below)
        switch request.table {
        case .entity(let index):
            let entity = mapping.entities[index]
            let item = tables.item(entity)
            let key: SQLFragment = entity.key.value(of: "t")
            let cleared = entity.foreignKeys(in: mapping).filter {
                $0.isCleared && roots.contains($0.target.root.index)
            }
            let compared = request.compared.map { name -> SQLFragment in
                let stored: SQLFragment = tables.column(name, of: entity, in: "t")
                guard let reference = cleared.first(where: { $0.column.name == name }) else { return stored }
                return "CASE WHEN \(goes(reference.target.root, stored)) THEN NULL ELSE \(stored) END"
            }
            let shown = request.shown.map { tables.shownColumn($0, of: entity, in: "t") }
            var sql: SQLFragment =
                "SELECT \((entity.key.columns(of: "t") + compared + shown).joined(separator: ", ")) FROM \(item) AS t"
            if roots.contains(entity.root.index) { sql.append(" WHERE NOT \(goes(entity.root, key))") }
            return sql
        case .join(let name):
            guard let join = mapping.joinTables.first(where: { $0.table == name }) else { return "" }
            let keys = [join.firstKey, join.secondKey]
            let stays = zip(mapping.sides(of: join), keys).compactMap { side, key -> SQLFragment? in
                roots.contains(side.root.index) ? "NOT \(goes(side.root, key.value(of: "t")))" : nil
            }
            return
                "SELECT \(keys.map { $0.list(of: "t") }.joined(separator: ", ")) FROM \(tables.item(join)) AS t WHERE \(stays.joined(separator: " AND "))"
        }
    }
}
