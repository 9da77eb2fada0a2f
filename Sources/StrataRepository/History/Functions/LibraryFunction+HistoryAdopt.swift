extension LibraryFunction {
    /// Begins a new generation if this is not the server, timeline and database that wrote the history so far.
    package static let historyAdopt = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_adopt"(schema_name text)
        RETURNS smallint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            RETURN (
                SELECT "strata"."history_identify"(s."number", true) FROM "strata"."store" AS s
                WHERE s."schema_name" = history_adopt.schema_name);
        END
        $function$
        """#)

    /// The same for who does not need it at once: what keeps it from being done, `NULL` when it is done.
    package static let historyTryAdopt = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_try_adopt"(schema_name text)
        RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            PERFORM "strata"."history_adopt"(schema_name);
            RETURN NULL;
        EXCEPTION WHEN object_in_use THEN
            RETURN sqlerrm;
        END
        $function$
        """#)
}
