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

    private let tables: [TableName]
    private let views: [TableName]
    private let found = Found()
    private var isSent = false

    package init(_ mapping: StoreMapping) {
        tables =
            mapping.entities.filter { $0.descriptor.tenant != nil && !$0.isView }.map(\.table)
            + mapping.joinTables.filter { $0.first.descriptor.tenant != nil }.map(\.table)
        views = mapping.entities.filter(\.isView).map(\.table)
    }

    package var answer: Answer { found.answer }

    package mutating func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        let found = found
        let query: SQLFragment = """
            SELECT current_user::text, r.rolsuper OR r.rolbypassrls, \
            ARRAY(SELECT w.place \(Self.relations(tables)) WHERE pg_catalog.row_security_active(c.oid) ORDER BY c.relname), \
            ARRAY(SELECT w.place \(Self.relations(views)) WHERE c.relkind = 'v' AND NOT EXISTS (\
            SELECT FROM pg_catalog.pg_options_to_table(c.reloptions) AS o \
            WHERE o.option_name = 'security_invoker' AND o.option_value::boolean) ORDER BY c.relname) \
            FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user
            """
        let (tables, views) = (tables, views)
        return PostgresBatch(try query.statement(name: "look whether policies are followed")) { row in
            let hidden = try row.decode(2, as: [Int64].self).map { tables[Int($0) - 1] }
            found.answer = Answer(
                role: try row.decode(0), isExempt: try row.decode(1), hidden: hidden.map(\.name),
                shown: tables.filter { !hidden.contains($0) }.map(\.name).sorted(),
                views: try row.decode(3, as: [Int64].self).map { views[Int($0) - 1].name })
        }
    }

    /// Those of the relations that are there, as `c`, each with its place in the list.
    private static func relations(_ list: [TableName]) -> SQLFragment {
        """
        FROM unnest(\(bind: list.map(\.schema)), \(bind: list.map(\.name))) WITH ORDINALITY AS w (schema, name, place) \
        JOIN pg_catalog.pg_namespace AS n ON n.nspname = w.schema \
        JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = w.name
        """
    }
}
