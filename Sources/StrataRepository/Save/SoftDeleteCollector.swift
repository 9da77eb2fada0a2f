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
        let seeds = roots.map { plan.seed(of: $0, (keys[$0.index] ?? []).sorted(), in: AliasGenerator()) }
        let statement = try plan.sql(seeds: seeds.joined(separator: " UNION ALL "), date: context.date).statement()
        let deletion = SaveStatement(
            kind: .softDelete(roots[0]), text: statement.sql.text, parameters: statement.parameters,
            name: "save: delete with \(roots.map(\.table.name).joined(separator: ", "))")
        return try roots.map(lock) + [deletion]
    }

    /// A date does not keep others from referring to a row: a lock that waits for those who are about to, so that the statement behind it sees what
    /// they refer with, does (manual, 13.3.2).
    private func lock(_ root: EntityMapping) throws -> SaveStatement {
        var parameters = PostgresParameters()
        try parameters.append(PostgresArray((keys[root.index] ?? []).sorted(), of: root.keyKind))
        return SaveStatement(
            kind: .lookup,
            text:
                "SELECT 1 FROM \(root.table.quoted) WHERE \(root.key.isAmong("$1::\(root.keyKind.type.array)", of: "")) ORDER BY \(root.key.list(of: "")) FOR UPDATE",
            parameters: parameters, name: "save: lock \(root.table.name)")
    }
}
