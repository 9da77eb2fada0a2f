import StrataRepository

extension RunnerSession {
    /// Whether the schema is one that Citus has brought to a worker (schema-based sharding). One round trip; two where Citus is there.
    func isDistributed() throws -> Bool {
        guard try isTrue("SELECT pg_catalog.to_regclass('pg_catalog.pg_dist_schema') IS NOT NULL") else { return false }
        let schemas = try rows(
            """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_schema \
            WHERE schemaid = pg_catalog.to_regnamespace(pg_catalog.quote_ident(\(bind: schemaName))))
            """ as SQLFragment
        ) { try $0.decode(0, as: Bool.self) }
        return schemas.first ?? false
    }
}
