extension LibraryFunction {
    /// Deletes finished transactions from the history. Tokens from before them are expired from then on.
    package static let historyDelete = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_delete"(schema_name text, xids xid8[], generations smallint[])
        RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
        -- Of partitions the planner expects each transaction in all of them, and would read the whole history: probes are what is wanted.
        SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $function$
        DECLARE
            store record;
            deleted bigint;
            newest xid8;
        BEGIN
            -- Whose transactions are over is said by their numbers only where these were given.
            PERFORM "strata"."history_identify"(s."number", true) FROM "strata"."store" AS s
            WHERE s."schema_name" = history_delete.schema_name;
            SELECT s."number", s."generation" INTO store FROM "strata"."store" AS s
            WHERE s."schema_name" = history_delete.schema_name FOR UPDATE;
            WITH headers AS (
                -- After a restore the same number may be given again, in another generation.
                DELETE FROM "strata"."history_transaction" AS t USING unnest(xids, generations) AS u ("xid", "generation")
                WHERE t."store" = store."number" AND t."generation" = u."generation" AND t."xid" = u."xid"
                    -- A transaction that has not ended for everybody could still get more changes, or be read half.
                    AND (t."generation" <> store."generation" OR t."xid" < pg_snapshot_xmin(pg_current_snapshot()))
                RETURNING t."xid", t."generation"),
            changes AS (
                DELETE FROM "strata"."history_change" AS c USING headers AS h, "strata"."history_entity" AS e
                WHERE c."xid" = h."xid" AND c."generation" = h."generation"
                    AND e."id" = c."entity" AND e."store" = store."number")
            SELECT count(*), max(h."xid") FILTER (WHERE h."generation" = store."generation") INTO deleted, newest
            FROM headers AS h;
            IF deleted > 0 THEN
                UPDATE "strata"."store" AS s
                SET "deletions" = s."deletions" + 1,
                    "deleted_below" = greatest(s."deleted_below", (newest::text::numeric + 1)::text::xid8)
                WHERE s."number" = store."number";
            END IF;
            RETURN deleted;
        END
        $function$
        """#)
}
