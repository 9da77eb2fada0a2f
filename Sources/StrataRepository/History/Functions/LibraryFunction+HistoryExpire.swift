extension LibraryFunction {
    /// Marks as deleted what a store has in partitions that it does not keep, and tells where these end; and whether transactions that are old wait for the
    /// rest of theirs behind that. `NULL` where the history is not partitioned.
    package static let historyExpire = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_expire"(
            schema_name text, before timestamptz, below_generation smallint, below_xid xid8, OUT below xid8, OUT is_closed boolean)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $function$
        DECLARE
            store record;
            part record;
            newest xid8;
        BEGIN
            IF to_regclass('strata.history_change_0') IS NULL THEN
                RETURN;
            END IF;
            PERFORM "strata"."history_identify"(s."number", true) FROM "strata"."store" AS s
            WHERE s."schema_name" = history_expire.schema_name;
            SELECT s."number", s."generation" INTO store FROM "strata"."store" AS s
            WHERE s."schema_name" = history_expire.schema_name FOR UPDATE;
            is_closed := false;
            FOR part IN
                SELECT p."lower", p."upper" FROM "strata"."history_partition" AS p
                -- What runs, or will run, writes behind the end of these.
                WHERE p."upper" <= pg_snapshot_xmin(pg_current_snapshot()) ORDER BY p."lower"
            LOOP
                -- The newest is asked first: it says of most partitions that they stay, without reading them.
                is_closed := EXISTS (
                    SELECT FROM (
                        SELECT t."at", t."generation", t."xid" FROM "strata"."history_transaction" AS t
                        WHERE t."store" = store."number" AND t."generation" = store."generation"
                            AND t."xid" >= part."lower" AND t."xid" < part."upper"
                        ORDER BY t."store" DESC, t."generation" DESC, t."xid" DESC LIMIT 1) AS l
                    WHERE (l."at" < before OR (l."generation", l."xid") < (below_generation, below_xid)) IS NOT TRUE)
                    OR EXISTS (
                    SELECT FROM "strata"."history_transaction" AS t
                    WHERE t."store" = store."number" AND t."xid" >= part."lower" AND t."xid" < part."upper"
                        AND (t."at" < before OR (t."generation", t."xid") < (below_generation, below_xid)) IS NOT TRUE);
                EXIT WHEN is_closed;
                below := part."upper";
            END LOOP;
            SELECT t."xid" INTO newest FROM "strata"."history_transaction" AS t
            WHERE t."store" = store."number" AND t."generation" = store."generation" AND t."xid" < below
            ORDER BY t."store" DESC, t."generation" DESC, t."xid" DESC LIMIT 1;
            UPDATE "strata"."store" AS s
            SET "deletions" = s."deletions" + 1, "deleted_below" = (newest::text::numeric + 1)::text::xid8
            WHERE s."number" = store."number" AND s."deleted_below" <= newest;
        END
        $function$
        """#)
}
