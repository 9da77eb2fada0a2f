extension LibraryFunction {
    /// The number of a row's concrete class as an expression.
    package static let historyClassExpression = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_class_expression"(
            schema_name text, tracked jsonb, entity_id integer, entity_word integer, row_name text, key text)
        RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            own integer;
            branches text;
            place record;
        BEGIN
            SELECT h."id" INTO own FROM "strata"."history_entity" AS h WHERE h."base" = entity_id AND h."word" = entity_word;
            -- The root's table says which class an object has, if it does so in this moment.
            SELECT r ->> 'table' AS table_name, a.attname AS class_name, c.oid AS relation INTO place
            FROM (VALUES (0, 'current'), (1, 'next')) AS v (number, version),
                jsonb_array_elements(tracked -> v.version -> 'entities') AS e,
                jsonb_array_elements(tracked -> v.version -> 'entities') AS r,
                pg_class AS c, pg_attribute AS a
            WHERE jsonb_typeof(tracked -> v.version) = 'object'
                AND (e ->> 'id')::integer = entity_id AND (r ->> 'id')::integer = (e ->> 'root')::integer
                AND c.relname = r ->> 'table'
                AND c.relnamespace = (SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = history_class_expression.schema_name)
                AND a.attrelid = c.oid AND a.attname = r ->> 'class' AND a.attnum > 0
            ORDER BY v.number LIMIT 1;
            IF NOT FOUND THEN
                RETURN own::text;
            END IF;

            WITH RECURSIVE family AS (
                SELECT v.number, v.version, e AS entity
                FROM (VALUES (0, 'current'), (1, 'next')) AS v (number, version),
                    jsonb_array_elements(tracked -> v.version -> 'entities') AS e
                WHERE jsonb_typeof(tracked -> v.version) = 'object' AND (e ->> 'id')::integer = entity_id
                UNION ALL
                SELECT f.number, f.version, e
                FROM family AS f, jsonb_array_elements(tracked -> f.version -> 'entities') AS e
                WHERE e ->> 'parent' = f.entity ->> 'name'),
            named AS (
                SELECT DISTINCT ON (value) value, (f.entity ->> 'id')::integer AS id
                FROM family AS f, jsonb_array_elements_text(f.entity -> 'classes') AS value
                ORDER BY value, f.number)
            SELECT string_agg(format(' WHEN %L THEN %s', n.value, h."id"), '' ORDER BY n.value COLLATE "C") INTO branches
            FROM named AS n JOIN "strata"."history_entity" AS h ON h."base" = n.id AND h."word" = entity_word
            WHERE n.id <> entity_id;
            IF branches IS NULL THEN
                RETURN own::text;
            END IF;
            RETURN format('CASE %s%s ELSE %s END',
                CASE WHEN row_name IS NOT NULL THEN format('%s.%I', row_name, place.class_name)
                ELSE format('(SELECT r.%I FROM %I.%I AS r WHERE %s)', place.class_name, schema_name,
                    place.table_name, "strata"."history_has_key"(place.relation, 'r', key)) END,
                branches, own);
        END
        $function$
        """#)
}
