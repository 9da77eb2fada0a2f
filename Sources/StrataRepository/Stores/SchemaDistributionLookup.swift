package import StrataClient

/// Whether a server can distribute schemas: whether it is the coordinator of a Citus of version 12 or later (``SchemaDistribution``).
package struct SchemaDistributionLookup: StoreOperation {
    private let found = Found()
    private var isSent = false

    private final class Found {
        var isThere = false
    }

    package init() {}

    package var isThere: Bool { found.isThere }

    package mutating func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        let query: SQLFragment =
            "SELECT pg_catalog.to_regprocedure('pg_catalog.citus_schema_distribute(regnamespace)') IS NOT NULL"
        let found = found
        return PostgresBatch(try query.statement(name: "look for Citus").storingNothing) {
            found.isThere = try $0.decode(0, as: Bool.self)
        }
    }
}
