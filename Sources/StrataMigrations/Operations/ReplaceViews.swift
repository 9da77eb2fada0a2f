import StrataRepository

/// Views that come down, and views that are made, in one transaction: whoever reads one finds the former or the new one.
struct ReplaceViews: PlannedOperation {
    /// Those that come down, each after those that it reads.
    var older: [ViewDefinition] = []
    /// Those that are made, each after those that it reads.
    var newer: [ViewDefinition] = []

    var kind: MigrationOperation {
        if older.isEmpty { return .createViews }
        return newer.isEmpty ? .dropViews : .replaceViews
    }
    var title: String {
        let names = newer.isEmpty ? older : newer
        let verb = older.isEmpty ? "create" : newer.isEmpty ? "drop" : "replace"
        return "\(verb) \(names.count == 1 ? "view" : "views") \(names.map(\.name).joined(separator: ", "))"
    }
    var lock: MigrationStep.Lock { older.isEmpty ? .none : .accessExclusive }
    var tables: [String] { older.map(\.name) }

    func statements(_ sql: SchemaSQL) -> [String] {
        older.dropping { sql.table($0) } + newer.flatMap { $0.creation(in: sql.schemaName).map(\.text) }
    }

    func undo(_ sql: SchemaSQL) -> [String] { ReplaceViews(older: newer, newer: older).statements(sql) }
}
