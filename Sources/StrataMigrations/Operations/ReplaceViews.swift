import StrataRepository

/// Views that come down, and those that take their places, in one transaction: whoever reads one finds the former or the new one.
///
/// Readers wait for it. So views with rows of their own were filled before, under other names, unless they read one that is replaced.
struct ReplaceViews: PlannedOperation {
    /// Those that come down, each after those that it reads.
    var older: [ViewDefinition]
    /// Those that are there.
    var filled: [ViewDefinition] = []
    /// What those are called until then that get the names of older ones.
    var firstNames: [String: String] = [:]
    /// Those that are made, each after those that it reads.
    var newer: [ViewDefinition] = []

    private var incoming: [ViewDefinition] { filled + newer }

    var kind: MigrationOperation { incoming.isEmpty ? .dropViews : .replaceViews }
    var title: String {
        let names = (incoming.isEmpty ? older : incoming.creationOrder).map(\.name)
        return "\(incoming.isEmpty ? "drop" : "replace") \(names.count == 1 ? "view" : "views") "
            + names.joined(separator: ", ")
    }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { older.map(\.name) }

    /// Those that have another name first, with it.
    private var renamed: [(view: ViewDefinition, firstName: String)] {
        filled.compactMap { view in firstNames[view.name].map { (view, $0) } }
    }

    func statements(_ sql: SchemaSQL) -> [String] {
        let renaming = renamed.flatMap { $0.view.renaming(from: $0.firstName, to: $0.view.name, in: sql.schemaName) }
        let creation = newer.flatMap { $0.creation(in: sql.schemaName) }
        return older.dropping { sql.table($0) } + (renaming + creation).map(\.text)
    }

    func undo(_ sql: SchemaSQL) -> [String] {
        let renaming = renamed.flatMap { $0.view.renaming(from: $0.view.name, to: $0.firstName, in: sql.schemaName) }
        let creation = older.flatMap { $0.creation(in: sql.schemaName) }
        return newer.dropping { sql.table($0) } + (renaming + creation).map(\.text)
    }
}
