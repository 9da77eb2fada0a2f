extension LibraryFunction {
    /// Gives classes numbers and properties bits, those they had before where they had some.
    ///
    /// Returns the description with the numbers in it.
    package static let historyRegister = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_register"(
            store_number integer, description jsonb, previous jsonb, is_next boolean, is_promotion boolean)
        RETURNS jsonb LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            names text[] := ARRAY(SELECT e ->> 'name' FROM jsonb_array_elements(description -> 'entities') AS e);
            claimed text[];
            place record;
            hints text[];
            known record;
            entity_id integer;
            root_id integer;
            ids jsonb := '{}';
            taken integer[] := '{}';
            old_name text;
            old_entity jsonb;
            property jsonb;
            properties jsonb;
            property_names text[];
            property_claims text[];
            number smallint;
            taken_bits smallint[];
            moved_bits smallint[] := '{}';
            -- The classes by the names that `was` speaks of.
            former jsonb := (
                SELECT coalesce(jsonb_object_agg(h."id", h."name"), '{}') FROM "strata"."history_entity" AS h
                WHERE h."store" = store_number AND h."word" = 0 AND NOT h."retired");
            entities jsonb := '[]';
            links jsonb := '[]';
            link jsonb;
            side jsonb;
            sides jsonb;
        BEGIN
            -- A former name counts once: when the description before did not have it for the same name.
            claimed := ARRAY(
                SELECT w FROM jsonb_array_elements(description -> 'entities') AS e,
                    jsonb_array_elements_text(coalesce(e -> 'was', '[]')) AS w
                WHERE EXISTS (SELECT FROM jsonb_array_elements(previous -> 'entities') AS p WHERE p ->> 'name' = w)
                    AND NOT EXISTS (
                        SELECT FROM jsonb_array_elements(previous -> 'entities') AS p
                        WHERE p ->> 'name' = e ->> 'name' AND coalesce(p -> 'was', '[]') ? w));
            FOR place IN
                WITH RECURSIVE tree AS (
                    SELECT e AS entity, e ->> 'name' AS name, e ->> 'name' AS root, 0 AS depth
                    FROM jsonb_array_elements(description -> 'entities') AS e WHERE e ->> 'parent' IS NULL
                    UNION ALL
                    SELECT e, e ->> 'name', t.root, t.depth + 1
                    FROM jsonb_array_elements(description -> 'entities') AS e JOIN tree AS t ON e ->> 'parent' = t.name)
                SELECT t.entity, t.name, t.root, t.depth,
                    ARRAY(SELECT jsonb_array_elements_text(coalesce(t.entity -> 'was', '[]'))) AS was
                FROM tree AS t ORDER BY t.depth, t.name COLLATE "C"
            LOOP
                root_id := (ids ->> place.root)::integer;
                hints := ARRAY(SELECT w FROM unnest(place.was) AS w WHERE w = ANY (claimed)
                    AND NOT EXISTS (
                        SELECT FROM jsonb_array_elements(previous -> 'entities') AS p
                        WHERE p ->> 'name' = place.name AND coalesce(p -> 'was', '[]') ? w));
                SELECT h."id", h."name" INTO known
                FROM "strata"."history_entity" AS h,
                    LATERAL (SELECT CASE
                        WHEN is_promotion AND h."next_name" = place.name THEN 0
                        WHEN is_promotion AND h."next_name" = ANY (names) THEN NULL
                        WHEN h."name" = ANY (hints) THEN 1
                        WHEN h."name" = place.name AND h."name" <> ALL (claimed) THEN 2
                        WHEN h."name" = ANY (names) THEN NULL
                        WHEN h."name" = ANY (place.was) THEN 3
                        -- The way back: what is there now was renamed from this one.
                        WHEN EXISTS (
                            SELECT FROM jsonb_array_elements(previous -> 'entities') AS p
                            WHERE p ->> 'name' = h."name" AND coalesce(p -> 'was', '[]') ? place.name) THEN 4
                        END AS rank) AS r
                WHERE h."store" = store_number AND h."word" = 0 AND NOT h."retired" AND h."id" <> ALL (taken)
                    AND h."root" = coalesce(root_id, h."id") AND r.rank IS NOT NULL
                ORDER BY r.rank, h."id" LIMIT 1;
                IF FOUND THEN
                    entity_id := known."id";
                    old_name := known."name";
                    UPDATE "strata"."history_entity" AS h
                    SET "name" = CASE WHEN is_next THEN h."name" ELSE place.name END,
                        "next_name" = CASE WHEN is_next THEN nullif(place.name, h."name") END
                    WHERE h."base" = entity_id;
                ELSE
                    old_name := NULL;
                    entity_id := nextval(pg_get_serial_sequence('strata.history_entity', 'id'));
                    INSERT INTO "strata"."history_entity" ("id", "store", "name", "root", "base")
                    VALUES (entity_id, store_number, place.name, coalesce(root_id, entity_id), entity_id);
                END IF;
                taken := taken || entity_id;
                ids := ids || jsonb_build_object(place.name, entity_id);
                root_id := coalesce(root_id, entity_id);

                old_entity := (SELECT e FROM jsonb_array_elements(previous -> 'entities') AS e WHERE e ->> 'name' = old_name);
                property_names := ARRAY(SELECT p ->> 'name' FROM jsonb_array_elements(place.entity -> 'properties') AS p);
                property_claims := ARRAY(
                    SELECT w FROM jsonb_array_elements(place.entity -> 'properties') AS p,
                        jsonb_array_elements_text(coalesce(p -> 'was', '[]')) AS w
                    WHERE EXISTS (SELECT FROM jsonb_array_elements(old_entity -> 'properties') AS q WHERE q ->> 'name' = w)
                        AND NOT EXISTS (
                            SELECT FROM jsonb_array_elements(old_entity -> 'properties') AS q
                            WHERE q ->> 'name' = p ->> 'name' AND coalesce(q -> 'was', '[]') ? w));
                properties := '[]';
                taken_bits := '{}';
                FOR property IN SELECT p FROM jsonb_array_elements(place.entity -> 'properties') AS p LOOP
                    hints := ARRAY(
                        SELECT w FROM jsonb_array_elements_text(coalesce(property -> 'was', '[]')) AS w
                        WHERE w = ANY (property_claims) AND NOT EXISTS (
                            SELECT FROM jsonb_array_elements(old_entity -> 'properties') AS q
                            WHERE q ->> 'name' = property ->> 'name' AND coalesce(q -> 'was', '[]') ? w));
                    SELECT h."bit" INTO number
                    FROM "strata"."history_property" AS h,
                        LATERAL (SELECT CASE
                            -- Another class of the hierarchy had it.
                            WHEN h."entity" <> entity_id THEN CASE
                                WHEN h."bit" <> ALL (moved_bits) AND coalesce(property -> 'was', '[]')
                                    ? ((former ->> h."entity"::text) || '.' || h."name") THEN 5 END
                            WHEN is_promotion AND h."next_name" = property ->> 'name' THEN 0
                            WHEN is_promotion AND h."next_name" = ANY (property_names) THEN NULL
                            WHEN h."name" = ANY (hints) THEN 1
                            WHEN h."name" = property ->> 'name' AND h."name" <> ALL (property_claims) THEN 2
                            WHEN h."name" = ANY (property_names) THEN NULL
                            WHEN coalesce(property -> 'was', '[]') ? h."name" THEN 3
                            WHEN EXISTS (
                                SELECT FROM jsonb_array_elements(old_entity -> 'properties') AS q
                                WHERE q ->> 'name' = h."name" AND coalesce(q -> 'was', '[]') ? (property ->> 'name')) THEN 4
                            END AS rank) AS r
                    WHERE h."root" = root_id AND NOT h."retired" AND h."bit" <> ALL (taken_bits)
                        AND r.rank IS NOT NULL
                    ORDER BY r.rank, h."bit" LIMIT 1;
                    IF FOUND THEN
                        moved_bits := moved_bits || number;
                        UPDATE "strata"."history_property" AS h
                        SET "entity" = CASE WHEN is_next THEN h."entity" ELSE entity_id END,
                            "name" = CASE WHEN is_next THEN h."name" ELSE property ->> 'name' END,
                            "next_name" = CASE WHEN is_next THEN nullif(property ->> 'name', h."name") END
                        WHERE h."root" = root_id AND h."bit" = number;
                    ELSE
                        -- Bits are never used again: retired ones count.
                        number := (SELECT coalesce(max(h."bit") + 1, 0) FROM "strata"."history_property" AS h
                            WHERE h."root" = root_id);
                        INSERT INTO "strata"."history_property" ("root", "bit", "entity", "name")
                        VALUES (root_id, number, entity_id, property ->> 'name');
                    END IF;
                    taken_bits := taken_bits || number;
                    properties := properties || (property || jsonb_build_object('bit', number));
                END LOOP;
                entities := entities || (place.entity || jsonb_build_object(
                    'id', entity_id, 'root', root_id, 'properties', properties));
            END LOOP;

            FOR link IN SELECT l FROM jsonb_array_elements(description -> 'links') AS l LOOP
                sides := '[]';
                FOR side IN SELECT s FROM jsonb_array_elements(link -> 'sides') AS s LOOP
                    -- The relationship may be inherited: the nearest class upwards declares it.
                    sides := sides || coalesce((
                        WITH RECURSIVE chain AS (
                            SELECT e AS entity, 0 AS depth FROM jsonb_array_elements(entities) AS e
                            WHERE e ->> 'name' = side ->> 'entity'
                            UNION ALL
                            SELECT e, c.depth + 1 FROM jsonb_array_elements(entities) AS e
                            JOIN chain AS c ON e ->> 'name' = c.entity ->> 'parent')
                        SELECT side || jsonb_build_object(
                            'id', (ids ->> (side ->> 'entity'))::integer, 'root', c.entity -> 'root', 'bit', p -> 'bit')
                        FROM chain AS c, jsonb_array_elements(c.entity -> 'properties') AS p
                        WHERE p ->> 'name' = side ->> 'property' ORDER BY c.depth LIMIT 1), '[]');
                END LOOP;
                links := links || (link || jsonb_build_object('sides', sides));
            END LOOP;
            RETURN jsonb_build_object('entities', entities, 'links', links);
        END
        $function$
        """#)
}
