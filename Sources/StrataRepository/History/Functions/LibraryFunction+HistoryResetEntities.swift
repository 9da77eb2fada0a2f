extension LibraryFunction {
    /// Records that values of these classes changed without a record of which: `R` rows, one a class and transaction.
    package static let historyResetEntities = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_reset_entities"(entities integer[])
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            INSERT INTO "strata"."history_change" ("xid", "entity", "generation", "op")
            SELECT pg_current_xact_id(), e."id", s."generation", 'R'
            FROM "strata"."history_entity" AS e JOIN "strata"."store" AS s ON s."number" = e."store"
            WHERE e."id" = ANY (entities) AND NOT EXISTS (
                SELECT FROM "strata"."history_change" AS c
                WHERE c."xid" = pg_current_xact_id() AND c."entity" = e."id" AND c."op" = 'R'
                    AND c."generation" = s."generation")
            ORDER BY e."id";
            IF FOUND THEN
                PERFORM "strata"."history_begin"(e."store") FROM "strata"."history_entity" AS e
                WHERE e."id" = ANY (entities) GROUP BY e."store";
            END IF;
        END
        $function$
        """#)
}
