extension LibraryFunction {
    /// Removes the tables of partitions that are empty and stay so, if there is a moment in which nobody uses the history; tells how many.
    package static let historyPartitionSweep = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_partition_sweep"()
        RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $function$
        DECLARE
            empty integer[];
            place integer;
        BEGIN
            IF to_regclass('strata.history_change_0') IS NULL OR NOT pg_try_advisory_xact_lock(1400140400, 0) THEN
                RETURN 0;
            END IF;
            empty := ARRAY(
                SELECT p."number" FROM "strata"."history_partition" AS p
                WHERE p."upper" <= pg_snapshot_xmin(pg_current_snapshot())
                -- The next one begins where the last one ends.
                AND p."upper" < (SELECT max(o."upper") FROM "strata"."history_partition" AS o)
                    AND pg_relation_size(format('strata.%I', 'history_transaction_' || p."number")::regclass) = 0
                    AND pg_relation_size(format('strata.%I', 'history_change_' || p."number")::regclass) = 0);
            IF empty = '{}' THEN
                RETURN 0;
            END IF;
            -- Without waiting: who waits for such a lock keeps waiting whoever comes later.
            FOR attempt IN 1..40 LOOP
                BEGIN
                    LOCK TABLE ONLY "strata"."history_change", ONLY "strata"."history_transaction" IN ACCESS EXCLUSIVE MODE NOWAIT;
                    FOREACH place IN ARRAY empty LOOP
                        EXECUTE format('DROP TABLE "strata".%I, "strata".%I', 'history_transaction_' || place, 'history_change_' || place);
                    END LOOP;
                    DELETE FROM "strata"."history_partition" AS p WHERE p."number" = ANY (empty);
                    RETURN cardinality(empty);
                EXCEPTION WHEN lock_not_available THEN
                    PERFORM pg_sleep(0.005 + random() * 0.02);
                END;
            END LOOP;
            RETURN 0;
        END
        $function$
        """#)
}
