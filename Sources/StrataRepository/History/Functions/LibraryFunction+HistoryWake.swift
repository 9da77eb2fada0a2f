extension LibraryFunction {
    /// Wakes whoever listens for changes of a store: for writers that do not do so themselves.
    package static let historyWake = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_wake"(store_number integer)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            -- One transaction at a time wakes the listeners: NOTIFY makes commits queue up. A transaction with a NOTIFY cannot be
            -- prepared, so where two-phase commit is in use it has to be asked for.
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
