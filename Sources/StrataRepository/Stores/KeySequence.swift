package import StrataClient

/// The sequence that gives keys to rows of somebody else's table.
package enum KeySequence {
    /// Looked up each time: one that was made anew in the meantime has another identifier. Two ways lead to it (manual, 53.13): a column's default
    /// asks it, or an identity column has it.
    private static let next = PreparedSQL(
        """
        WITH key AS MATERIALIZED (
            SELECT coalesce(
                (SELECT s.oid FROM pg_catalog.pg_attrdef d
                 JOIN pg_catalog.pg_depend p ON p.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND p.objid = d.oid
                     AND p.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
                 JOIN pg_catalog.pg_class s ON s.oid = p.refobjid AND s.relkind = 'S'
                 WHERE d.adrelid = c.oid AND d.adnum = a.attnum LIMIT 1),
                (SELECT s.oid FROM pg_catalog.pg_depend p
                 JOIN pg_catalog.pg_class s ON s.oid = p.objid AND s.relkind = 'S'
                 WHERE p.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
                     AND p.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND p.refobjid = c.oid
                     AND p.refobjsubid = a.attnum AND p.deptype = 'i' AND a.attidentity <> '' LIMIT 1)) AS sequence
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = $3::text AND a.attnum > 0
            WHERE n.nspname = $1::text AND c.relname = $2::text AND c.relkind IN ('r', 'p'))
        SELECT pg_catalog.nextval(key.sequence::pg_catalog.regclass) FROM key
        CROSS JOIN pg_catalog.generate_series(1, $4::integer) WHERE key.sequence IS NOT NULL
        """)

    /// Takes so many keys for new rows of a class's table; each is handed to the closure. None where the column has no sequence any more.
    package static func taking(_ count: Int32, for root: EntityMapping, _ take: @escaping (Int64) -> Void) throws
        -> PostgresBatch
    {
        var parameters = try PostgresParameters(root.table.schema, root.table.name, root.key.first)
        try parameters.append(count)
        let statement = PostgresStatement(next, parameters: parameters, name: "take keys of a sequence")
        return PostgresBatch(statement) { row in take(try row.decode(0, as: Int64.self)) }
    }
}
