extension LibraryFunction {
    /// The trigger functions as they must be for the tables and columns that exist now.
    package static let historyExpected = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_expected"(schema_name text)
        RETURNS TABLE (relation oid, table_name text, function_name text, body text, wide text[])
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            store_number integer;
            tracked jsonb;
            prefix text;
            family jsonb;
            link_tables text[];
            relations oid[] := "strata"."history_objects"(
                (SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = schema_name), 'pg_class');
            inserting text;
            updating text;
            deleting text;
            truncating text;
            concerned integer[];
            entity jsonb;
            link jsonb;
            part record;
        BEGIN
            SELECT s."number", d."tracked" INTO store_number, tracked
            FROM "strata"."store" AS s JOIN "strata"."history_description" AS d ON d."store" = s."number"
            WHERE s."schema_name" = history_expected.schema_name;
            prefix := coalesce(tracked ->> 'prefix', 'strata_history_');
            link_tables := ARRAY(
                SELECT l ->> 'table' FROM (VALUES ('current'), ('next')) AS v (version),
                    jsonb_array_elements(tracked -> v.version -> 'links') AS l
                WHERE jsonb_typeof(tracked -> v.version) = 'object');
            FOR relation, table_name, entity, family IN
                WITH e AS MATERIALIZED (
                    SELECT v.number, x.place, x.entity
                    FROM (VALUES (0, 'current'), (1, 'next')) AS v (number, version),
                        jsonb_array_elements(tracked -> v.version -> 'entities') WITH ORDINALITY AS x (entity, place)
                    WHERE jsonb_typeof(tracked -> v.version) = 'object'),
                -- Of many classes a table has to know its own hierarchy only. A class has one root for ever.
                f AS MATERIALIZED (
                    SELECT e.entity -> 'root' AS root, jsonb_build_object(
                        'current', jsonb_build_object('entities',
                            coalesce(jsonb_agg(e.entity ORDER BY e.place) FILTER (WHERE e.number = 0), '[]')),
                        'next', CASE WHEN jsonb_typeof(tracked -> 'next') = 'object' THEN jsonb_build_object('entities',
                            coalesce(jsonb_agg(e.entity ORDER BY e.place) FILTER (WHERE e.number = 1), '[]')) END) AS tracked
                    FROM e GROUP BY e.entity -> 'root'),
                -- A table belongs to the class that has it now, else to the one that is going to have it.
                o AS MATERIALIZED (
                    SELECT DISTINCT ON (e.entity ->> 'table') e.entity ->> 'table' AS name, e.entity, f.tracked
                    FROM e JOIN f ON f.root = e.entity -> 'root' ORDER BY e.entity ->> 'table', e.number, e.place)
                SELECT c.oid, c.relname::text, o.entity, o.tracked
                FROM pg_class AS c LEFT JOIN o ON o.name = c.relname::text
                WHERE c.oid = ANY (relations) AND c.relkind IN ('r', 'p') AND (o.name IS NOT NULL OR c.relname::text = ANY (link_tables))
                ORDER BY c.relname
            LOOP
                inserting := ''; updating := ''; deleting := ''; truncating := ''; wide := '{}'; concerned := '{}';
                IF entity IS NOT NULL THEN
                    SELECT * INTO part FROM "strata"."history_entity_part"(
                        schema_name, store_number, family, relation, table_name, entity);
                    inserting := part.inserting; updating := part.updating; deleting := part.deleting;
                    truncating := part.truncating; wide := part.wide;
                    concerned := concerned || (entity ->> 'id')::integer;
                END IF;
                FOR link IN
                    SELECT DISTINCT ON (s -> 'column', s -> 'root', s -> 'bit') s
                    FROM (VALUES (0, 'current'), (1, 'next')) AS v (number, version),
                        jsonb_array_elements(tracked -> v.version -> 'links') AS l, jsonb_array_elements(l -> 'sides') AS s
                    JOIN pg_attribute AS a ON a.attrelid = relation AND a.attname = s ->> 'column' AND a.attnum > 0
                    WHERE table_name = ANY (link_tables) AND jsonb_typeof(tracked -> v.version) = 'object'
                        AND l ->> 'table' = table_name
                    ORDER BY s -> 'column', s -> 'root', s -> 'bit', v.number
                LOOP
                    SELECT * INTO part FROM "strata"."history_link_part"(
                        schema_name, store_number, tracked, relation, table_name, link);
                    inserting := inserting || part.inserting; updating := updating || part.updating;
                    deleting := deleting || part.deleting; truncating := truncating || part.truncating;
                    concerned := concerned || (link ->> 'id')::integer;
                END LOOP;
                function_name := prefix || CASE WHEN octet_length(prefix || table_name) <= 63 THEN table_name ELSE md5(table_name) END;
                body := format(E'\nDECLARE\n    is_touched boolean;\nBEGIN\n'
                    '    IF current_setting(''strata.history'', true) = ''off'' THEN\n'
                    -- What touches no row leaves no trace.
                    '        IF TG_OP = ''INSERT'' THEN\n            is_touched := EXISTS (SELECT FROM n);\n'
                    '        ELSIF TG_OP IN (''UPDATE'', ''DELETE'') AND TG_WHEN = ''AFTER'' THEN\n'
                    '            is_touched := EXISTS (SELECT FROM o);\n'
                    '        ELSE\n            is_touched := TG_OP = ''TRUNCATE'';\n        END IF;\n'
                    '        IF "strata"."history_suspended"(TG_RELID, CASE WHEN is_touched THEN %L::integer[] ELSE ''{}'' END) THEN\n'
                    '            RETURN NULL;\n        END IF;\n    END IF;\n'
                    '    IF TG_OP = ''INSERT'' THEN%s\n    ELSIF TG_OP = ''UPDATE'' THEN%s%s\n    ELSIF TG_OP = ''DELETE'' THEN%s\n'
                    '    ELSE%s\n'
                    -- A snapshot from before sees none of the rows that were committed since, and they go as well.
                    '        IF current_setting(''transaction_isolation'') IN (''repeatable read'', ''serializable'') THEN\n'
                    '            PERFORM "strata"."history_reset_entities"(%L::integer[]);\n        END IF;\n'
                    '    END IF;\n    RETURN NULL;\nEND\n',
                    concerned, inserting,
                    CASE WHEN wide <> '{}' THEN format(E'\n        IF TG_WHEN = ''BEFORE'' THEN\n'
                        '            PERFORM set_config(''strata.history_wide_%s'', ''on'', true);\n'
                        '            RETURN NULL;\n        END IF;', entity ->> 'id') ELSE '' END,
                    updating, deleting, truncating, concerned);
                RETURN NEXT;
            END LOOP;
        END
        $function$
        """#)
}
