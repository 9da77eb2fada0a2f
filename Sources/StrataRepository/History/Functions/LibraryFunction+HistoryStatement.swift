extension LibraryFunction {
    /// The statement by which a trigger records changes, from what it selects.
    package static let historyStatement = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_statement"(store_number integer, columns text, selection text)
        RETURNS text LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            -- One statement for the changes and the header of their transaction: each statement of a trigger has its price. The
            -- header comes only with a change, and only once.
            RETURN format(E'\n'
                '        WITH s AS (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = %1$s),\n'
                '        r AS (\n'
                '            INSERT INTO "strata"."history_change" ("xid", "generation", %2$s)\n'
                '            SELECT pg_current_xact_id(), (SELECT s."generation" FROM s), %3$s\n'
                '            RETURNING 1)\n'
                '        INSERT INTO "strata"."history_transaction"\n'
                '            ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")\n'
                '        SELECT %1$s, s."generation", pg_current_xact_id(), nullif(current_setting(''strata.author'', true), ''''),\n'
                '            session_user, nullif(current_setting(''role''), ''none''),\n'
                '            nullif(current_setting(''application_name''), ''''),\n'
                '            nullif(current_setting(''strata.process'', true), ''''),\n'
                '            nullif(current_setting(''strata.context'', true), '''')\n'
                '        FROM s WHERE EXISTS (SELECT FROM r) ON CONFLICT DO NOTHING;\n'
                '        is_begun := is_begun OR FOUND;',
                store_number, columns, selection);
        END
        $function$
        """#)
}
