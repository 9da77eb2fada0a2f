/// What one PostgreSQL schema holds, as plain values: made from a ``StoreMapping``, read from a database, compared,
/// rendered as SQL, or kept in a file.
///
/// The schema's own name is not part of it: the same definition can be rendered for any schema.
package struct DatabaseDefinition: Codable, Hashable, Sendable {
    /// Superclasses' tables before those of their subclasses when made from a mapping; by name when read from a database.
    package var tables: [TableDefinition]
    /// Sequences that belong to no identity column.
    package var sequences: [SequenceDefinition]

    package init(tables: [TableDefinition] = [], sequences: [SequenceDefinition] = []) {
        self.tables = tables
        self.sequences = sequences
    }

    package func table(named name: String) -> TableDefinition? { tables.first { $0.name == name } }
    package func sequence(named name: String) -> SequenceDefinition? { sequences.first { $0.name == name } }

    /// The same with everything in the order of names, for comparisons.
    package var sorted: DatabaseDefinition {
        DatabaseDefinition(
            tables: tables.map(\.sorted).sorted { $0.name < $1.name }, sequences: sequences.sorted { $0.name < $1.name }
        )
    }
}

/// A sequence on its own.
package struct SequenceDefinition: Codable, Hashable, Sendable {
    package var name: String
    package var start: Int64
    package var minimum: Int64
    package var maximum: Int64

    package init(name: String, start: Int64, minimum: Int64, maximum: Int64) {
        self.name = name
        self.start = start
        self.minimum = minimum
        self.maximum = maximum
    }
}
