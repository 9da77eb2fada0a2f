extension LibraryFunction {
    /// Gives a table of the history the owner, the rights and the storage parameters of another.
    package static let historyResemble = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_resemble"(source text, target text)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            model pg_class;
            part record;
        BEGIN
            SELECT c.* INTO model FROM pg_class AS c WHERE c.oid = format('strata.%I', source)::regclass;
            EXECUTE format('ALTER TABLE "strata".%I OWNER TO %s', target, model.relowner::regrole);
            FOR part IN
                SELECT a.privilege_type, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee, a.is_grantable
                FROM aclexplode(model.relacl) AS a WHERE a.grantee <> model.relowner
            LOOP
                EXECUTE format('GRANT %s ON "strata".%I TO %s %s', part.privilege_type, target, part.grantee,
                    CASE WHEN part.is_grantable THEN 'WITH GRANT OPTION' ELSE '' END);
            END LOOP;
            -- A partitioned table has none.
            IF model.reloptions IS NOT NULL
                AND (SELECT c.relkind = 'r' FROM pg_class AS c WHERE c.oid = format('strata.%I', target)::regclass)
            THEN
                EXECUTE format('ALTER TABLE "strata".%I SET (%s)', target, array_to_string(model.reloptions, ', '));
            END IF;
        END
        $function$
        """#)
}
