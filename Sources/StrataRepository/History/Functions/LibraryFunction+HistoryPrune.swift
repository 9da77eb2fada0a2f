extension LibraryFunction {
    /// Deletes one slice of the oldest history: what is older than a moment or than a transaction.
    package static let historyPruneBelow = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_prune_below"(
            schema_name text, before timestamptz, below_generation smallint, below_xid xid8, slice integer DEFAULT 5000)
        RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            store_number integer := (
                SELECT s."number" FROM "strata"."store" AS s WHERE s."schema_name" = history_prune_below.schema_name);
            oldest smallint := (
                SELECT min(t."generation") FROM "strata"."history_transaction" AS t WHERE t."store" = store_number);
            -- The oldest first, whether they may go or not: a call looks at one slice only.
            xids xid8[] := ARRAY(
                SELECT t."xid" FROM (
                    SELECT x."xid", x."generation", x."at" FROM "strata"."history_transaction" AS x
                    WHERE x."store" = store_number AND x."generation" = oldest ORDER BY x."xid" LIMIT slice) AS t
                WHERE t."at" < before OR (t."generation", t."xid") < (below_generation, below_xid));
        BEGIN
            RETURN "strata"."history_delete"(schema_name, xids, array_fill(oldest, ARRAY[cardinality(xids)]));
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
