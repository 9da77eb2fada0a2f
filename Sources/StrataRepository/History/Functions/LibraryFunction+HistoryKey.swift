extension LibraryFunction {
    /// The column with the key in the table of a class, in double quotes.
    package static let historyKey = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_key"(relation oid)
        RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            -- A migration under way may be about to rename it: the catalog has the name of this moment.
            RETURN coalesce((
                SELECT '"' || replace(a.attname::text, '"', '""') || '"'
                FROM pg_index AS x JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0]
                WHERE x.indrelid = relation AND x.indisprimary AND x.indnkeyatts = 1), '"pk"');
        END
        $function$
        """#)
}
