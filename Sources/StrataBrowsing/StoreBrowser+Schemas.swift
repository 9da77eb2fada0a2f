import StrataClient
import StrataMigrations
import StrataRepository

extension StoreBrowser {
    /// All PostgreSQL schemas that have tables, the stores before the others, each with its classes.
    public func schemas() async throws -> [StoredSchema] {
        try await read("read the schemas of the database") { connection in
            var schemas: [StoredSchema] = []
            for name in try await Self.schemaNames(connection) {
                schemas.append(try await schema(named: name, connection))
            }
            return schemas.filter { $0.source != .tables } + schemas.filter { $0.source == .tables }
        }
    }

    /// The classes and tables of one PostgreSQL schema. Throws `notFound` where there is none of this name with tables.
    public func schema(named name: String) async throws -> StoredSchema {
        try await read("read the schema \(name)") { connection in
            guard try await Self.schemaNames(connection).contains(name) else {
                throw BrowsingError(.notFound, "There is no schema \"\(name)\" with tables in the database.")
            }
            return try await schema(named: name, connection)
        }
    }

    private static func schemaNames(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.rows(
            """
            SELECT n.nspname::text FROM pg_catalog.pg_namespace AS n WHERE n.nspname <> \(bind: LibrarySchema.name) \
            AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_' AND EXISTS (\
            SELECT FROM pg_catalog.pg_class AS c WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p')) ORDER BY 1
            """, "names of schemas"
        ) { try $0.decode(0, as: String.self) }
    }

    private func schema(named name: String, _ connection: PostgresConnection) async throws -> StoredSchema {
        let inspection = DatabaseInspection(schemas: [name])
        var batch = PostgresBatch()
        try inspection.add(to: &batch)
        try await connection.run(batch)
        let estimates = try await connection.rows(
            """
            SELECT c.relname::text, c.reltuples::bigint FROM pg_catalog.pg_class AS c \
            WHERE c.oid = ANY (\(SchemaObjects.of(name, .relations))) \
            AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            """, "estimates of rows"
        ) { (try $0.decode(0, as: String.self), try $0.decode(1, as: Int64.self)) }
        let snapshot = try await connection.rows("SELECT pg_current_snapshot()::text", "snapshot") {
            try $0.decode(0, as: String.self)
        }[0]
        return StoredSchema(
            name: name, snapshot: snapshot, database: inspection[name]?.definition ?? DatabaseDefinition(),
            estimates: Dictionary(estimates) { $1 }, models: models?.postgresSchema == name ? models?.frozen : nil,
            version: try await Self.version(of: name, connection), history: try await Self.history(of: name, connection)
        )
    }

    /// The newest version that migrations have recorded, with the frozen form where they kept one.
    static func version(
        of name: String, _ connection: PostgresConnection
    ) async throws -> (version: String, frozen: FrozenSchema?)? {
        guard try await connection.has(MigrationLedger.versions) else { return nil }
        let versions: [(version: String, frozen: FrozenSchema?)] = try await connection.rows(
            """
            SELECT version, description::text FROM \(MigrationLedger.versions) \
            WHERE schema_name = \(bind: name) ORDER BY number DESC LIMIT 1
            """, "newest version"
        ) { row in
            let text = try row.decodeIfPresent(1, as: String.self)
            // One of a newer release of Strata may say what this one does not know: the history says enough then.
            return (
                version: try row.decode(0, as: String.self),
                frozen: text.flatMap { try? FrozenSchema(canonicalJSON: $0, file: MigrationLedger.versions.name) }
            )
        }
        return versions.first
    }

    private static func history(
        of name: String, _ connection: PostgresConnection
    ) async throws -> HistoryDescription? {
        guard try await connection.has(LibrarySchema.store, HistorySchema.description) else { return nil }
        return try await connection.rows(
            """
            SELECT d.current::text FROM \(HistorySchema.description) AS d JOIN \(LibrarySchema.store) AS s \
            ON s.number = d.store WHERE s.schema_name = \(bind: name)
            """, "description of the history"
        ) { try HistoryDescription(json: try $0.decode(0)) }.first
    }
}
