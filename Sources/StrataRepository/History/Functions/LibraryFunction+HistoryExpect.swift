extension LibraryFunction {
    /// Records as well by what the description will be with a change; without one, by the description alone.
    static let historyExpect = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_expect"(schema_name text, change jsonb DEFAULT NULL)
        RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $function$
            SELECT "strata"."history_follow"(history_expect.schema_name, '{}', history_expect.change)
        $function$
        """#)
}
