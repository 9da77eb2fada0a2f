extension LibraryFunction {
    /// Whether the triggers of a table let its writer past, which only its owner may ask for. Leaves `R` rows instead.
    package static let historySuspended = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_suspended"(relation oid, entities integer[])
        RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            -- Only who owns the table may write past the history, and not without a trace.
            IF NOT pg_has_role(session_user, (SELECT c.relowner FROM pg_class AS c WHERE c.oid = relation), 'USAGE') THEN
                RETURN false;
            END IF;
            PERFORM "strata"."history_reset_entities"(entities);
            RETURN true;
        END
        $function$
        """#)
}
