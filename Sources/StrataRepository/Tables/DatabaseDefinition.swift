/// What one PostgreSQL schema holds, as plain values: made from a ``StoreMapping``, read from a database, compared,
/// rendered as SQL, or kept in a file.
///
/// The schema's own name is not part of it: the same definition can be rendered for any schema.
package struct DatabaseDefinition: Codable, Hashable, Sendable {
    /// Superclasses' tables before those of their subclasses when made from a mapping; by name when read from a database.
    package var tables: [TableDefinition]
    /// Sequences that belong to no identity column.
    package var sequences: [SequenceDefinition]
    package var views: [ViewDefinition]

    package init(
        tables: [TableDefinition] = [], sequences: [SequenceDefinition] = [], views: [ViewDefinition] = []
    ) {
        self.tables = tables
        self.sequences = sequences
        self.views = views
    }

    package func table(named name: String) -> TableDefinition? { tables.first { $0.name == name } }
    package func view(named name: String) -> ViewDefinition? { views.first { $0.name == name } }
    package func sequence(named name: String) -> SequenceDefinition? { sequences.first { $0.name == name } }

    /// The same with everything in the order of names, for comparisons.
    package var sorted: DatabaseDefinition {
        DatabaseDefinition(
            tables: tables.map(\.sorted).sorted { $0.name < $1.name },
            sequences: sequences.sorted { $0.name < $1.name }, views: views.sorted { $0.name < $1.name })
    }
}

extension DatabaseDefinition {
    private enum CodingKeys: String, CodingKey { case tables, sequences, views }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            tables: try container.decode([TableDefinition].self, forKey: .tables),
            sequences: try container.decode([SequenceDefinition].self, forKey: .sequences),
            views: try container.decodeIfPresent([ViewDefinition].self, forKey: .views) ?? [])
    }

    /// Without views there is no word of them: what was written before there were any means the same.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tables, forKey: .tables)
        try container.encode(sequences, forKey: .sequences)
        if !views.isEmpty { try container.encode(views, forKey: .views) }
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
