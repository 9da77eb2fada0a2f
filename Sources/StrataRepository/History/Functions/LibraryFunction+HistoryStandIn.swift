extension LibraryFunction {
    /// Gives a table of the history another name, and its own name to an empty one like it, which only has to be filled or divided.
    package static let historyStandIn = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_stand_in"(name text, away text, partitioning text)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            key text;
        BEGIN
            SELECT pg_get_constraintdef(c.oid) INTO key FROM pg_constraint AS c
            WHERE c.conrelid = format('strata.%I', name)::regclass AND c.contype = 'p';
            EXECUTE format('ALTER TABLE "strata".%I RENAME TO %I', name, away);
            EXECUTE format('ALTER TABLE "strata".%I RENAME CONSTRAINT %I TO %I', away, name || '_pkey', away || '_pkey');
            EXECUTE format('CREATE TABLE "strata".%I (LIKE "strata".%I INCLUDING DEFAULTS INCLUDING STORAGE, CONSTRAINT %I %s) %s',
                name, away, name || '_pkey', key, partitioning);
            PERFORM "strata"."history_resemble"(away, name);
        END
        $function$
        """#)
}
