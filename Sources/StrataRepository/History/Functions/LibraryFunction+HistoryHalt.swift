extension LibraryFunction {
    /// Waits until no transaction is open that has recorded changes, and lets none begin to before this one ends.
    package static let historyHalt = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_halt"()
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms' AS $function$
        DECLARE
            change oid := 'strata.history_change'::regclass;
            writers text;
        BEGIN
            IF EXISTS (
                SELECT FROM pg_locks AS l
                WHERE l.locktype = 'relation' AND l.relation = change AND l.pid = pg_backend_pid()
                    AND l.mode = 'RowExclusiveLock' AND l.granted)
            THEN
                RAISE EXCEPTION USING ERRCODE = 'object_in_use', MESSAGE =
                    'The history begins a new generation here, but not in a transaction that has written itself. End it, '
                    'and open the store or read its history outside of a transaction first.';
            END IF;
            -- Whoever wants to write queues behind a lock that is waited for: that may never be long, and leaves pauses.
            FOR attempt IN 1..5 LOOP
                BEGIN
                    LOCK TABLE "strata"."history_change" IN SHARE ROW EXCLUSIVE MODE;
                    RETURN;
                EXCEPTION WHEN lock_not_available THEN
                    NULL;
                END;
                SELECT string_agg(
                    CASE WHEN l.pid IS NULL THEN 'prepared transaction ' || coalesce(quote_literal(p.gid), l.virtualtransaction)
                        ELSE 'process ' || l.pid END, ', ' ORDER BY l.pid, p.gid)
                INTO writers
                FROM pg_locks AS l
                -- A prepared transaction has no process any more; its number is the one that it has locked.
                LEFT JOIN LATERAL (
                    SELECT x.gid FROM pg_locks AS n JOIN pg_prepared_xacts AS x ON x.transaction = n.transactionid
                    WHERE n.locktype = 'transactionid' AND n.virtualtransaction = l.virtualtransaction AND n.pid IS NULL
                ) AS p ON l.pid IS NULL
                WHERE l.locktype = 'relation' AND l.relation = change AND l.granted
                    AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
                    AND l.mode NOT IN ('AccessShareLock', 'RowShareLock', 'ShareUpdateExclusiveLock');
                -- Autovacuum gives way to whoever has waited for as long as deadlock_timeout says.
                PERFORM set_config('lock_timeout', CASE WHEN writers IS NULL THEN '3s' ELSE '200ms' END, true);
                PERFORM pg_sleep(0.05);
            END LOOP;
            RAISE EXCEPTION USING ERRCODE = 'object_in_use', MESSAGE = format(
                'The history comes from another server, timeline or database and begins a new generation here, but transactions '
                'are open that began to write before: %s. End them (COMMIT, ROLLBACK, COMMIT PREPARED or ROLLBACK PREPARED; '
                'pg_terminate_backend() ends a process), and try again.', coalesce(writers, 'maintenance of strata.history_change'));
        END
        $function$
        """#)
}
