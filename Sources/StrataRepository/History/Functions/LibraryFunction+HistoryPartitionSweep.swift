extension LibraryFunction {
    /// Removes the tables of partitions that are empty and stay so, if there is a moment in which nobody uses the history; tells how many.
    package static let historyPartitionSweep = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_partition_sweep"()
        RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '50ms' AS $function$
        DECLARE
            place integer;
            swept integer := 0;
        BEGIN
            IF to_regclass('strata.history_change_0') IS NULL OR NOT pg_try_advisory_xact_lock(1400140400, 0) THEN
                RETURN 0;
            END IF;
            FOR place IN
                SELECT p."number" FROM "strata"."history_partition" AS p
                WHERE p."upper" <= pg_snapshot_xmin(pg_current_snapshot())
                    -- The next one begins where the last one ends.
                    AND p."upper" < (SELECT max(o."upper") FROM "strata"."history_partition" AS o)
                    AND pg_relation_size(format('strata.%I', 'history_transaction_' || p."number")::regclass) = 0
                    AND pg_relation_size(format('strata.%I', 'history_change_' || p."number")::regclass) = 0
            LOOP
                -- Without waiting: who waits for such a lock keeps waiting whoever comes later. The partition's own locks first: a vacuum has them alone.
                FOR attempt IN 1..40 LOOP
                    BEGIN
                        EXECUTE format('LOCK TABLE "strata".%I, "strata".%I IN ACCESS EXCLUSIVE MODE NOWAIT',
                            'history_change_' || place, 'history_transaction_' || place);
                        LOCK TABLE ONLY "strata"."history_change", ONLY "strata"."history_transaction" IN ACCESS EXCLUSIVE MODE NOWAIT;
                        EXECUTE format('DROP TABLE "strata".%I, "strata".%I', 'history_change_' || place, 'history_transaction_' || place);
                        DELETE FROM "strata"."history_partition" AS p WHERE p."number" = place;
                        swept := swept + 1;
                        EXIT;
                    EXCEPTION WHEN lock_not_available THEN
                        NULL;
                    END;
                    -- What was locked is free again only at the end, once something was dropped.
                    IF swept > 0 THEN
                        RETURN swept;
                    END IF;
                    PERFORM pg_sleep(0.005 + random() * 0.02);
                END LOOP;
            END LOOP;
            RETURN swept;
        END
        $function$
        """#)
}
