import StrataClient

/// What a PostgreSQL schema holds of one catalog, as a piece of a query.
///
/// `pg_class`, `pg_proc` and the others have no index by schema: a query by `relnamespace` alone reads what all schemas of the database hold. But
/// whatever is in a schema depends on it, and `pg_depend` has an index by what is depended on. Indexes, TOAST tables and row types are not
/// among it: they depend on their tables.
package enum SchemaObjects {
    package enum Catalog: String {
        case relations = "pg_class"
        case functions = "pg_proc"
    }

    /// An array of identifiers, for `oid = ANY (…)`. An array, and no join: each of its members is looked up, whatever the planner believes of
    /// the catalogs' sizes.
    package static func of(_ schemaName: String, _ catalog: Catalog) -> SQLFragment {
        identifiers(of: catalog, where: "= \(bind: schemaName)")
    }

    /// The same for a text with parameters.
    ///
    /// - Parameter schemas: what the name of a schema has to be: `= $1::text`.
    package static func text(_ catalog: Catalog, where schemas: String) -> String {
        identifiers(of: catalog, where: SQLFragment(schemas)).text
    }

    private static func identifiers(of catalog: Catalog, where schemas: SQLFragment) -> SQLFragment {
        """
        ARRAY(SELECT o.objid FROM pg_catalog.pg_depend AS o JOIN pg_catalog.pg_namespace AS s ON s.oid = o.refobjid \
        WHERE o.refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass \
        AND o.classid = 'pg_catalog.\(raw: catalog.rawValue)'::pg_catalog.regclass AND s.nspname \(schemas))
        """
    }
}
