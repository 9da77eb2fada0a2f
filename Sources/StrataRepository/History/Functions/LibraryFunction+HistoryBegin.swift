extension LibraryFunction {
    /// Writes the transaction's header, once.
    package static let historyBegin = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_begin"(store_number integer)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user, nullif(current_setting('role', true), 'none'),
                nullif(current_setting('application_name', true), ''), nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = store_number
            ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(store_number);
            END IF;
        END
        $function$
        """#)
}
