extension LibraryFunction {
    /// Makes trigger functions and triggers be what the description says. Does nothing where they are already.
    package static let historySync = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_sync"(schema_name text)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
        SET plan_cache_mode = force_generic_plan SET check_function_bodies = off AS $function$
        DECLARE
            namespace oid := (SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = schema_name);
            expected jsonb := (
                SELECT coalesce(jsonb_agg(to_jsonb(e)), '[]') FROM "strata"."history_expected"(schema_name) AS e);
            triggers jsonb := (
                SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM "strata"."history_triggers"(schema_name, expected) AS t);
            -- What is there is looked up once: each question goes over the triggers of all tables.
            found jsonb := (SELECT coalesce(jsonb_agg(to_jsonb(g)), '[]') FROM "strata"."history_found"(namespace) AS g);
            functions oid[] := "strata"."history_objects"(namespace, 'pg_proc');
            part record;
        BEGIN
            -- A function that differs is replaced: that takes no lock on its table.
            FOR part IN
                SELECT e ->> 'function_name' AS name, e ->> 'body' AS body FROM jsonb_array_elements(expected) AS e
                WHERE NOT EXISTS (
                    SELECT FROM pg_proc AS p WHERE p.oid = ANY (functions) AND p.proname = e ->> 'function_name'
                        AND p.prosrc = e ->> 'body' AND p.prosecdef
                        AND p.proconfig = ARRAY['search_path=pg_catalog, pg_temp'])
            LOOP
                EXECUTE format(
                    'CREATE OR REPLACE FUNCTION %1$I.%2$I() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER '
                    'SET search_path = pg_catalog, pg_temp AS %3$L', schema_name, part.name, part.body);
                EXECUTE format('REVOKE ALL ON FUNCTION %I.%I() FROM PUBLIC', schema_name, part.name);
            END LOOP;

            -- Tables are locked only where a trigger is missing, or is not the one that is wanted, or is too much.
            FOR part IN
                SELECT t ->> 'trigger_name' AS name, t ->> 'clause' AS clause, t ->> 'function_name' AS function_name
                FROM jsonb_array_elements(triggers) AS t
                WHERE NOT EXISTS (
                    SELECT FROM jsonb_array_elements(found) AS g
                    WHERE g -> 'table_name' = t -> 'table_name' AND g -> 'trigger_name' = t -> 'trigger_name'
                        AND g -> 'function_name' = t -> 'function_name' AND g -> 'type' = t -> 'type'
                        AND g -> 'columns' = t -> 'columns' AND (g -> 'has_tables')::boolean)
            LOOP
                EXECUTE format('CREATE OR REPLACE TRIGGER %I %s FOR EACH STATEMENT EXECUTE FUNCTION %I.%I()',
                    part.name, part.clause, schema_name, part.function_name);
            END LOOP;
            FOR part IN
                SELECT g ->> 'table_name' AS table_name, g ->> 'trigger_name' AS trigger_name, w.is_wanted
                FROM jsonb_array_elements(found) AS g
                CROSS JOIN LATERAL (SELECT EXISTS (
                    SELECT FROM jsonb_array_elements(triggers) AS t
                    WHERE t -> 'table_name' = g -> 'table_name' AND t -> 'trigger_name' = g -> 'trigger_name')) AS w (is_wanted)
                WHERE g ->> 'enabled' <> 'O' OR NOT w.is_wanted
            LOOP
                IF part.is_wanted THEN
                    EXECUTE format('ALTER TABLE %I.%I ENABLE TRIGGER %I', schema_name, part.table_name, part.trigger_name);
                ELSE
                    EXECUTE format('DROP TRIGGER %I ON %I.%I', part.trigger_name, schema_name, part.table_name);
                END IF;
            END LOOP;
            -- Functions of tables that are gone, were renamed, or are no longer described.
            FOR part IN
                SELECT p.proname AS name FROM pg_proc AS p
                WHERE p.oid = ANY (functions) AND p.prorettype = 'trigger'::regtype AND p.proname LIKE 'strata\_history\_%'
                    AND NOT EXISTS (
                        SELECT FROM jsonb_array_elements(expected) AS e WHERE e ->> 'function_name' = p.proname)
            LOOP
                EXECUTE format('DROP FUNCTION %I.%I()', schema_name, part.name);
            END LOOP;
        END
        $function$
        """#)
}
