import StrataRepository

/// Which foreign keys of a table go on as which, one as one: under another name, in the place of another, or not at all.
struct ForeignKeyContinuations {
    /// Those that say the same, whatever they are called.
    private(set) var kept: [(old: ForeignKeyDefinition, new: ForeignKeyDefinition)] = []
    /// New ones, with the old one that each takes the place of.
    private(set) var added: [(new: ForeignKeyDefinition, replaced: ForeignKeyDefinition?)] = []
    /// Old ones in whose place nothing comes.
    private(set) var dropped: [ForeignKeyDefinition]

    /// - Parameters:
    ///   - columns: old column → new column, for those that stay in the table.
    ///   - tables: new table → old table, for those that stay.
    init(
        from old: [ForeignKeyDefinition], to new: [ForeignKeyDefinition], _ columns: [String: String],
        tables: [String: String]
    ) {
        dropped = old
        var others: [ForeignKeyDefinition] = []
        for key in new {
            let same = Self.take(from: &dropped) {
                $0.columns.map { columns[$0] } == key.columns && tables[key.referencedTable] == $0.referencedTable
                    && $0.onDelete == key.onDelete
            }
            if let same { kept.append((same, key)) } else { others.append(key) }
        }
        // The one whose name it has goes first, so that each finds its name free.
        let namesakes = others.map { key in Self.take(from: &dropped) { $0.name == key.name } }
        for (key, namesake) in zip(others, namesakes) {
            added.append((key, namesake ?? Self.take(from: &dropped) { $0.columns.map { columns[$0] } == key.columns }))
        }
    }

    private static func take(
        from old: inout [ForeignKeyDefinition], where isWanted: (ForeignKeyDefinition) -> Bool
    ) -> ForeignKeyDefinition? {
        old.firstIndex(where: isWanted).map { old.remove(at: $0) }
    }
}

extension ForeignKeyContinuations {
    /// What an old foreign key that does not go on is called behind the switch: it makes way for one that does, and gets its name there.
    func retiredName(of old: ForeignKeyDefinition) -> String {
        kept.contains { $0.new.name == old.name } ? InterimName.old(old.name) : old.name
    }

    /// What has another name behind the switch: what makes way first.
    func renames(in table: String) -> (retired: [Rename], final: [Rename]) {
        let gone = added.compactMap(\.replaced) + dropped
        func rename(_ from: String, _ to: String) -> Rename? {
            from == to ? nil : Rename(kind: .constraint(table: table), from: from, to: to)
        }
        return (
            gone.compactMap { rename($0.name, retiredName(of: $0)) },
            kept.compactMap { rename($0.old.name, $0.new.name) }
        )
    }
}
