extension LibraryFunction {
    /// Gives a table of the history the owner and the rights of another.
    package static let historySameRights = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_same_rights"(source text, target text)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            part record;
        BEGIN
            EXECUTE format('ALTER TABLE "strata".%I OWNER TO %s', target, (
                SELECT c.relowner::regrole FROM pg_class AS c WHERE c.oid = format('strata.%I', source)::regclass));
            FOR part IN
                SELECT a.privilege_type, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee, a.is_grantable
                FROM pg_class AS c, aclexplode(c.relacl) AS a
                WHERE c.oid = format('strata.%I', source)::regclass AND a.grantee <> c.relowner
            LOOP
                EXECUTE format('GRANT %s ON "strata".%I TO %s %s', part.privilege_type, target, part.grantee,
                    CASE WHEN part.is_grantable THEN 'WITH GRANT OPTION' ELSE '' END);
            END LOOP;
        END
        $function$
        """#)
}
