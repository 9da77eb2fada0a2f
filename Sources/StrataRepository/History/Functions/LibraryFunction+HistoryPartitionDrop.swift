extension LibraryFunction {
    /// Empties the oldest partition if every store has marked all in it; tells whether it did, and how many such ones are left: NULL where another session
    /// is at work on the partitions. To be called after the marks were committed, until nothing is left.
    package static let historyPartitionDrop = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_partition_drop"(OUT dropped integer, OUT remaining integer)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '50ms' AS $function$
        DECLARE
            part record;
            reading text[];
        BEGIN
            dropped := 0;
            IF to_regclass('strata.history_change_0') IS NULL THEN
                remaining := 0;
                RETURN;
            ELSIF NOT pg_try_advisory_xact_lock(1400140400, 0) THEN
                RETURN;
            END IF;
            -- Of each store only what was marked before now, and nothing of an earlier generation, which no mark is about. One a transaction: what was emptied
            -- is locked until its end.
            SELECT o."number", o."lower", count(*) OVER () AS places INTO part FROM (
                SELECT p."number", p."lower" FROM "strata"."history_partition" AS p
                WHERE p."upper" <= pg_snapshot_xmin(pg_current_snapshot())
                    AND pg_relation_size(format('strata.%I', 'history_transaction_' || p."number")::regclass) > 0
                    AND NOT EXISTS (
                        SELECT FROM "strata"."store" AS s CROSS JOIN LATERAL (
                            SELECT FROM "strata"."history_transaction" AS t
                            WHERE t."store" = s."number" AND t."generation" = s."generation"
                                AND t."xid" >= greatest(p."lower", s."deleted_below") AND t."xid" < p."upper"
                            ORDER BY t."store", t."generation", t."xid" LIMIT 1) AS kept)
                    AND NOT EXISTS (
                        SELECT FROM "strata"."store" AS s CROSS JOIN LATERAL (
                            SELECT FROM "strata"."history_transaction" AS t
                            WHERE t."store" = s."number" AND t."generation" < s."generation"
                                AND t."xid" >= p."lower" AND t."xid" < p."upper"
                            ORDER BY t."store", t."generation", t."xid" LIMIT 1) AS earlier)) AS o
            ORDER BY o."lower" LIMIT 1;
            remaining := coalesce(part.places, 0);
            IF remaining = 0 THEN
                RETURN;
            END IF;
            -- An emptied table is empty for older snapshots, too: whoever began before the marks were there is waited for. Nobody waits for this.
            reading := ARRAY(
                SELECT l.virtualtransaction FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
                WHERE l.locktype = 'virtualxid' AND l.granted AND l.mode = 'ExclusiveLock' AND l.pid <> pg_backend_pid()
                    AND a.datname = current_database() AND a.usesysid IS NOT NULL);
            FOR attempt IN 1..200 LOOP
                EXIT WHEN NOT EXISTS (
                    SELECT FROM pg_locks AS l WHERE l.locktype = 'virtualxid' AND l.virtualtransaction = ANY (reading));
                -- Somebody goes on for long: the next call comes to it.
                IF attempt = 200 THEN
                    RETURN;
                END IF;
                PERFORM pg_sleep(0.01);
            END LOOP;
            BEGIN
                -- Autovacuum gives way to whoever has waited for as long as deadlock_timeout says, and others do not wait behind this lock.
                PERFORM set_config('lock_timeout', '3s', true);
                EXECUTE format('LOCK TABLE "strata".%I, "strata".%I IN SHARE UPDATE EXCLUSIVE MODE',
                    'history_change_' || part."number", 'history_transaction_' || part."number");
                PERFORM set_config('lock_timeout', '50ms', true);
            EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
                RETURN;
            END;
            FOR attempt IN 1..20 LOOP
                BEGIN
                    EXECUTE format('TRUNCATE "strata".%I, "strata".%I',
                        'history_change_' || part."number", 'history_transaction_' || part."number");
                    UPDATE "strata"."store" AS s SET "deletions" = s."deletions" + 1 WHERE s."deleted_below" > part."lower";
                    dropped := 1;
                    remaining := remaining - 1;
                    RETURN;
                EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
                    PERFORM pg_sleep(0.05);
                END;
            END LOOP;
        END
        $function$
        """#)
}
