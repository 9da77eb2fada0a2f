extension LibraryFunction {
    /// Deletes one slice of the oldest history.
    package static let historyPrune = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_prune"(
            schema_name text, before timestamptz, keep bigint, slice integer DEFAULT 5000)
        RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            store record;
            number smallint;
            remaining bigint := keep;
            counted bigint;
            last_generation smallint;
            last_xid xid8;
            oldest smallint;
        BEGIN
            SELECT s."number", s."generation" INTO store FROM "strata"."store" AS s
            WHERE s."schema_name" = history_prune.schema_name;
            -- The transaction with the last of the newest changes that are to be kept; what is older may go.
            IF keep IS NOT NULL THEN
                FOR number IN
                    SELECT DISTINCT t."generation" FROM "strata"."history_transaction" AS t
                    WHERE t."store" = store."number" ORDER BY 1 DESC
                LOOP
                    EXIT WHEN remaining <= 0;
                    SELECT count(*), min(k."xid") INTO counted, last_xid FROM (
                        SELECT c."xid" FROM "strata"."history_change" AS c
                        WHERE c."generation" = number AND c."entity" = ANY (ARRAY(
                            SELECT e."id" FROM "strata"."history_entity" AS e WHERE e."store" = store."number"))
                        ORDER BY c."xid" DESC, c."seq" DESC LIMIT remaining) AS k;
                    last_generation := number;
                    remaining := remaining - counted;
                END LOOP;
                IF keep > 0 AND remaining > 0 THEN
                    last_generation := NULL;
                END IF;
            END IF;
            -- The oldest first, whether they may go or not: a call looks at one slice only.
            SELECT min(t."generation") INTO oldest FROM "strata"."history_transaction" AS t WHERE t."store" = store."number";
            RETURN "strata"."history_delete"(schema_name, ARRAY(
                SELECT t."xid" FROM (
                    SELECT x."xid", x."generation", x."at" FROM "strata"."history_transaction" AS x
                    WHERE x."store" = store."number" AND x."generation" = oldest ORDER BY x."xid" LIMIT slice) AS t
                WHERE t."at" < before
                    OR keep IS NOT NULL AND (keep <= 0 OR (t."generation", t."xid") < (last_generation, last_xid))));
        END
        $function$
        """#)
}
