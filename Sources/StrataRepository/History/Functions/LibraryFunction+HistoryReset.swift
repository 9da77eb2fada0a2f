extension LibraryFunction {
    /// Records by hand that values of a class changed in ways the triggers did not see.
    package static let historyReset = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_reset"(schema_name text, entity text)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            entities integer[] := ARRAY(
                SELECT e."id" FROM "strata"."history_entity" AS e JOIN "strata"."store" AS s ON s."number" = e."store"
                WHERE s."schema_name" = history_reset.schema_name AND e."name" = history_reset.entity
                    AND e."word" = 0 AND NOT e."retired");
        BEGIN
            IF entities = '{}' THEN
                RAISE EXCEPTION USING ERRCODE = 'undefined_object',
                    MESSAGE = format('there is no history of %s in the schema %I', entity, schema_name);
            END IF;
            PERFORM "strata"."history_reset_entities"(entities);
        END
        $function$
        """#)
}
