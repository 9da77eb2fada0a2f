extension LibraryFunction {
    /// Marks as deleted what a store has in partitions that it does not keep, and tells where these end: `NULL` for none; whether rows of what comes next are to be
    /// left until all of its partition is old; and whether any of them is old. `NULL` where the history is not partitioned.
    package static let historyExpire = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_expire"(
            schema_name text, before timestamptz, below_generation smallint, below_xid xid8,
            OUT below xid8, OUT is_closed boolean, OUT is_waiting boolean)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $function$
        DECLARE
            store record;
            part record;
            first record;
            last record;
            newest xid8;
        BEGIN
            IF to_regclass('strata.history_change_0') IS NULL THEN
                RETURN;
            END IF;
            PERFORM "strata"."history_identify"(s."number", true) FROM "strata"."store" AS s
            WHERE s."schema_name" = history_expire.schema_name;
            SELECT s."number", s."generation", s."deleted_below" INTO store FROM "strata"."store" AS s
            WHERE s."schema_name" = history_expire.schema_name;
            is_closed := false;
            is_waiting := false;
            FOR part IN
                SELECT greatest(p."lower", store."deleted_below") AS lower, p."lower" AS beginning, p."upper", p."every"
                FROM "strata"."history_partition" AS p
                -- What runs, or will run, writes behind the end of these.
                WHERE p."upper" <= pg_snapshot_xmin(pg_current_snapshot()) ORDER BY p."lower"
            LOOP
                -- The newest is asked first: it says of most partitions that they stay, without reading them. Below the mark of the store nothing is kept.
                SELECT t."at", (t."at" < before OR (t."generation", t."xid") < (below_generation, below_xid)) IS TRUE AS is_old INTO last
                FROM "strata"."history_transaction" AS t
                WHERE t."store" = store."number" AND t."generation" = store."generation"
                    AND t."xid" >= part.lower AND t."xid" < part."upper"
                ORDER BY t."store" DESC, t."generation" DESC, t."xid" DESC LIMIT 1;
                is_closed := NOT coalesce(last.is_old, true) OR EXISTS (
                    SELECT FROM "strata"."history_transaction" AS t
                    WHERE t."store" = store."number" AND t."generation" = store."generation"
                        AND t."xid" >= part.lower AND t."xid" < part."upper"
                        AND (t."at" < before OR (t."generation", t."xid") < (below_generation, below_xid)) IS NOT TRUE)
                    OR EXISTS (
                    SELECT FROM "strata"."history_transaction" AS t
                    WHERE t."store" = store."number" AND t."generation" < store."generation"
                        AND t."xid" >= part.beginning AND t."xid" < part."upper"
                        AND (t."at" < before OR (t."generation", t."xid") < (below_generation, below_xid)) IS NOT TRUE);
                IF is_closed THEN
                    SELECT t."at", (t."at" < before OR (t."generation", t."xid") < (below_generation, below_xid)) IS TRUE AS is_old INTO first
                    FROM "strata"."history_transaction" AS t
                    WHERE t."store" = store."number" AND t."generation" = store."generation"
                        AND t."xid" >= part.lower AND t."xid" < part."upper"
                    ORDER BY t."store", t."generation", t."xid" LIMIT 1;
                    -- One that lasts for much longer than it was meant to, such as the first, would keep what is old for as long.
                    is_closed := coalesce(last."at" - first."at" <= 2 * part."every", true);
                    is_waiting := is_closed AND coalesce(first.is_old, false);
                    EXIT;
                END IF;
                below := part."upper";
            END LOOP;
            SELECT t."xid" INTO newest FROM "strata"."history_transaction" AS t
            WHERE t."store" = store."number" AND t."generation" = store."generation" AND t."xid" < below
            ORDER BY t."store" DESC, t."generation" DESC, t."xid" DESC LIMIT 1;
            UPDATE "strata"."store" AS s
            SET "deletions" = s."deletions" + 1, "deleted_below" = (newest::text::numeric + 1)::text::xid8
            WHERE s."number" = store."number" AND s."generation" = store."generation" AND s."deleted_below" <= newest;
        END
        $function$
        """#)
}
