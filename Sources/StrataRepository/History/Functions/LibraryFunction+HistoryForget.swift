extension LibraryFunction {
    /// Removes all that is known of a store that is no more: its history, and the numbers of its classes.
    package static let historyForget = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_forget"(schema_name text)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            store_number integer := (
                SELECT s."number" FROM "strata"."store" AS s WHERE s."schema_name" = history_forget.schema_name);
            entities integer[] := ARRAY(SELECT e."id" FROM "strata"."history_entity" AS e WHERE e."store" = store_number);
        BEGIN
            DELETE FROM "strata"."history_change" AS c USING "strata"."history_transaction" AS t
            WHERE t."store" = store_number AND c."xid" = t."xid" AND c."generation" = t."generation"
                AND c."entity" = ANY (entities);
            DELETE FROM "strata"."history_transaction" AS t WHERE t."store" = store_number;
            DELETE FROM "strata"."history_consumer" AS c WHERE c."store" = store_number;
            DELETE FROM "strata"."history_property" AS p WHERE p."root" = ANY (entities);
            DELETE FROM "strata"."history_entity" AS e WHERE e."store" = store_number;
            DELETE FROM "strata"."history_description" AS d WHERE d."store" = store_number;
        END
        $function$
        """#)
}
