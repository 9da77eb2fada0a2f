extension LibraryFunction {
    /// Locks both tables of the history against everybody, in moments with pauses between them: for exchanging them, which takes some
    /// hundredths of a second.
    package static let historyExclude = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_exclude"()
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $function$
        DECLARE
            has_peace boolean := false;
            holders text;
        BEGIN
            -- Autovacuum gives way to whoever has waited for as long as deadlock_timeout says, and others do not wait behind the first lock. Whoever
            -- comes later queues behind the second: that may never be waited for long, and leaves pauses.
            FOR attempt IN 1..20 LOOP
                BEGIN
                    PERFORM set_config('lock_timeout', CASE WHEN has_peace THEN '100ms' ELSE '3s' END, true);
                    LOCK TABLE "strata"."history_change", "strata"."history_transaction" IN SHARE UPDATE EXCLUSIVE MODE;
                    has_peace := true;
                    PERFORM set_config('lock_timeout', '100ms', true);
                    -- In the order in which writers do: who has begun with one comes through.
                    LOCK TABLE "strata"."history_change", "strata"."history_transaction" IN ACCESS EXCLUSIVE MODE;
                    RETURN;
                EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
                    NULL;
                END;
                SELECT string_agg(DISTINCT coalesce('process ' || l.pid, 'a prepared transaction'), ', ') INTO holders
                FROM pg_locks AS l
                WHERE l.locktype = 'relation' AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
                    AND l.relation IN (
                        SELECT t.name::regclass FROM unnest('{strata.history_transaction,strata.history_change}'::text[]) AS t (name)
                        UNION ALL SELECT i.inhrelid FROM pg_inherits AS i
                        WHERE i.inhparent IN ('strata.history_transaction'::regclass, 'strata.history_change'::regclass))
                    AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database());
                EXIT WHEN NOT has_peace AND attempt = 3;
                PERFORM pg_sleep(0.1 + random() * 0.2);
            END LOOP;
            RAISE EXCEPTION USING ERRCODE = 'lock_not_available',
                MESSAGE = format('The tables of the history are in use all the time (%s): they could not be locked for the moment that it '
                    'takes to exchange them.', coalesce(holders, 'by many')),
                HINT = 'Try again when that has ended; what was done until here stays.';
        END
        $function$
        """#)
}
