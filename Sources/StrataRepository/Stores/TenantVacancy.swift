package import StrataClient
import StrataModels

/// Whether a PostgreSQL schema is free for a new tenant: it has no tables, and no store is recorded in it. Asked under the lock of creators.
package final class TenantVacancy {
    private let schemaName: String
    private var hasTables = false
    private var hasRow = false

    package init(_ schemaName: String) {
        self.schemaName = schemaName
    }

    /// Whether somebody's tables or record are there.
    package var isTaken: Bool { hasTables || hasRow }

    /// What is there, for an error.
    package var reason: String {
        hasTables ? "the PostgreSQL schema \"\(schemaName)\" has tables" : "a store is recorded in \"\(schemaName)\""
    }

    /// - Parameter hasStores: whether the table of stores is there to be asked.
    package func addReading(to batch: inout PostgresBatch, hasStores: Bool) throws {
        var query: SQLFragment = """
            SELECT EXISTS (SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = \(bind: schemaName) AND c.oid = ANY (\(SchemaObjects.of(schemaName, .relations))) \
            AND c.relkind IN ('r', 'p', 'v', 'm', 'f'))
            """
        if hasStores {
            query.append(
                ", EXISTS (SELECT FROM \(LibrarySchema.store) AS s WHERE s.schema_name = \(bind: schemaName))")
        } else {
            query.append(", false")
        }
        batch.add(
            try query.statement(name: "look whether the tenant is new"),
            onRow: { row in
                self.hasTables = try row.decode(0)
                self.hasRow = try row.decode(1)
            })
    }
}
