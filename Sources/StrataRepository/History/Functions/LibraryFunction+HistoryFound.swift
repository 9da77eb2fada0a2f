extension LibraryFunction {
    /// The history's triggers as they are.
    package static let historyFound = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_found"(namespace oid)
        RETURNS TABLE (relation oid, table_name text, trigger_name text, function_name text, type integer, columns text[],
            has_tables boolean, enabled text)
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            -- An array, and no join: each of its members is looked up, whatever the planner believes of the catalogs' sizes.
            relations oid[] := "strata"."history_objects"(namespace, 'pg_class');
        BEGIN
            RETURN QUERY
            SELECT c.oid, c.relname::text, t.tgname::text,
                CASE WHEN p.pronamespace = namespace THEN p.proname::text ELSE p.oid::regprocedure::text END, t.tgtype::integer,
                ARRAY(SELECT a.attname::text FROM pg_attribute AS a
                    WHERE a.attrelid = c.oid AND a.attnum = ANY (t.tgattr) ORDER BY a.attname),
                t.tgqual IS NULL AND t.tgnargs = 0
                    AND t.tgoldtable IS NOT DISTINCT FROM CASE WHEN t.tgtype IN (8, 16) THEN 'o'::name END
                    AND t.tgnewtable IS NOT DISTINCT FROM CASE WHEN t.tgtype IN (4, 16) THEN 'n'::name END,
                t.tgenabled::text
            FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_proc AS p ON p.oid = t.tgfoid
            WHERE t.tgrelid = ANY (relations) AND t.tgname LIKE 'strata\_history\_%' AND NOT t.tgisinternal
                AND t.tgparentid = 0;
        END
        $function$
        """#)
}
