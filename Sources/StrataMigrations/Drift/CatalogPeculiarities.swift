import StrataClient
import StrataRepository

/// Asks the system catalogs (manual, chapter 53) for what no schema asks for.
enum CatalogPeculiarities {
    private static let relations = SchemaObjects.text(.relations, where: "= $1::text")

    /// Table or view, whether a migration left it behind, the line, and what it is about within the table, for one schema (`$1`).
    static let query = PreparedSQL(
        """
        WITH own AS (
            SELECT c.oid, c.relname::text AS name, c.relkind, c.relpersistence, c.relrowsecurity
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1::text AND c.oid = ANY (\(relations)) AND c.relkind IN ('r', 'p')
                AND NOT c.relispartition
        ), line (table_name, is_left_over, kind, part, line) AS (
            SELECT own.name, false, 'constraint', c.conname::text, k.word || ' ' || own.name || '.' || c.conname || ': is NOT VALID'
            FROM own JOIN pg_catalog.pg_constraint c ON c.conrelid = own.oid
            JOIN (VALUES ('f', 'foreign key'), ('c', 'check'), ('n', 'not-null constraint')) k (kind, word)
                ON k.kind = c.contype::text
            WHERE NOT c.convalidated
        UNION ALL
            SELECT own.name, false, 'index', i.relname::text, 'index ' || own.name || '.' || i.relname || ': is not valid (its building failed, or goes on)'
            FROM own JOIN pg_catalog.pg_index x ON x.indrelid = own.oid JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
            WHERE NOT x.indisvalid
        UNION ALL
            SELECT own.name, true, NULL, NULL, 'trigger ' || own.name || '.' || t.tgname || ' is left over from a migration'
            FROM own JOIN pg_catalog.pg_trigger t ON t.tgrelid = own.oid
            WHERE NOT t.tgisinternal AND t.tgname LIKE 'strata\\_%' AND t.tgname NOT LIKE 'strata\\_history\\_%'
        UNION ALL
            SELECT NULL, true, NULL, NULL, 'function ' || p.proname || ' is left over from a migration'
            FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
            WHERE n.nspname = $1::text AND p.oid = ANY (\(SchemaObjects.text(.functions, where: "= $1::text")))
                AND p.proname LIKE 'strata\\_%' AND p.proname NOT LIKE 'strata\\_history\\_%'
        UNION ALL
            SELECT DISTINCT own.name, false, NULL, NULL, 'table ' || own.name || ': triggers that check foreign keys are disabled'
            FROM own JOIN pg_catalog.pg_trigger t ON t.tgrelid = own.oid
            WHERE t.tgisinternal AND t.tgenabled <> 'O'
        UNION ALL
            SELECT own.name, false, 'constraint', c.conname::text, 'foreign key ' || own.name || '.' || c.conname || ': is ' || concat_ws(
                ', ', CASE WHEN c.confupdtype <> 'a' THEN 'ON UPDATE with an action' END,
                CASE WHEN c.condeferrable THEN 'DEFERRABLE' END, CASE WHEN c.confmatchtype <> 's' THEN 'MATCH FULL' END)
            FROM own JOIN pg_catalog.pg_constraint c ON c.conrelid = own.oid
            WHERE c.contype = 'f' AND (c.confupdtype <> 'a' OR c.condeferrable OR c.confmatchtype <> 's')
        UNION ALL
            SELECT own.name, false, 'constraint', c.conname::text, 'constraint ' || own.name || '.' || c.conname || ': is INITIALLY DEFERRED'
            FROM own JOIN pg_catalog.pg_constraint c ON c.conrelid = own.oid
            WHERE c.contype = 'p' AND c.condeferred
        UNION ALL
            SELECT own.name, false, 'constraint', c.conname::text, 'constraint ' || own.name || '.' || c.conname || ': is an exclusion constraint'
            FROM own JOIN pg_catalog.pg_constraint c ON c.conrelid = own.oid
            WHERE c.contype = 'x'
        UNION ALL
            SELECT own.name, false, 'index', i.relname::text, 'index ' || own.name || '.' || i.relname || ': has ' || o.what
            FROM own JOIN pg_catalog.pg_index x ON x.indrelid = own.oid JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
                JOIN pg_catalog.pg_am m ON m.oid = i.relam
            CROSS JOIN LATERAL (
                SELECT concat_ws(
                    ', ',
                    CASE WHEN \(CatalogQueries.operatorClass) IS NULL AND EXISTS (
                        SELECT FROM unnest(x.indclass) u (class) JOIN pg_catalog.pg_opclass p ON p.oid = u.class
                        WHERE NOT p.opcdefault AND NOT (
                            p.opcname = '\(TrigramIndex.operatorClass)'
                            AND coalesce(pg_catalog.pg_get_expr(x.indexprs, x.indrelid), '') LIKE 'translate(%NORMALIZE(%, NFD)%'))
                        THEN 'an operator class' END,
                    CASE WHEN EXISTS (
                        SELECT FROM unnest(x.indkey::int2[], x.indcollation::oid[]) u (number, sorting)
                        JOIN pg_catalog.pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = u.number
                        WHERE u.sorting <> 0 AND u.sorting <> a.attcollation) THEN 'a collation' END) AS what
                ) o
            WHERE o.what <> ''
        UNION ALL
            SELECT own.name, false, NULL, NULL, 'table ' || own.name || ': is ' || o.what
            FROM own CROSS JOIN LATERAL (
                SELECT concat_ws(
                    ', ', CASE WHEN own.relpersistence <> 'p' THEN 'UNLOGGED' END,
                    -- What is divided by ranges of one column has a word for it.
                    CASE WHEN own.relkind = 'p' AND NOT EXISTS (
                        SELECT FROM pg_catalog.pg_partitioned_table o
                        WHERE o.partrelid = own.oid AND o.partstrat = 'r' AND o.partnatts = 1 AND o.partattrs[0] <> 0)
                        THEN 'partitioned' END,
                    CASE WHEN own.relrowsecurity AND NOT EXISTS (
                        SELECT FROM pg_catalog.pg_policy l WHERE l.polrelid = own.oid AND l.polname = '\(RowPolicyDefinition.name)')
                        THEN 'under row-level security' END,
                    CASE WHEN EXISTS (
                        SELECT FROM pg_catalog.pg_inherits h WHERE h.inhrelid = own.oid) THEN 'in inheritance' END) AS what
                ) o
            WHERE o.what <> ''
        UNION ALL
            SELECT own.name, false, NULL, NULL, 'table ' || own.name || ': has the rule ' || r.rulename
            FROM own JOIN pg_catalog.pg_rewrite r ON r.ev_class = own.oid
        )
        SELECT table_name, is_left_over, line, kind, part FROM line ORDER BY table_name, line
        """)
}
