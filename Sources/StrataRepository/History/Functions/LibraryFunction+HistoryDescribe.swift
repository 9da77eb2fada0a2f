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
            kept integer[];
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
            IF NOT FOUND OR before."current" IS DISTINCT FROM history_describe.current
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
                UPDATE "strata"."history_property" AS p SET "retired" = true, "next_name" = NULL
                FROM "strata"."history_entity" AS r
                WHERE r."id" = p."root" AND r."store" = store_number AND NOT p."retired" AND NOT EXISTS (
                    SELECT FROM (VALUES (tracked_now), (tracked_next)) AS t (tracked),
                        jsonb_array_elements(t.tracked -> 'entities') AS e, jsonb_array_elements(e -> 'properties') AS q
                    WHERE (e ->> 'root')::integer = p."root" AND (q ->> 'bit')::integer = p."bit");
                UPDATE "strata"."history_entity" AS h SET "retired" = true, "next_name" = NULL
                WHERE h."store" = store_number AND NOT h."retired" AND h."base" <> ALL (kept);

                -- A mask has 63 bits: a wider hierarchy's classes have a number for each further word.
                INSERT INTO "strata"."history_entity" ("store", "name", "next_name", "root", "word", "base")
                SELECT h."store", h."name", h."next_name", h."root", w, h."id"
                FROM "strata"."history_entity" AS h
                JOIN (SELECT p."root", max(p."bit") / 63 AS last FROM "strata"."history_property" AS p GROUP BY p."root") AS m
                    ON m."root" = h."root"
                CROSS JOIN generate_series(1, m.last) AS w
                WHERE h."store" = store_number AND h."word" = 0 AND NOT h."retired" AND NOT EXISTS (
                    SELECT FROM "strata"."history_entity" AS x WHERE x."base" = h."id" AND x."word" = w)
                ORDER BY h."id", w;

                INSERT INTO "strata"."history_description" AS d ("store", "current", "next", "tracked")
                VALUES (store_number, history_describe.current, history_describe.next,
                    jsonb_build_object('current', tracked_now, 'next', tracked_next))
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
