extension TableDefinition {
    /// The names of its constraints, of which PostgreSQL has one list for each table.
    package var constraintNames: [String] {
        [primaryKey?.name].compactMap(\.self) + uniques.map(\.name) + foreignKeys.map(\.name) + checks.map(\.name)
    }

    /// The names of its indexes, those of constraints included. PostgreSQL has one list of them, of tables and of sequences for each schema.
    package var indexNames: [String] {
        [primaryKey?.name].compactMap(\.self) + uniques.map(\.name) + indexes.map(\.name)
    }
}

extension DatabaseDefinition {
    /// The names of everything that PostgreSQL has in one list: tables, indexes, sequences, views.
    var relationNames: [String] {
        tables.flatMap { table in
            let sequence = table.hasIdentity ? table.keyColumn.map { Naming.joined(table.name, $0, "seq") } : nil
            return [table.name] + table.indexNames + [sequence].compactMap(\.self)
        } + views.flatMap { [$0.name] + [$0.keyIndex].compactMap(\.self) }
    }
}
