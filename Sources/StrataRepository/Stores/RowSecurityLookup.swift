package import StrataClient
import StrataModels

/// Asks whether the server would hide rows of the tables of tenants from the role that is connected (PostgreSQL manual, 5.8): not from a superuser, a role
/// with BYPASSRLS, nor where a table has no policy.
package struct RowSecurityLookup: StoreOperation {
    /// What the server says of the role.
    package struct Answer: Sendable {
        package var role = ""
        /// Whether it is a superuser, or has BYPASSRLS.
        package var isExempt = false
        /// The tables whose rows are hidden from it, and those whose rows are not.
        package var hidden: [String] = []
        package var shown: [String] = []
        /// The views that show what their owners may see, and not their readers.
        package var views: [String] = []
    }

    private final class Found { var answer = Answer() }

    private let schemaName: String
    private let tables: [String]
    private let views: [String]
    private let found = Found()
    private var isSent = false

    package init(_ mapping: StoreMapping) {
        schemaName = mapping.schemaName
        tables =
            mapping.entities.filter { $0.descriptor.tenant != nil && !$0.isView }.map(\.table.name)
            + mapping.joinTables.filter { $0.first.descriptor.tenant != nil }.map(\.table.name)
        views = mapping.entities.filter(\.isView).map(\.table.name)
    }

    package var answer: Answer { found.answer }

    package mutating func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        let found = found
        let active: SQLFragment = """
            ARRAY(SELECT c.relname::text FROM pg_catalog.pg_class AS c \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = \(bind: schemaName) AND c.relname = ANY (\(bind: tables)) \
            AND pg_catalog.row_security_active(c.oid)
            """
        let query: SQLFragment = """
            SELECT current_user::text, r.rolsuper OR r.rolbypassrls, \(active) ORDER BY c.relname), \
            ARRAY(SELECT c.relname::text FROM pg_catalog.pg_class AS c \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = \(bind: schemaName) AND c.relname = ANY (\(bind: views)) AND c.relkind = 'v' AND NOT EXISTS (\
            SELECT FROM pg_catalog.pg_options_to_table(c.reloptions) AS o \
            WHERE o.option_name = 'security_invoker' AND o.option_value::boolean) ORDER BY c.relname) \
            FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user
            """
        let tables = tables
        return PostgresBatch(try query.statement(name: "look whether policies are followed")) { row in
            let hidden = try row.decode(2, as: [String].self)
            found.answer = Answer(
                role: try row.decode(0), isExempt: try row.decode(1), hidden: hidden,
                shown: tables.filter { !hidden.contains($0) }.sorted(), views: try row.decode(3))
        }
    }
}
