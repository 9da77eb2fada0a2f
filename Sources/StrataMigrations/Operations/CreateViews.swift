import StrataRepository

/// Views that are made, each after those that it reads.
struct CreateViews: PlannedOperation {
    var views: [ViewDefinition]
    /// What those are called first whose names older views have still.
    var firstNames: [String: String] = [:]

    var kind: MigrationOperation { .createViews }
    var title: String {
        "create \(views.count == 1 ? "view" : "views") \(views.map { name($0.name) }.joined(separator: ", "))"
    }
    var lock: MigrationStep.Lock { .none }
    var tables: [String] { [] }

    private func name(_ name: String) -> String { firstNames[name] ?? name }

    func statements(_ sql: SchemaSQL) -> [String] {
        views.flatMap { $0.creation(in: sql.schemaName, named: name($0.name)).map(\.text) }
    }

    func undo(_ sql: SchemaSQL) -> [String] { views.dropping { sql.table(name($0)) } }
}
