extension LibraryFunction {
    /// Says which classes and properties a schema's tables hold, and makes the triggers fit.
    package static let historyDescribe = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_describe"(schema_name text, current jsonb, next jsonb DEFAULT NULL)
        RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
        SET plan_cache_mode = force_generic_plan AS $function$
        DECLARE
            store_number integer;
            before record;
            is_promotion boolean;
            tracked_now jsonb;
            tracked_next jsonb;
            prefix text;
            kept integer[];
            roots integer[];
            kept_bits jsonb;
        BEGIN
            SELECT s."number" INTO store_number FROM "strata"."store" AS s
            WHERE s."schema_name" = history_describe.schema_name FOR UPDATE;
            IF NOT FOUND THEN
                INSERT INTO "strata"."store" ("schema_name") VALUES (history_describe.schema_name) ON CONFLICT DO NOTHING;
                SELECT s."number" INTO store_number FROM "strata"."store" AS s
                WHERE s."schema_name" = history_describe.schema_name FOR UPDATE;
            END IF;
            SELECT d."current", d."next", d."tracked" INTO before
            FROM "strata"."history_description" AS d WHERE d."store" = store_number;
            -- Whatever names a function looks at all functions of that name, in all schemas: those of many stores with the same tables have names of
            -- their own. They keep those that they began with.
            prefix := CASE WHEN FOUND THEN before."tracked" ->> 'prefix' ELSE format('strata_history_%s_', store_number) END;
            IF before."tracked" IS NULL OR before."current" IS DISTINCT FROM history_describe.current
                OR before."next" IS DISTINCT FROM history_describe.next
            THEN
                is_promotion := before."current" IS DISTINCT FROM history_describe.current;
                tracked_now := "strata"."history_register"(
                    store_number, history_describe.current, before."current", false, is_promotion);
                IF history_describe.next IS NOT NULL THEN
                    tracked_next := "strata"."history_register"(
                        store_number, history_describe.next, history_describe.current, true, false);
                END IF;

                -- What neither description names any more is kept for the changes that mention it.
                kept := ARRAY(
                    SELECT (e ->> 'id')::integer FROM (VALUES (tracked_now), (tracked_next)) AS t (tracked),
                        jsonb_array_elements(t.tracked -> 'entities') AS e);
                kept_bits := (
                    SELECT coalesce(jsonb_object_agg(b.root, b.bits), '{}') FROM (
                        SELECT e ->> 'root' AS root, jsonb_agg(q -> 'bit') AS bits
                        FROM (VALUES (tracked_now), (tracked_next)) AS t (tracked),
                            jsonb_array_elements(t.tracked -> 'entities') AS e, jsonb_array_elements(e -> 'properties') AS q
                        GROUP BY e ->> 'root') AS b);
                -- An array, and no join: the properties of this store alone are looked at, whatever the planner believes of all the others'.
                roots := ARRAY(SELECT h."id" FROM "strata"."history_entity" AS h WHERE h."store" = store_number);
                UPDATE "strata"."history_property" AS p SET "retired" = true, "next_name" = NULL
                WHERE p."root" = ANY (roots) AND NOT p."retired"
                    AND NOT coalesce(kept_bits -> p."root"::text @> to_jsonb(p."bit"), false);
                UPDATE "strata"."history_entity" AS h SET "retired" = true, "next_name" = NULL
                WHERE h."store" = store_number AND NOT h."retired" AND h."base" <> ALL (kept);

                -- A mask has 63 bits: a wider hierarchy's classes have a number for each further word.
                INSERT INTO "strata"."history_entity" ("store", "name", "next_name", "root", "word", "base")
                SELECT h."store", h."name", h."next_name", h."root", w, h."id"
                FROM "strata"."history_entity" AS h
                CROSS JOIN LATERAL (
                    SELECT max(x."word") + 1 AS next FROM "strata"."history_entity" AS x WHERE x."base" = h."id") AS n
                CROSS JOIN LATERAL (
                    SELECT max(p."bit") / 63 AS last FROM "strata"."history_property" AS p WHERE p."root" = h."root") AS m
                CROSS JOIN generate_series(n.next, m.last) AS w
                WHERE h."store" = store_number AND h."word" = 0 AND NOT h."retired"
                ORDER BY h."id", w;

                INSERT INTO "strata"."history_description" AS d ("store", "current", "next", "tracked")
                VALUES (store_number, history_describe.current, history_describe.next,
                    jsonb_build_object('current', tracked_now, 'next', tracked_next, 'prefix', prefix))
                ON CONFLICT ("store") DO UPDATE
                SET "current" = excluded."current", "next" = excluded."next", "tracked" = excluded."tracked",
                    "installed" = now();
            END IF;
            PERFORM "strata"."history_identify"(store_number, false);
            PERFORM "strata"."history_sync"(history_describe.schema_name);
        END
        $function$
        """#)
}
