import StrataClient
import StrataModels

/// What follows from dates of deletion that a save writes: one statement after all others, where delete rules have anything to say.
struct SoftDeleteCollector {
    private let context: SaveContext
    private let keys: [Int: [RowKey]]

    init(_ context: SaveContext) {
        self.context = context
        var keys: [Int: [RowKey]] = [:]
        if context.mapping.deletesSoftly {
            for group in context.changed.groups where group.entity.descriptor.dates.deletion != nil {
                for model in group.models where SoftDeletion(of: model) == .deletes {
                    keys[group.entity.root.index, default: []].append(model._$state.key)
                }
            }
        }
        self.keys = keys
    }

    func statements() throws -> [SaveStatement] {
        guard !keys.isEmpty else { return [] }
        let roots = keys.keys.sorted().map { context.mapping.entities[$0] }
        let plan = SoftDeletePlan(deleting: roots, mapping: context.mapping)
        guard plan.isNeeded else { return [] }
        let seeds = roots.map { root in seed(of: root, (keys[root.index] ?? []).sorted(), plan.keys) }
        let statement = try plan.sql(seeds: seeds.joined(separator: " UNION ALL "), date: context.date).statement()
        return [
            SaveStatement(
                kind: .softDelete(roots[0]), text: statement.sql.text, parameters: statement.parameters,
                name: "save: delete with \(roots.map(\.table.name).joined(separator: ", "))")
        ]
    }

    /// Rows with these keys that have a date by now: where the policy lets the database win, an object may not have got its way.
    private func seed(of root: EntityMapping, _ keys: [RowKey], _ doomed: DoomedKeys) -> SQLFragment {
        let rows = doomed.seed(of: root, keys)
        guard let slot = root.descriptor.dates.deletion, let date = root.columns[slot] else { return rows }
        return """
            \(rows) JOIN \(root.table) AS r ON r.\(identifier: root.key) = s.pk AND r.\(identifier: date.name) IS NOT NULL
            """
    }
}
