import StrataClient

/// What ``DatabaseInspection`` asks the system catalogs (manual, chapter 53). Each takes the names of schemas as `$1`.
package enum CatalogQueries {
    /// What each domain of a column is made of, which may be a domain too, down to a type that is none.
    private static func domains(_ relations: String) -> String {
        """
        WITH RECURSIVE used AS (
            SELECT DISTINCT a.atttypid AS type FROM pg_catalog.pg_attribute a
            WHERE a.attrelid = ANY (\(relations)) AND a.attnum > 0 AND NOT a.attisdropped),
        steps (domain, type, modifier, is_required) AS (
            SELECT t.oid, t.typbasetype, t.typtypmod, t.typnotnull
            FROM used u JOIN pg_catalog.pg_type t ON t.oid = u.type AND t.typtype = 'd'
            UNION ALL
            SELECT s.domain, t.typbasetype, t.typtypmod, s.is_required OR t.typnotnull
            FROM steps s JOIN pg_catalog.pg_type t ON t.oid = s.type AND t.typtype = 'd'),
        domains AS (
            SELECT s.* FROM steps s JOIN pg_catalog.pg_type t ON t.oid = s.type AND t.typtype <> 'd')
        """
    }

    private static let relations = SchemaObjects.text(.relations, where: "= ANY ($1::text[])")

    /// Every relation with its columns, but for those of partitions, which are their table's; a schema without relations still yields a row.
    static let columns = PreparedSQL(
        """
        \(domains(relations))
        SELECT n.nspname::text, c.relname::text, CASE WHEN c.relispartition THEN 'partition' ELSE c.relkind::text END, a.attname::text,
            pg_catalog.format_type(
                coalesce(m.type, a.atttypid), CASE WHEN m.type IS NULL THEN a.atttypmod ELSE m.modifier END),
            a.attnotnull OR coalesce(m.is_required, false),
            CASE WHEN a.attcollation <> t.typcollation THEN l.collname::text END,
            pg_catalog.pg_get_expr(d.adbin, d.adrelid),
            a.attidentity::text, s.seqmin, s.seqmax, a.attgenerated <> '',
            CASE WHEN a.attstorage <> t.typstorage THEN a.attstorage::text END,
            CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.obj_description(c.oid, 'pg_class') END,
            l.collisdeterministic IS FALSE,
            CASE WHEN c.relkind = 'p' THEN (
                SELECT k.attname::text FROM pg_catalog.pg_partitioned_table o
                JOIN pg_catalog.pg_attribute k ON k.attrelid = o.partrelid AND k.attnum = o.partattrs[0]
                WHERE o.partrelid = c.oid AND o.partstrat = 'r' AND o.partnatts = 1) END,
            c.relkind = 'v' AND EXISTS (
                SELECT FROM pg_catalog.pg_options_to_table(c.reloptions) AS o
                WHERE o.option_name = 'security_invoker' AND o.option_value::boolean),
            CASE WHEN a.attgenerated <> '' THEN pg_catalog.col_description(c.oid, a.attnum) END
        FROM pg_catalog.pg_namespace n
        LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.oid = ANY (\(relations))
            AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        LEFT JOIN pg_catalog.pg_attribute a
            ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm')
            AND NOT c.relispartition
        LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN domains m ON m.domain = a.atttypid
        LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
        LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
        LEFT JOIN pg_catalog.pg_depend p
            ON p.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND p.refobjid = c.oid
            AND p.refobjsubid = a.attnum AND p.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
            AND p.deptype = 'i' AND a.attidentity <> ''
        LEFT JOIN pg_catalog.pg_sequence s ON s.seqrelid = p.objid
        WHERE n.nspname = ANY ($1::text[])
        ORDER BY n.nspname, c.relname, a.attnum
        """)

    /// The type of every column of the schemas' tables, as the server sends it: of a domain, what it is made of in the end.
    static let columnTypes = PreparedSQL(
        """
        \(domains(relations))
        SELECT n.nspname::text, c.relname::text, a.attname::text, coalesce(m.type, a.atttypid)::bigint
        FROM pg_catalog.pg_namespace n
        JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN domains m ON m.domain = a.atttypid
        WHERE n.nspname = ANY ($1::text[]) AND c.oid = ANY (\(relations))
        """)

    /// Primary keys, unique constraints, foreign keys and checks. Whether NULL equals NULL, and what SET NULL empties, are no columns before PostgreSQL 15.
    static let constraints = PreparedSQL(
        """
        SELECT n.nspname::text, c.relname::text, k.conname::text, k.contype::text,
            ARRAY(
                SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u (number, place)
                JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number ORDER BY u.place),
            fn.nspname::text, f.relname::text,
            ARRAY(
                SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u (number, place)
                JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number ORDER BY u.place),
            k.confdeltype::text, k.condeferrable,
            CASE WHEN k.contype = 'c' THEN pg_catalog.pg_get_expr(k.conbin, k.conrelid) END, k.condeferred,
            coalesce((pg_catalog.to_jsonb(x) ->> 'indnullsnotdistinct')::boolean, false),
            (SELECT pg_catalog.array_agg(a.attname::text ORDER BY u.place)
                FROM pg_catalog.jsonb_array_elements_text(
                    CASE WHEN k.contype = 'f' THEN nullif(pg_catalog.to_jsonb(k) -> 'confdelsetcols', 'null') END)
                    WITH ORDINALITY AS u (number, place)
                JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number::smallint)
        FROM pg_catalog.pg_constraint k
        LEFT JOIN pg_catalog.pg_index x ON x.indexrelid = k.conindid AND k.contype = 'u'
        JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_catalog.pg_class f ON f.oid = k.confrelid
        LEFT JOIN pg_catalog.pg_namespace fn ON fn.oid = f.relnamespace
        WHERE n.nspname = ANY ($1::text[]) AND c.oid = ANY (\(relations)) AND k.contype IN ('p', 'u', 'f', 'c')
            AND NOT c.relispartition AND (k.contype <> 'f' OR k.conparentid = 0)
        ORDER BY n.nspname, c.relname, k.conname
        """)

    /// The operator class of all keys of an index `x`, where the method `m` would choose another one. That of a B-tree and of a hash says how texts
    /// are compared: it is a peculiarity.
    package static let operatorClass = """
        CASE WHEN m.amname NOT IN ('btree', 'hash') THEN (
            SELECT min(o.opcname::text) FROM unnest(x.indclass) u (class) JOIN pg_catalog.pg_opclass o ON o.oid = u.class
            HAVING count(DISTINCT o.oid) = 1 AND NOT bool_or(o.opcdefault)) END
        """

    /// Indexes that no constraint brought with it, and that are ready to be used: of tables and of materialized views.
    static let indexes = PreparedSQL(
        """
        SELECT n.nspname::text, c.relname::text, i.relname::text, m.amname::text,
            ARRAY(
                SELECT coalesce(a.attname::text, pg_catalog.pg_get_indexdef(x.indexrelid, u.place::int, true))
                FROM unnest(x.indkey) WITH ORDINALITY AS u (number, place)
                LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = u.number
                WHERE u.place <= x.indnkeyatts ORDER BY u.place),
            x.indisunique, pg_catalog.pg_get_expr(x.indpred, x.indrelid),
            ARRAY(
                SELECT u.flags::bigint + CASE WHEN u.sorting = 'pg_catalog."C"'::pg_catalog.regcollation THEN 4 ELSE 0 END
                FROM unnest(x.indoption::int2[], x.indcollation::oid[]) WITH ORDINALITY AS u (flags, sorting, place)
                ORDER BY u.place),
            ARRAY(
                SELECT a.attname::text FROM unnest(x.indkey) WITH ORDINALITY AS u (number, place)
                JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = u.number
                WHERE u.place > x.indnkeyatts ORDER BY u.place),
            coalesce((pg_catalog.to_jsonb(x) ->> 'indnullsnotdistinct')::boolean, false),
            \(operatorClass)
        FROM pg_catalog.pg_index x
        JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
        JOIN pg_catalog.pg_am m ON m.oid = i.relam
        JOIN pg_catalog.pg_class c ON c.oid = x.indrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = ANY ($1::text[]) AND c.oid = ANY (\(relations)) AND c.relkind IN ('r', 'p', 'm') AND x.indisvalid
            AND NOT c.relispartition
            AND NOT EXISTS (
                SELECT FROM pg_catalog.pg_constraint k
                WHERE k.conindid = x.indexrelid AND k.conrelid = x.indrelid AND k.contype IN ('p', 'u', 'x'))
        ORDER BY n.nspname, c.relname, i.relname
        """)

    /// The policies of tenants' rows, and whether nothing lets more rows through: they are followed, by the owner too, in all commands and by all
    /// roles, and no other policy permits what they do not.
    static let policies = PreparedSQL(
        """
        SELECT n.nspname::text, c.relname::text, pg_catalog.pg_get_expr(p.polqual, p.polrelid),
            pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid),
            c.relrowsecurity AND c.relforcerowsecurity AND p.polpermissive AND p.polcmd = '*' AND p.polroles = '{0}'::oid[]
                AND NOT EXISTS (
                    SELECT FROM pg_catalog.pg_policy o WHERE o.polrelid = c.oid AND o.oid <> p.oid AND o.polpermissive)
        FROM pg_catalog.pg_policy p
        JOIN pg_catalog.pg_class c ON c.oid = p.polrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = ANY ($1::text[]) AND c.oid = ANY (\(relations)) AND p.polname = '\(RowPolicyDefinition.name)'
            AND p.polqual IS NOT NULL
        ORDER BY n.nspname, c.relname
        """)

    /// Sequences that belong to no identity column.
    static let sequences = PreparedSQL(
        """
        SELECT n.nspname::text, c.relname::text, s.seqstart, s.seqmin, s.seqmax
        FROM pg_catalog.pg_sequence s
        JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = ANY ($1::text[]) AND c.oid = ANY (\(relations))
            AND NOT EXISTS (
                SELECT FROM pg_catalog.pg_depend p
                WHERE p.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND p.objid = c.oid AND p.deptype = 'i')
        ORDER BY n.nspname, c.relname
        """)
}
