extension LibraryFunction {
    /// Records by the description with a change from now on, and as well by what that will be with a further one.
    static let historyFollow = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_follow"(schema_name text, change jsonb, next jsonb DEFAULT NULL)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
        SET plan_cache_mode = force_generic_plan AS $function$
        DECLARE
            present jsonb;
            changed jsonb;
        BEGIN
            -- Whoever describes at the same moment is waited for before the description is read.
            PERFORM FROM "strata"."store" AS s WHERE s."schema_name" = history_follow.schema_name FOR UPDATE;
            SELECT d."current" INTO present
            FROM "strata"."store" AS s JOIN "strata"."history_description" AS d ON d."store" = s."number"
            WHERE s."schema_name" = history_follow.schema_name;
            changed := "strata"."history_changed"(present, history_follow.change);
            PERFORM "strata"."history_describe"(
                history_follow.schema_name, changed,
                CASE WHEN history_follow.next IS NOT NULL THEN "strata"."history_changed"(changed, history_follow.next) END);
        END
        $function$
        """#)
}
