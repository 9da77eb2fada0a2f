extension LibraryFunction {
    /// Writes the transaction's header, once; wakes the listeners for writers that do not do so themselves.
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
            IF NOT FOUND OR nullif(current_setting('strata.process', true), '') IS NOT NULL THEN
                RETURN;
            END IF;
            -- Somebody else's transaction wakes the listeners itself. One transaction at a time does so: NOTIFY makes commits
            -- queue up. A transaction with a NOTIFY cannot be prepared, so where two-phase commit is in use it has to be asked for.
            IF coalesce(current_setting('strata.notify', true), '') <> 'off'
                AND (current_setting('strata.notify', true) = 'on' OR current_setting('max_prepared_transactions') = '0')
                AND pg_try_advisory_xact_lock(1400140385, store_number)
            THEN
                PERFORM pg_notify('strata_history_' || store_number, '');
            END IF;
        END
        $function$
        """#)
}
