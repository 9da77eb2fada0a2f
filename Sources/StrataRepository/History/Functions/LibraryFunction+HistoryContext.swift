extension LibraryFunction {
    /// What a writer noted, as JSON; `NULL` where it is none. The setting can hold any text that a client likes.
    package static let historyContext = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_context"(context text)
        RETURNS jsonb LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            RETURN context::jsonb;
        EXCEPTION WHEN data_exception THEN
            RETURN NULL;
        END
        $function$
        """#)
}
