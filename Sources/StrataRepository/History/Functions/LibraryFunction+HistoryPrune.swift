extension LibraryFunction {
    /// Deletes one slice of the oldest history: what is older than a moment or than a transaction.
    package static let historyPruneBelow = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_prune_below"(
            schema_name text, before timestamptz, below_generation smallint, below_xid xid8, slice integer DEFAULT 5000)
        RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            store record;
            has_earlier boolean;
            place record;
            xids xid8[];
            generations smallint[];
            deleted bigint := 0;
        BEGIN
            SELECT s."number", s."generation", s."deleted_below" INTO store FROM "strata"."store" AS s
            WHERE s."schema_name" = history_prune_below.schema_name;
            has_earlier := EXISTS (
                SELECT FROM "strata"."history_transaction" AS x
                WHERE x."store" = store."number" AND x."generation" < store."generation");
            -- What was deleted stays in the index until it is vacuumed, and a slice from the beginning would walk over all of it. So a slice begins
            -- behind what was deleted; where nothing goes there, what was left before it is looked at: transactions that were younger than
            -- their numbers. What is left of earlier generations is the oldest, and comes first.
            FOR place IN
                SELECT v."generation", v."xid" FROM (VALUES
                    (store."generation", store."deleted_below", NOT has_earlier), (0::smallint, '0'::xid8, has_earlier))
                    AS v ("generation", "xid", is_first)
                ORDER BY v.is_first DESC
            LOOP
                -- The oldest first, whether they may go or not: a call looks at one slice only.
                SELECT coalesce(array_agg(t."xid"), '{}'), coalesce(array_agg(t."generation"), '{}') INTO xids, generations
                FROM (
                    SELECT x."xid", x."generation", x."at" FROM "strata"."history_transaction" AS x
                    WHERE x."store" = store."number" AND (x."generation", x."xid") >= (place."generation", place."xid")
                    ORDER BY x."store", x."generation", x."xid" LIMIT slice) AS t
                WHERE t."at" < before OR (t."generation", t."xid") < (below_generation, below_xid);
                deleted := "strata"."history_delete"(schema_name, xids, generations);
                EXIT WHEN deleted > 0;
            END LOOP;
            RETURN deleted;
        END
        $function$
        """#)

    /// Deletes one slice of the oldest history: what is older than a moment, or beyond the newest `keep` changes.
    package static let historyPrune = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_prune"(
            schema_name text, before timestamptz, keep bigint, slice integer DEFAULT 5000)
        RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
            SELECT "strata"."history_prune_below"(schema_name, before, c.generation, c.xid, slice)
            FROM "strata"."history_cutoff"(schema_name, keep) AS c
        $function$
        """#)
}
