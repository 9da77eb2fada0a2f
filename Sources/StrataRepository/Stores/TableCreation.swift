/// The statements that create what is missing in one PostgreSQL schema, in an order the server can carry out: sequences,
/// tables (superclasses first) with their first partitions, foreign keys (classes may refer to each other in a circle), indexes, views.
package struct TableCreation {
    package let statements: [SQLFragment]

    /// - Parameter existing: what the schema holds already; `nil` when the schema itself is missing. A table that exists
    ///   is left as it is.
    package init(_ definition: DatabaseDefinition, in schema: String, existing: DatabaseDefinition? = nil) {
        let tables = definition.tables.filter { existing?.table(named: $0.name) == nil }
        var statements: [SQLFragment] = []
        if existing == nil { statements.append("CREATE SCHEMA IF NOT EXISTS \(identifier: schema)") }
        statements += definition.sequences
            .filter { existing?.sequence(named: $0.name) == nil }
            .map { $0.creation(in: schema) }

        var later: [(table: TableDefinition, foreignKey: ForeignKeyDefinition)] = []
        var missing = Set(tables.map(\.name))
        for table in tables {
            missing.remove(table.name)
            // A subclass's table comes after its parent's; every other reference may lead forward.
            let references = table.foreignKeys.filter {
                $0.columns != table.primaryKey?.columns || missing.contains($0.referencedTable)
            }
            later += references.map { (table, $0) }
            statements.append(table.creation(in: schema, later: Set(references.map(\.name))))
            statements += table.columnStatements(in: schema)
            if let partitions = table.firstPartitions(in: schema) { statements.append(partitions) }
        }
        statements += later.map { $0.table.addition(of: $0.foreignKey, in: schema) }
        for table in tables { statements += table.indexes.map { table.creation(of: $0, in: schema) } }
        for table in tables { statements += table.policy.map { $0.creation(of: table.name, in: schema) } ?? [] }
        let views = definition.views.filter { existing?.view(named: $0.name) == nil }
        statements += views.creationOrder.flatMap { $0.creation(in: schema) }
        self.statements = statements
    }

    /// Everything a new store needs: Strata's own schema and the tables of the mapping. For reading and for files; the
    /// statements expect that nothing of it exists, except the schema of the tables.
    package static func all(_ mapping: StoreMapping) -> [SQLFragment] {
        TableCreation(LibrarySchema.definition, in: LibrarySchema.name).statements
            + LibraryFunctions.creation.map { SQLFragment($0) }
            + TableCreation(DatabaseDefinition(mapping), in: mapping.schemaName).statements
    }

    package var isEmpty: Bool { statements.isEmpty }

    /// A script: one statement after the other, each with its semicolon.
    package static func script(_ statements: [SQLFragment]) -> String {
        statements.map { $0.text + ";\n" }.joined()
    }
}
