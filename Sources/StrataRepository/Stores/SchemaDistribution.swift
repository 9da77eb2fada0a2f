package import StrataClient

/// Brings a PostgreSQL schema with its tables to a worker of Citus: schema-based sharding, of Citus 12 and later.
package struct SchemaDistribution: StoreOperation, Sendable {
    private let schemaName: String
    private var isSent = false

    package init(_ schemaName: String) { self.schemaName = schemaName }

    /// The statement, for a person.
    package var sql: String {
        "SELECT citus_schema_distribute(\(SQLFragment.literal(SQLFragment.quoted(schemaName))))"
    }

    package mutating func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        let query: SQLFragment =
            "SELECT \"pg_catalog\".\"citus_schema_distribute\"((\(bind: SQLFragment.quoted(schemaName))::text)::regnamespace)"
        return PostgresBatch(try query.statement(name: "distribute the tenant's schema"))
    }
}
