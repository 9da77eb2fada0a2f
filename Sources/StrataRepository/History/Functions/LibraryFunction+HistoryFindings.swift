extension LibraryFunction {
    /// What is wrong with the triggers and functions of a schema's history; no rows when all is well.
    package static let historyFindings = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_findings"(schema_name text)
        RETURNS TABLE (relation text, name text, problem text)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        SET plan_cache_mode = force_generic_plan AS $function$
        DECLARE
            namespace oid := (SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = schema_name);
            expected jsonb := (
                SELECT coalesce(jsonb_agg(to_jsonb(e)), '[]') FROM "strata"."history_expected"(schema_name) AS e);
            functions oid[] := "strata"."history_objects"(namespace, 'pg_proc');
        BEGIN
            IF NOT EXISTS (
                SELECT FROM "strata"."store" AS s JOIN "strata"."history_description" AS d ON d."store" = s."number"
                WHERE s."schema_name" = history_findings.schema_name)
            THEN
                RETURN QUERY SELECT NULL::text, schema_name, 'undescribed'::text;
                RETURN;
            END IF;
            RETURN QUERY
            SELECT e ->> 'table_name', e ->> 'function_name', CASE
                WHEN p.oid IS NULL THEN 'missing'
                WHEN p.prosrc <> e ->> 'body' OR NOT p.prosecdef
                    OR p.proconfig IS DISTINCT FROM ARRAY['search_path=pg_catalog, pg_temp'] THEN 'stale'
                WHEN NOT pg_has_role(p.proowner, c.relowner, 'USAGE') THEN 'foreign'
                ELSE 'powerless' END
            FROM jsonb_array_elements(expected) AS e
            JOIN pg_class AS c ON c.oid = (e ->> 'relation')::oid
            LEFT JOIN pg_proc AS p ON p.oid = ANY (functions) AND p.proname = e ->> 'function_name'
            WHERE p.oid IS NULL OR p.prosrc <> e ->> 'body' OR NOT p.prosecdef
                OR p.proconfig IS DISTINCT FROM ARRAY['search_path=pg_catalog, pg_temp']
                OR NOT pg_has_role(p.proowner, c.relowner, 'USAGE')
                OR NOT has_table_privilege(p.proowner, 'strata.history_change', 'INSERT')
                OR NOT has_table_privilege(p.proowner, 'strata.history_transaction', 'INSERT')
                OR NOT has_sequence_privilege(p.proowner, 'strata.history_change_seq', 'USAGE');
            RETURN QUERY
            SELECT coalesce(t.table_name, g.table_name), coalesce(t.trigger_name, g.trigger_name), CASE
                WHEN t.trigger_name IS NULL THEN 'superfluous'
                WHEN g.trigger_name IS NULL THEN 'missing'
                WHEN g.enabled = 'D' THEN 'disabled'
                ELSE 'stale' END
            FROM "strata"."history_triggers"(schema_name, expected) AS t
            FULL JOIN "strata"."history_found"(namespace) AS g
                ON g.table_name = t.table_name AND g.trigger_name = t.trigger_name
            WHERE t.trigger_name IS NULL OR g.trigger_name IS NULL OR g.enabled <> 'O' OR g.function_name <> t.function_name
                OR g.type <> t.type OR to_jsonb(g.columns) <> t.columns OR NOT g.has_tables;
            RETURN QUERY
            SELECT NULL::text, 'history_change_seq'::text, 'cached'::text
            FROM pg_sequence AS s
            WHERE s.seqrelid = 'strata.history_change_seq'::regclass AND (s.seqcache <> 1 OR s.seqcycle OR s.seqincrement <> 1);
        END
        $function$
        """#)
}
