import StrataRepository

extension LibraryFunction {
    /// The first statement of a migration file: stops psql where the library is older than the one that wrote the file, and
    /// where the database is at another version. The runner sees to both itself.
    ///
    /// Says as whom the history records what the file changes, until the session ends.
    static let migrationBegin = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."migration_begin"(
            library integer, schema_name text, stage text, from_version text, fingerprint text, to_version text)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            present record;
        BEGIN
            IF library > "strata"."history_version"() THEN
                RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state',
                    MESSAGE = format('%s needs version %s of the schema strata, and the database has version %s',
                        stage, library, "strata"."history_version"()),
                    HINT = 'Run what the command library of the migration tool prints.';
            END IF;
            SELECT v."version", v."fingerprint" INTO present FROM "strata"."schema_version" AS v
            WHERE v."schema_name" = migration_begin.schema_name ORDER BY v."number" DESC LIMIT 1;
            IF present."fingerprint" IS DISTINCT FROM migration_begin.fingerprint THEN
                RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state',
                    MESSAGE = format('%s: the database is %s', stage, coalesce(
                        'not at version ' || from_version, 'at version ' || present."version" || ' already'));
            END IF;
            PERFORM set_config('strata.author',
                'migration ' || coalesce(from_version || ' -> ', 'to ') || to_version, false);
        END
        $function$
        """#)
}
