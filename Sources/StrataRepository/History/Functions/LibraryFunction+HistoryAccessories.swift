extension LibraryFunction {
    /// What somebody has added to the tables of the history that their parts would not have; `NULL` for nothing.
    package static let historyAccessories = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_accessories"()
        RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $function$
            WITH tables AS (
                SELECT c.oid, c.relname, c.relrowsecurity FROM pg_class AS c
                WHERE c.oid IN ('strata.history_transaction'::regclass, 'strata.history_change'::regclass))
            SELECT string_agg(a.name, ', ' ORDER BY a.name) FROM (
                SELECT 'row security of ' || t.relname FROM tables AS t WHERE t.relrowsecurity
                UNION SELECT 'the trigger ' || g.tgname FROM tables AS t JOIN pg_trigger AS g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal
                UNION SELECT 'rights on columns of ' || t.relname FROM tables AS t JOIN pg_attribute AS c ON c.attrelid = t.oid
                    WHERE c.attacl IS NOT NULL
                UNION SELECT 'the index ' || x.indexrelid::regclass FROM tables AS t JOIN pg_index AS x ON x.indrelid = t.oid
                    WHERE NOT x.indisprimary
                UNION SELECT 'the view ' || r.ev_class::regclass FROM tables AS t
                    JOIN pg_depend AS d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = t.oid AND d.classid = 'pg_rewrite'::regclass
                    JOIN pg_rewrite AS r ON r.oid = d.objid
                UNION SELECT 'the publication ' || p.pubname FROM tables AS t JOIN pg_publication_rel AS l ON l.prrelid = t.oid
                    JOIN pg_publication AS p ON p.oid = l.prpubid) AS a (name)
        $function$
        """#)
}
