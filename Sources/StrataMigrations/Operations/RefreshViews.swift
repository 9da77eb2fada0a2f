import StrataRepository

/// The rows of materialized views, computed again while others read the former ones; each after those that it reads.
///
/// Nothing undoes it: its rows follow from others, and the views go with the steps that have made them.
struct RefreshViews: PlannedOperation {
    var views: [ViewDefinition]

    var kind: MigrationOperation { .refreshViews }
    var title: String {
        "refresh \(views.count == 1 ? "view" : "views") \(views.map(\.name).joined(separator: ", "))"
    }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { views.map(\.name) }

    func statements(_ sql: SchemaSQL) -> [String] {
        views.map { "REFRESH MATERIALIZED VIEW CONCURRENTLY \(sql.table($0.name))" }
    }
}
