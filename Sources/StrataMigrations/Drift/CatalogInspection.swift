package import StrataClient
package import StrataRepository

/// One PostgreSQL schema as the system catalogs have it, with what a ``DatabaseDefinition`` has no words for.
package struct CatalogInspection: Hashable, Sendable {
    /// Something no schema asks for, in one line.
    package struct Peculiarity: Hashable, Sendable {
        /// The table or view it is in; `nil` for what is in none.
        package var table: String?
        /// Whether a migration left it behind.
        package var isLeftOver: Bool
        package var text: String
        /// What of the table it is about; `nil` for the table as a whole.
        package var part: Part?

        /// Something within a table that has a name.
        package struct Part: Hashable, Sendable {
            package var kind: IgnoredParts.Kind
            package var name: String
        }

        package init(table: String?, isLeftOver: Bool = false, text: String, part: Part? = nil) {
            self.part = part
            self.table = table
            self.isLeftOver = isLeftOver
            self.text = text
        }
    }

    /// Whether the PostgreSQL schema is there at all.
    package var exists: Bool
    package var definition: DatabaseDefinition
    /// Names that are neither tables nor sequences on their own, with what they are.
    package var otherRelations: [String: String]
    package var peculiarities: [Peculiarity]
    /// By view the columns of each unique index.
    package var uniqueColumns: [String: Set<Set<String>>]
    /// By table of which expressions comments of columns say that the server computes them.
    package var columnMarks: [String: [String: DefinitionMark]]

    package init(
        exists: Bool = true, definition: DatabaseDefinition, otherRelations: [String: String] = [:],
        peculiarities: [Peculiarity] = [], uniqueColumns: [String: Set<Set<String>>] = [:],
        columnMarks: [String: [String: DefinitionMark]] = [:]
    ) {
        self.columnMarks = columnMarks
        self.exists = exists
        self.definition = definition
        self.otherRelations = otherRelations
        self.peculiarities = peculiarities
        self.uniqueColumns = uniqueColumns
    }
}

extension CatalogInspection {
    /// Reads a schema in one round trip, blocking the thread. Takes no lock on any table; a build of an index that is still
    /// going on is seen as an index that is not valid.
    package static func read(schemaName: String, connection: PostgresConnection) throws -> CatalogInspection {
        let reading = CatalogReading(schemaName)
        try connection.run(try reading.batch())
        return reading.result
    }

    /// The same without blocking a thread.
    package static func read(schemaName: String, connection: PostgresConnection) async throws -> CatalogInspection {
        let reading = CatalogReading(schemaName)
        try await connection.run(try reading.batch())
        return reading.result
    }
}

/// Collects the answers.
private final class CatalogReading {
    private let schemaName: String
    private let inspection: DatabaseInspection
    private var peculiarities: [CatalogInspection.Peculiarity] = []

    init(_ schemaName: String) {
        self.schemaName = schemaName
        inspection = DatabaseInspection(schemas: [schemaName])
    }

    func batch() throws -> PostgresBatch {
        var batch = PostgresBatch()
        try inspection.add(to: &batch)
        batch.add(
            PostgresStatement(
                CatalogPeculiarities.query, parameters: try PostgresParameters(schemaName),
                name: "inspect peculiarities"),
            onResult: { _ in self.peculiarities = [] },
            onRow: { row in
                let kind = try row.decodeIfPresent(3, as: String.self).flatMap(IgnoredParts.Kind.init)
                let name = try row.decodeIfPresent(4, as: String.self)
                self.peculiarities.append(
                    CatalogInspection.Peculiarity(
                        table: try row.decodeIfPresent(0), isLeftOver: try row.decode(1), text: try row.decode(2),
                        part: kind.flatMap { kind in
                            name.map { CatalogInspection.Peculiarity.Part(kind: kind, name: $0) }
                        }))
            })
        return batch
    }

    var result: CatalogInspection {
        let contents = inspection[schemaName]
        return CatalogInspection(
            exists: contents != nil, definition: contents?.definition ?? DatabaseDefinition(),
            otherRelations: contents?.otherRelations ?? [:], peculiarities: peculiarities,
            uniqueColumns: contents?.uniqueColumns ?? [:], columnMarks: contents?.columnMarks ?? [:])
    }
}
