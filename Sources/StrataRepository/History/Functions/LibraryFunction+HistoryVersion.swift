extension LibraryFunction {
    /// Which release's functions these are: greater for newer ones. Raise it whenever one of them changes.
    package static let historyVersion = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_version"()
        RETURNS integer LANGUAGE sql IMMUTABLE AS $function$SELECT 11$function$
        """#)
}
