extension LibraryFunction {
    /// What a schema holds of one catalog: its tables (`pg_class`), or its functions (`pg_proc`).
    ///
    /// Takes as long as the schema is large, however many there are in the database.
    package static let historyObjects = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_objects"(namespace oid, catalog regclass)
        RETURNS oid[] LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            -- pg_class and pg_proc have no index by schema. But whatever is in a schema depends on it, and pg_depend has one by what is depended on.
            RETURN ARRAY(
                SELECT d.objid FROM pg_depend AS d
                WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = namespace AND d.classid = catalog);
        END
        $function$
        """#)
}
