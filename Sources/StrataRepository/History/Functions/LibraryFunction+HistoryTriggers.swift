extension LibraryFunction {
    /// The triggers that belong to expected trigger functions.
    package static let historyTriggers = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_triggers"(schema_name text, expected jsonb)
        RETURNS TABLE (table_name text, trigger_name text, function_name text, clause text, type integer, columns jsonb)
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            -- `type` is pg_trigger.tgtype: 2 before, 4 insert, 8 delete, 16 update, 32 truncate; 1 would be FOR EACH ROW.
            RETURN QUERY
            SELECT e ->> 'table_name', v.name, e ->> 'function_name',
                v.event || format(' ON %I.%I', schema_name, e ->> 'table_name') || v.tables, v.type, v.columns
            FROM jsonb_array_elements(expected) AS e
            CROSS JOIN LATERAL (VALUES
                ('strata_history_insert', 'AFTER INSERT', ' REFERENCING NEW TABLE AS n', 4, '[]'::jsonb),
                ('strata_history_update', 'AFTER UPDATE', ' REFERENCING OLD TABLE AS o NEW TABLE AS n', 16, '[]'),
                ('strata_history_delete', 'AFTER DELETE', ' REFERENCING OLD TABLE AS o', 8, '[]'),
                ('strata_history_truncate', 'BEFORE TRUNCATE', '', 34, '[]'),
                ('strata_history_wide', 'BEFORE UPDATE OF ' || (
                    SELECT string_agg(quote_ident(w), ', ') FROM jsonb_array_elements_text(e -> 'wide') AS w),
                    '', 18, e -> 'wide')
            ) AS v (name, event, tables, type, columns)
            WHERE v.event IS NOT NULL;
        END
        $function$
        """#)
}
