package import StrataClient
import StrataRepository

/// Tables whose owner is not that of the others: the role that migrates could not change them.
package struct OwnerInspection {
    /// `~ table trip: the owner is app, that of the others is shop`
    package private(set) var lines: [String] = []

    /// Reads the owners of a version's tables in one round trip, blocking the thread. Where all have been given another owner
    /// together, nothing is wrong.
    package init(_ version: FrozenSchema, schemaName: String, on connection: PostgresConnection) throws {
        let expected = Set(version.database.tables.map(\.name))
        var owners: [(table: String, owner: String)] = []
        let query: SQLFragment = """
            SELECT c.relname::text, pg_catalog.pg_get_userbyid(c.relowner)::text FROM pg_catalog.pg_class AS c \
            WHERE c.oid = ANY (\(SchemaObjects.of(schemaName, .relations))) AND c.relkind IN ('r', 'p') ORDER BY c.relname
            """
        try connection.run(
            PostgresBatch(try query.statement(name: "inspect owners")) { row in
                let table = try row.decode(0, as: String.self)
                if expected.contains(table) { owners.append((table, try row.decode(1, as: String.self))) }
            })
        let counts = Dictionary(owners.map { ($0.owner, 1) }, uniquingKeysWith: +)
        // Of two that own the same number of tables, the first by name is taken for the owner.
        guard let owner = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return }
        lines = owners.filter { $0.owner != owner }
            .map { "~ table \($0.table): the owner is \($0.owner), that of the others is \(owner)" }
    }
}
