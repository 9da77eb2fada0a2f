import StrataRepository

/// What of a PostgreSQL schema belongs to others, by patterns of names: whole tables and sequences, and what others have added to tables of
/// the models. What the models have is never ignored, whatever its name is.
package struct IgnoredParts: Hashable, Sendable {
    /// What a pattern can be about within a table.
    package enum Kind: String, CaseIterable, Hashable, Sendable { case column, index, constraint }

    /// One pattern: of the table, and of what is in it.
    private struct Pattern: Hashable {
        var table: String
        var name: String
    }

    /// Patterns of tables and sequences.
    package private(set) var tables: Set<String> = []
    private var parts: [Kind: [Pattern]] = [:]

    /// Nothing.
    package init() {}

    /// - Parameter texts: `legacy_*` of tables and sequences, `index:orders.tmp_*` of indexes in a table, `column:legacy_*` of columns in any.
    ///   `*` stands for any number of characters.
    /// - Throws: ``MigrationError`` with the code `usage` for a word before the colon that is none of ``Kind`` and not `table`.
    package init(_ texts: [String]) throws(MigrationError) {
        for text in texts {
            guard let colon = text.firstIndex(of: ":") else {
                tables.insert(text)
                continue
            }
            let (word, name) = (String(text[..<colon]), text[text.index(after: colon)...])
            if word == "table" {
                tables.insert(String(name))
                continue
            }
            guard let kind = Kind(rawValue: word), !name.isEmpty else {
                let words = (["table"] + Kind.allCases.map(\.rawValue)).joined(separator: ", ")
                throw MigrationError(
                    .usage, "\(text) says nothing that could be ignored.",
                    remedy: "write a pattern of names behind one of \(words), as in index:orders.tmp_*")
            }
            let halves = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            parts[kind, default: []].append(
                Pattern(table: halves.count == 2 ? halves[0] : "*", name: halves[halves.count - 1]))
        }
    }

    /// Whether something within a table belongs to others.
    package func covers(_ kind: Kind, _ name: String, in table: String) -> Bool {
        parts[kind, default: []].contains {
            NamePattern.any(of: [$0.table], covers: table) && NamePattern.any(of: [$0.name], covers: name)
        }
    }

    /// A table without what belongs to others.
    func stripping(_ table: TableDefinition, expected: TableDefinition) -> TableDefinition {
        guard !parts.isEmpty else { return table }
        func isForeign(_ kind: Kind, _ name: String, _ own: [String]) -> Bool {
            !own.contains(name) && covers(kind, name, in: table.name)
        }
        let constraints = expected.uniques.map(\.name) + expected.foreignKeys.map(\.name) + expected.checks.map(\.name)
        var table = table
        table.columns.removeAll { isForeign(.column, $0.name, expected.columns.map(\.name)) }
        table.indexes.removeAll { isForeign(.index, $0.name, expected.indexes.map(\.name)) }
        table.uniques.removeAll { isForeign(.constraint, $0.name, constraints) }
        table.foreignKeys.removeAll { isForeign(.constraint, $0.name, constraints) }
        table.checks.removeAll { isForeign(.constraint, $0.name, constraints) }
        return table
    }

    /// Whether a finding is about something that belongs to others.
    func covers(_ peculiarity: CatalogInspection.Peculiarity, expected: DatabaseDefinition) -> Bool {
        guard let part = peculiarity.part, let name = peculiarity.table, covers(part.kind, part.name, in: name) else {
            return false
        }
        guard let table = expected.table(named: name) else { return true }
        // An index of a key or of unique values has the constraint's name.
        let keys = [table.primaryKey?.name].compactMap(\.self) + table.uniques.map(\.name)
        switch part.kind {
        case .index: return !(keys + table.indexes.map(\.name)).contains(part.name)
        case .constraint:
            return !(keys + table.foreignKeys.map(\.name) + table.checks.map(\.name)).contains(part.name)
        case .column: return true
        }
    }
}

extension Set<String> {
    /// Whether these patterns cover a name.
    func covers(_ name: String) -> Bool { contains(name) || NamePattern.any(of: self, covers: name) }
}
