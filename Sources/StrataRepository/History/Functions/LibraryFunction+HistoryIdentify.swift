extension LibraryFunction {
    /// Notes whose transaction numbers the history holds: server, timeline and database. Another one than before begins a
    /// new generation.
    package static let historyIdentify = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_identify"(store_number integer, is_adoption boolean)
        RETURNS smallint LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            here record;
            found smallint;
        BEGIN
            -- Transaction numbers mean something within one server, timeline and database only. A standby has those of its primary.
            IF NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' THEN
                SELECT c.system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline, d.oid AS database_oid
                INTO here FROM pg_control_system() AS c, pg_database AS d WHERE d.datname = current_database();
                IF EXISTS (
                    SELECT FROM "strata"."store" AS s
                    WHERE s."number" = store_number AND (is_adoption OR s."system_identifier" IS NULL)
                        AND (s."system_identifier", s."timeline", s."database_oid")
                            IS DISTINCT FROM (here.system_identifier, here.timeline, here.database_oid))
                THEN
                    UPDATE "strata"."store" AS s
                    SET "generation" = s."generation" + CASE WHEN s."system_identifier" IS NULL THEN 0 ELSE 1 END,
                        "system_identifier" = here.system_identifier, "timeline" = here.timeline,
                        "database_oid" = here.database_oid, "deleted_below" = '0'
                    WHERE s."number" = store_number
                        AND (s."system_identifier", s."timeline", s."database_oid")
                            IS DISTINCT FROM (here.system_identifier, here.timeline, here.database_oid);
                END IF;
            END IF;
            SELECT s."generation" INTO found FROM "strata"."store" AS s WHERE s."number" = store_number;
            RETURN found;
        END
        $function$
        """#)
}
