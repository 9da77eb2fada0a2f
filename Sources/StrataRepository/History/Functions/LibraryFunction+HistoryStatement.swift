extension LibraryFunction {
    /// The statements by which a trigger records changes, from what it selects.
    package static let historyStatement = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_statement"(store_number integer, columns text, selection text)
        RETURNS text LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            -- The header comes only with a change, and only once. Each expression of the language has its price in each
            -- transaction: no variable says what FOUND says.
            RETURN format(E'\n'
                '        INSERT INTO "strata"."history_change" ("xid", "generation", %2$s)\n'
                '        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = %1$s), %3$s;\n'
                '        IF FOUND THEN\n'
                '            INSERT INTO "strata"."history_transaction"\n'
                '                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")\n'
                '            SELECT s."number", s."generation", pg_current_xact_id(),\n'
                '                nullif(current_setting(''strata.author'', true), ''''), session_user,\n'
                '                nullif(current_setting(''role''), ''none''), nullif(current_setting(''application_name''), ''''),\n'
                '                nullif(current_setting(''strata.process'', true), ''''),\n'
                '                nullif(current_setting(''strata.context'', true), '''')\n'
                '            FROM "strata"."store" AS s WHERE s."number" = %1$s ON CONFLICT DO NOTHING;\n'
                '            IF FOUND AND coalesce(current_setting(''strata.process'', true), '''') = '''' THEN\n'
                '                PERFORM "strata"."history_wake"(%1$s);\n'
                '            END IF;\n'
                '        END IF;',
                store_number, columns, selection);
        END
        $function$
        """#)
}
