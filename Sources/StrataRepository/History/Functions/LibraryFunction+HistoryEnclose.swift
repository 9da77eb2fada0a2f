extension LibraryFunction {
    /// Lets a part of the history hold no other transactions than it has: what a partition has to have proved. Reads nothing yet.
    package static let historyEnclose = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_enclose"(name text, number integer, lower xid8, upper xid8)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            EXECUTE format('ALTER TABLE "strata".%I ADD CONSTRAINT %I CHECK ("xid" >= %L::xid8 AND "xid" < %L::xid8) NOT VALID',
                name || '_' || number, name || '_' || number || '_range', lower, upper);
        END
        $function$
        """#)
}
