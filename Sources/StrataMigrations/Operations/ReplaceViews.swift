import StrataRepository

/// Views that come down, and those that take their places, in one transaction: whoever reads one finds the former or the new one.
///
/// Readers wait for it. So views with rows of their own were filled before, under other names.
struct ReplaceViews: PlannedOperation {
    /// The views that come down, each after the views that it reads.
    var older: [ViewDefinition]
    /// The views that step aside: older views that are replaced later read them.
    var aside: [ViewDefinition] = []
    /// The views that have stepped aside before, whether they come down now or later.
    var retired: [ViewDefinition] = []
    /// The new views that have the names of the retired ones.
    var successors: [ViewDefinition] = []
    /// The new views that were made and filled before, under their first names.
    var filled: [ViewDefinition] = []
    /// The new views that are made now, each after the views that it reads.
    var newer: [ViewDefinition] = []
    /// What new views are called until they get the names of older ones.
    var firstNames: [String: String] = [:]
    /// What older views are called that have stepped aside.
    var retiredNames: [String: String] = [:]

    private var incoming: [ViewDefinition] { filled + newer }

    var kind: MigrationOperation { incoming.isEmpty ? .dropViews : .replaceViews }
    var title: String {
        let names = (incoming.isEmpty ? older : incoming.creationOrder).map(\.name)
        return "\(incoming.isEmpty ? "drop" : "replace") \(names.count == 1 ? "view" : "views") "
            + names.joined(separator: ", ")
    }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { older.map { nameNow($0.name) } + aside.map(\.name) }

    /// Of an older one that comes down.
    private func nameNow(_ name: String) -> String {
        retired.contains { $0.name == name } ? retiredNames[name] ?? name : name
    }

    func statements(_ sql: SchemaSQL) -> [String] {
        let renaming = aside.leaving(for: retiredNames, sql) + filled.returning(from: firstNames, sql)
        let creation = newer.flatMap { $0.creation(in: sql.schemaName) }
        return older.dropping { sql.table(nameNow($0)) } + (renaming + creation).map(\.text)
    }

    /// An older one can only be made while what it reads has its name again: for as long, what has taken that gives it back.
    func undo(_ sql: SchemaSQL) -> [String] {
        let kept = retired.filter { view in !older.contains { $0.name == view.name } }
        var renaming = filled.leaving(for: firstNames, sql) + successors.leaving(for: firstNames, sql)
        renaming += (aside + kept).returning(from: retiredNames, sql)
        let creation = older.flatMap { $0.creation(in: sql.schemaName) }
        let exchange = retired.leaving(for: retiredNames, sql) + successors.returning(from: firstNames, sql)
        return newer.dropping { sql.table($0) } + (renaming + creation + exchange).map(\.text)
    }
}

extension [ViewDefinition] {
    /// Gives those another name that have one.
    fileprivate func leaving(for names: [String: String], _ sql: SchemaSQL) -> [SQLFragment] {
        flatMap { view in
            names[view.name].map { view.renaming(from: view.name, to: $0, in: sql.schemaName) } ?? []
        }
    }

    /// The inverse.
    fileprivate func returning(from names: [String: String], _ sql: SchemaSQL) -> [SQLFragment] {
        flatMap { view in
            names[view.name].map { view.renaming(from: $0, to: view.name, in: sql.schemaName) } ?? []
        }
    }
}
