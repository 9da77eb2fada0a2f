extension LibraryFunction {
    /// What the triggers of a class's table record.
    package static let historyEntityPart = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_entity_part"(
            schema_name text, store_number integer, tracked jsonb, relation oid, table_name text, entity jsonb,
            OUT inserting text, OUT updating text, OUT deleting text, OUT truncating text, OUT wide text[])
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            entity_id integer := (entity ->> 'id')::integer;
            is_root boolean := entity -> 'id' = entity -> 'root';
            new_key text := ("strata"."history_row_key"(relation, 'n')).key;
            old_key text := ("strata"."history_row_key"(relation, 'o')).key;
            -- A key that is no number stands among the preserved values.
            is_number boolean := ("strata"."history_row_key"(relation, 'n')).is_number;
            head text := CASE WHEN is_number THEN '"pk"' ELSE '"tomb"' END;
            tail text;
            of_new text := "strata"."history_class_expression"(
                schema_name, tracked, entity_id, 0, CASE WHEN is_root THEN 'n' END, new_key);
            of_old text := "strata"."history_class_expression"(
                schema_name, tracked, entity_id, 0, CASE WHEN is_root THEN 'o' END, old_key);
            -- Looked up once: that takes longer than all the rest.
            columns jsonb := (
                SELECT jsonb_agg(to_jsonb(c)) FROM "strata"."history_columns"(tracked, relation, entity_id) AS c);
            of_both text;
            of_pair text;
            has_classes boolean := is_root AND of_new LIKE 'CASE %';
            tomb text;
            masks text[];
            words integer[];
            word integer;
            wide_flag text := format('(SELECT current_setting(''strata.history_wide_%s'', true)) = ''on'' AND ', entity_id);
            inserted text := CASE WHEN is_root THEN 'I' ELSE 'i' END;
            updated text := CASE WHEN is_root THEN 'U' ELSE 'u' END;
            deleted text := CASE WHEN is_root THEN 'D' ELSE 'd' END;
        BEGIN
            SELECT coalesce(array_agg(DISTINCT c.name ORDER BY c.name) FILTER (WHERE c.is_external), '{}') INTO wide
            FROM jsonb_to_recordset(columns) AS c ("bit" integer, name text, changed text, kept text, is_external boolean);
            -- A function takes 100 arguments at most.
            SELECT string_agg(k.part, ' || ' ORDER BY k.place) INTO tomb
            FROM (
                SELECT p.place, 'jsonb_build_object(' || string_agg(p.pair, ', ' ORDER BY p.number) || ')' AS part
                FROM (
                    SELECT row_number() OVER w AS number, (row_number() OVER w - 1) / 50 AS place,
                        format('''%s'', %s', c.bit, c.kept) AS pair
                    FROM jsonb_to_recordset(columns) AS c ("bit" integer, name text, changed text, kept text, is_external boolean) WHERE c.kept IS NOT NULL
                    WINDOW w AS (ORDER BY c.bit, c.name)) AS p
                GROUP BY p.place) AS k;
            SELECT array_agg(m.word ORDER BY m.word), array_agg(m.mask ORDER BY m.word) INTO words, masks
            FROM (
                SELECT b.bit / 63 AS word, string_agg(
                    format('CASE WHEN %s THEN %s::bigint ELSE 0::bigint END', b.changed, 1::bigint << (b.bit % 63)),
                    E'\n                        + ' ORDER BY b.bit) AS mask
                FROM (
                    -- Where two versions share the rows, one property may have a column of each.
                    SELECT c.bit, string_agg(
                        -- While two versions share the rows, triggers may write what a statement does not name.
                        CASE WHEN c.is_external AND tracked ->> 'next' IS NULL THEN wide_flag ELSE '' END || c.changed, ' OR ' ORDER BY c.name) AS changed
                    FROM jsonb_to_recordset(columns) AS c ("bit" integer, name text, changed text, kept text, is_external boolean) GROUP BY c.bit) AS b
                GROUP BY 1) AS m;

            tail := CASE WHEN tomb IS NULL OR NOT is_number THEN '' ELSE ', "tomb"' END;
            inserting := "strata"."history_statement"(store_number, head || ', "entity", "op"',
                format(E'%s, %s, %L\n            FROM n',
                    CASE WHEN is_number THEN new_key ELSE format('jsonb_build_object(''key'', %s)', new_key) END, of_new, inserted));
            deleting := format(E'%s, %s, %L%s\n            FROM ',
                CASE WHEN is_number THEN old_key ELSE format('jsonb_build_object(''key'', %s)', old_key) || coalesce(' || ' || tomb, '') END,
                of_old, deleted, CASE WHEN is_number THEN ', ' || tomb END);
            truncating := "strata"."history_statement"(store_number, head || ', "entity", "op"' || tail,
                deleting || format('%I.%I AS o', schema_name, table_name));
            deleting := "strata"."history_statement"(store_number, head || ', "entity", "op"' || tail,
                deleting || 'o');

            -- A FULL JOIN is never a nested loop, whatever the cached plan was made for, and sees a changed key as one row less
            -- and one more. OFFSET 0 keeps the mask from being computed twice. An object that changes its class leaves the old
            -- one first.
            of_pair := CASE WHEN has_classes THEN format(E'\n                AND %s\n                    = %s', of_new, of_old) ELSE '' END;
            updating := format(
                E'%s, %s, %s, c."op"%s\n'
                '        FROM (\n'
                '            SELECT coalesce(%s, %s) AS "pk",\n'
                '                CASE WHEN %s IS NULL THEN %L WHEN %s IS NULL THEN %L ELSE %L END::"char" AS "op"',
                CASE WHEN is_number THEN 'c."pk"' ELSE 'jsonb_build_object(''key'', c."pk")'
                    || CASE WHEN tomb IS NULL THEN '' ELSE ' || coalesce(c."tomb", ''{}'')' END END,
                CASE WHEN cardinality(words) > 1 OR words <> '{0}' THEN 'w."props"' ELSE 'c."props_0"' END,
                CASE WHEN cardinality(words) > 1 OR words <> '{0}' THEN 'w."entity"' ELSE 'c."entity_0"' END,
                CASE WHEN tail = '' THEN '' ELSE ', c."tomb"' END, new_key, old_key, old_key, inserted, new_key, deleted,
                updated);
            IF words IS NULL OR words[1] <> 0 THEN
                words := 0 || words; masks := '0::bigint'::text || masks;
            END IF;
            FOR place IN 1 .. cardinality(words) LOOP
                word := words[place];
                of_new := "strata"."history_class_expression"(
                    schema_name, tracked, entity_id, word, CASE WHEN is_root THEN 'n' END, format('coalesce(%s, %s)', new_key, old_key));
                of_old := "strata"."history_class_expression"(
                    schema_name, tracked, entity_id, word, CASE WHEN is_root THEN 'o' END, old_key);
                of_both := CASE WHEN has_classes THEN format('CASE WHEN %s IS NULL THEN %s ELSE %s END', new_key, of_old, of_new)
                    ELSE of_new END;
                updating := updating || format(E',\n                CASE WHEN %s IS NULL OR %s IS NULL THEN NULL ELSE\n'
                    '                        %s END AS "props_%s",\n                %s AS "entity_%s"',
                    new_key, old_key, masks[place], word, of_both, word);
            END LOOP;
            updating := updating
                || CASE WHEN tomb IS NULL THEN '' ELSE format(E',\n                CASE WHEN %s IS NULL THEN %s END AS "tomb"', new_key, tomb) END
                || format(E'\n            FROM n FULL JOIN o ON %s = %s', new_key, old_key) || of_pair || E'\n            OFFSET 0) AS c'
                || CASE WHEN words = '{0}' THEN E'\n        WHERE c."props_0" IS DISTINCT FROM 0'
                    ELSE format(E'\n        CROSS JOIN LATERAL (VALUES %s) AS w ("word", "entity", "props")\n'
                        '        WHERE w."props" <> 0 OR w."props" IS NULL AND w."word" = 0',
                        (SELECT string_agg(format('(%s, c."entity_%s", c."props_%s")', u, u, u), ', ' ORDER BY u)
                         FROM unnest(words) AS u)) END
                || CASE WHEN has_classes THEN format(E'\n        ORDER BY c."op" <> %L', deleted) ELSE '' END;
            updating := "strata"."history_statement"(store_number,
                head || ', "props", "entity", "op"' || tail, updating);
        END
        $function$
        """#)
}
