import StrataRepository

/// Views that are made, each after those that it reads.
struct CreateViews: PlannedOperation {
    var views: [ViewDefinition]
    /// What they are called first, where older views have their names still.
    var names = ViewNames(taken: [])

    var kind: MigrationOperation { .createViews }
    var title: String {
        "create \(views.count == 1 ? "view" : "views") \(views.map { names.first($0.name) }.joined(separator: ", "))"
    }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { [] }

    func statements(_ sql: SchemaSQL) -> [String] {
        views.flatMap { $0.creation(in: sql.schemaName, named: names.first($0.name)).map(\.text) }
    }

    func undo(_ sql: SchemaSQL) -> [String] { views.dropping { sql.table(names.first($0)) } }
}
