extension LibraryFunction {
    /// Deletes one slice of the oldest history: what is older than a moment or than a transaction.
    package static let historyPruneBelow = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_prune_below"(
            schema_name text, before timestamptz, below_generation smallint, below_xid xid8, slice integer DEFAULT 5000)
        RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            store record;
            place record;
            xids xid8[];
            generations smallint[];
        BEGIN
            SELECT s."number", s."generation", s."deleted_below" INTO store FROM "strata"."store" AS s
            WHERE s."schema_name" = history_prune_below.schema_name;
            -- What was deleted stays in the index until it is vacuumed, and a slice from the beginning would walk over all of it. So a slice begins
            -- behind what was deleted; where nothing may go there, what was left before it is looked at: earlier generations, and
            -- transactions that were younger than their numbers.
            FOR place IN
                SELECT * FROM (VALUES (store."generation", store."deleted_below"), (0::smallint, '0'::xid8)) AS v ("generation", "xid")
            LOOP
                -- The oldest first, whether they may go or not: a call looks at one slice only.
                SELECT coalesce(array_agg(t."xid"), '{}'), coalesce(array_agg(t."generation"), '{}') INTO xids, generations
                FROM (
                    SELECT x."xid", x."generation", x."at" FROM "strata"."history_transaction" AS x
                    WHERE x."store" = store."number" AND (x."generation", x."xid") >= (place."generation", place."xid")
                    ORDER BY x."store", x."generation", x."xid" LIMIT slice) AS t
                WHERE t."at" < before OR (t."generation", t."xid") < (below_generation, below_xid);
                EXIT WHEN xids <> '{}';
            END LOOP;
            RETURN "strata"."history_delete"(schema_name, xids, generations);
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
