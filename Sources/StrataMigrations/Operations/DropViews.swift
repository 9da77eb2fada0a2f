import StrataRepository

/// Views that come down, each before those that it reads.
struct DropViews: PlannedOperation {
    var views: [ViewDefinition]

    var kind: MigrationOperation { .dropViews }
    var title: String {
        "drop \(views.count == 1 ? "view" : "views") \(views.map(\.name).joined(separator: ", "))"
    }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { views.map(\.name) }

    func statements(_ sql: SchemaSQL) -> [String] { views.dropping { sql.table($0) } }

    func undo(_ sql: SchemaSQL) -> [String] { views.flatMap { $0.creation(in: sql.schemaName) }.map(\.text) }
}
