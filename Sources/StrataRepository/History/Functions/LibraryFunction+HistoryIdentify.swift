extension LibraryFunction {
    /// Notes whose transaction numbers the history holds: server, timeline and database. Another one than before begins a
    /// new generation.
    package static let historyIdentify = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_identify"(store_number integer, is_adoption boolean)
        RETURNS smallint LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            here record;
            there bigint;
            present smallint;
        BEGIN
            -- Transaction numbers mean something within one server, timeline and database only. A standby has those of its primary.
            IF NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' THEN
                SELECT c.system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline, d.oid AS database_oid
                INTO here FROM pg_control_system() AS c, pg_database AS d WHERE d.datname = current_database();
                SELECT s."system_identifier" INTO there FROM "strata"."store" AS s
                WHERE s."number" = store_number AND (is_adoption OR s."system_identifier" IS NULL)
                    AND (s."system_identifier", s."timeline", s."database_oid")
                        IS DISTINCT FROM (here.system_identifier, here.timeline, here.database_oid);
                IF FOUND AND there IS NULL THEN
                    UPDATE "strata"."store" AS s
                    SET "system_identifier" = here.system_identifier, "timeline" = here.timeline,
                        "database_oid" = here.database_oid
                    WHERE s."number" = store_number AND s."system_identifier" IS NULL;
                ELSIF FOUND THEN
                    -- A transaction that goes on writes on under the generation it has seen, where nobody would look for it.
                    PERFORM "strata"."history_halt"();
                    -- All stores have moved together: writers are stopped once.
                    UPDATE "strata"."store" AS s
                    SET "generation" = s."generation" + 1, "system_identifier" = here.system_identifier,
                        "timeline" = here.timeline, "database_oid" = here.database_oid, "deleted_below" = '0'
                    WHERE s."system_identifier" IS NOT NULL
                        AND (s."system_identifier", s."timeline", s."database_oid")
                            IS DISTINCT FROM (here.system_identifier, here.timeline, here.database_oid);
                END IF;
            END IF;
            SELECT s."generation" INTO present FROM "strata"."store" AS s WHERE s."number" = store_number;
            RETURN present;
        END
        $function$
        """#)
}
