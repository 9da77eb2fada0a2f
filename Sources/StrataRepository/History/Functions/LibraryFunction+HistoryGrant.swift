extension LibraryFunction {
    /// Gives a role what it needs to read the history, to write the tables with it, or to prune it.
    package static let historyGrant = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_grant"(role name, what text)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            IF what IS NULL OR what NOT IN ('read', 'write', 'prune', 'own') THEN
                RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
                    MESSAGE = format('history_grant: %L is none of read, write, prune, own', what);
            END IF;
            EXECUTE format('GRANT USAGE ON SCHEMA "strata" TO %I', role);
            EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA "strata" TO %I', role);
            EXECUTE format('GRANT EXECUTE ON FUNCTION "strata"."history_adopt"(text), "strata"."history_try_adopt"(text), '
                '"strata"."history_findings"(text), "strata"."history_context"(text) TO %I', role);
            IF what = 'write' THEN
                EXECUTE format('GRANT USAGE ON SEQUENCE "strata"."key_block" TO %I', role);
                EXECUTE format('GRANT INSERT, UPDATE ON "strata"."history_consumer" TO %I', role);
            ELSIF what = 'prune' THEN
                EXECUTE format('GRANT EXECUTE ON FUNCTION "strata"."history_delete"(text, xid8[], smallint[]), '
                    '"strata"."history_cutoff"(text, bigint), '
                    '"strata"."history_prune_below"(text, timestamptz, smallint, xid8, integer), '
                    '"strata"."history_prune"(text, timestamptz, bigint, integer), '
                    '"strata"."history_partition_ahead"(), "strata"."history_partition_drop"(), "strata"."history_partition_sweep"(), '
                    '"strata"."history_expire"(text, timestamptz, smallint, xid8) TO %I', role);
            ELSIF what = 'own' THEN
                -- A second owner of tables in this database: its trigger functions write the history with its rights.
                EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "strata" TO %I', role);
                EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA "strata" TO %I', role);
                EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA "strata" TO %I', role);
            END IF;
        END
        $function$
        """#)
}
