import StrataRepository

/// One round of views that get their names in one transaction, while older views step aside or come down: whoever reads one finds the
/// former or the new one.
///
/// Readers wait for it. So views with rows of their own were filled before, under other names.
struct ReplaceViews: PlannedOperation {
    var round: ViewRound
    /// The new views that have the names of the round's retired ones.
    var successors: [ViewDefinition]
    var names: ViewNames

    private var incoming: [ViewDefinition] { round.filled + round.newer }

    var kind: MigrationOperation { .replaceViews }
    var title: String {
        let names = incoming.creationOrder.map(\.name)
        return "replace \(names.count == 1 ? "view" : "views") \(names.joined(separator: ", "))"
    }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { round.older.map { nameNow($0.name) } + round.aside.map(\.name) }

    /// Of an older one that comes down.
    private func nameNow(_ name: String) -> String {
        round.retired.contains { $0.name == name } ? names.retired(name) : name
    }

    func statements(_ sql: SchemaSQL) -> [String] {
        let renaming = round.aside.leaving(for: names.retired, sql) + round.filled.returning(from: names.first, sql)
        let creation = round.newer.flatMap { $0.creation(in: sql.schemaName) }
        return round.older.dropping { sql.table(nameNow($0)) } + (renaming + creation).map(\.text)
    }

    /// An older one can only be made while what it reads has its name again: for as long, what has taken that gives it back.
    func undo(_ sql: SchemaSQL) -> [String] {
        let kept = round.retired.filter { view in !round.older.contains { $0.name == view.name } }
        var renaming = round.filled.leaving(for: names.first, sql) + successors.leaving(for: names.first, sql)
        renaming += (round.aside + kept).returning(from: names.retired, sql)
        let creation = round.older.flatMap { $0.creation(in: sql.schemaName) }
        let exchange =
            round.retired.leaving(for: names.retired, sql) + successors.returning(from: names.first, sql)
        return round.newer.dropping { sql.table($0) } + (renaming + creation + exchange).map(\.text)
    }
}

extension [ViewDefinition] {
    /// Gives those another name that have one.
    fileprivate func leaving(for name: (String) -> String, _ sql: SchemaSQL) -> [SQLFragment] {
        filter { name($0.name) != $0.name }
            .flatMap { $0.renaming(from: $0.name, to: name($0.name), in: sql.schemaName) }
    }

    /// The inverse.
    fileprivate func returning(from name: (String) -> String, _ sql: SchemaSQL) -> [SQLFragment] {
        filter { name($0.name) != $0.name }
            .flatMap { $0.renaming(from: name($0.name), to: $0.name, in: sql.schemaName) }
    }
}
