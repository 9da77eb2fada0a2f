extension LibraryFunction {
    /// Makes the partitions that come next, before the last one is full; tells how many. Leaves it where it would have to wait. `NULL` where changes stand in the one
    /// that takes everything.
    package static let historyPartitionAhead = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_partition_ahead"()
        RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET lock_timeout = '50ms' AS $function$
        DECLARE
            width bigint;
            goal bigint;
            next record;
            part text;
            made integer := 0;
        BEGIN
            IF to_regclass('strata.history_change_0') IS NULL OR NOT pg_try_advisory_xact_lock(1400140400, 0) THEN
                RETURN 0;
            END IF;
            width := (SELECT "strata"."history_pace"(p."every") FROM "strata"."history_partition" AS p WHERE p."number" = 0);
            goal := pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 2 * width;
            FOR attempt IN 1..4 LOOP
                SELECT max(p."number") + 1 AS number, max(p."upper") AS lower, (max(p."upper")::text::bigint + width)::text::xid8 AS upper,
                    max(p."number") AS model, max(p."every") FILTER (WHERE p."number" = 0) AS every
                INTO next FROM "strata"."history_partition" AS p;
                -- What the next one would have to hold is in the one that takes everything: history_partition makes that one a part.
                IF EXISTS (SELECT FROM "strata"."history_change_0") THEN
                    RETURN NULL;
                END IF;
                EXIT WHEN next.lower::text::bigint >= goal;
                BEGIN
                    FOREACH part IN ARRAY '{history_transaction,history_change}'::text[] LOOP
                        EXECUTE format('CREATE TABLE "strata".%I (LIKE "strata".%I INCLUDING DEFAULTS INCLUDING STORAGE, '
                            'CONSTRAINT %I CHECK ("xid" >= %L::xid8 AND "xid" < %L::xid8))', part || '_' || next.number, part,
                            part || '_' || next.number || '_range', next.lower, next.upper);
                        PERFORM "strata"."history_resemble"(part || '_' || next.model, part || '_' || next.number);
                        EXECUTE format('ALTER TABLE "strata".%I ATTACH PARTITION "strata".%I FOR VALUES FROM (%L) TO (%L)',
                            part, part || '_' || next.number, next.lower, next.upper);
                    END LOOP;
                    INSERT INTO "strata"."history_partition" VALUES (next.number, next.lower, next.upper, next.every);
                    made := made + 1;
                EXCEPTION WHEN lock_not_available OR deadlock_detected OR check_violation THEN
                    -- Somebody reads the history in a transaction that goes on, or it was too late: the next call comes to it.
                    EXIT;
                END;
            END LOOP;
            RETURN made;
        END
        $function$
        """#)
}
