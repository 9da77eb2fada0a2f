extension LibraryFunction {
    /// What the triggers of a table of links record: an update of each object whose relationship changed.
    package static let historyLinkPart = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_link_part"(
            schema_name text, store_number integer, tracked jsonb, relation oid, table_name text, side jsonb,
            OUT inserting text, OUT updating text, OUT deleting text, OUT truncating text)
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            number integer := (side ->> 'bit')::integer;
            entity text := "strata"."history_class_expression"(
                schema_name, tracked, (side ->> 'id')::integer, number / 63, NULL, 'l."pk"');
            -- Of a key of several columns each side names all.
            names text[] := ARRAY(SELECT jsonb_array_elements_text(coalesce(side -> 'columns', jsonb_build_array(side -> 'column'))));
            key text := (
                SELECT CASE WHEN cardinality(names) = 1 THEN format('x.%I', names[1]) ELSE '(' || string_agg(format('to_jsonb(x.%I%s)', u.name,
                    CASE a.atttypid WHEN 'timestamptz'::regtype THEN ' AT TIME ZONE ''UTC''' ELSE '' END), ' || ' ORDER BY u.place) || ')' END
                FROM unnest(names) WITH ORDINALITY AS u (name, place) JOIN pg_attribute AS a ON a.attrelid = relation AND a.attname = u.name);
            -- A key that is no number stands among the preserved values.
            is_number boolean := cardinality(names) = 1 AND coalesce((
                SELECT a.atttypid IN ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype) FROM pg_attribute AS a
                WHERE a.attrelid = relation AND a.attname = side ->> 'column' AND a.attnum > 0), true);
            heads text;
            columns text[];
        BEGIN
            -- Which rows are a link: those of the table's primary key, and the column that leads to the object.
            columns := ARRAY(
                SELECT a.attname::text FROM pg_attribute AS a
                WHERE a.attrelid = relation AND a.attnum > 0 AND NOT a.attisdropped AND (a.attname = ANY (names) OR EXISTS (
                    SELECT FROM pg_index AS x WHERE x.indrelid = relation AND x.indisprimary AND a.attnum = ANY (x.indkey)))
                ORDER BY a.attnum);
            heads := "strata"."history_statement"(store_number, CASE WHEN is_number THEN '"pk"' ELSE '"tomb"' END || ', "props", "entity", "op"', format(
                E'%s, %s, %s, ''u''\n'
                '            FROM (SELECT DISTINCT %s AS "pk" FROM <rows> AS x WHERE %s IS NOT NULL) AS l',
                CASE WHEN is_number THEN 'l."pk"' ELSE 'jsonb_build_object(''key'', l."pk")' END,
                1::bigint << (number % 63), entity, key, key));
            inserting := replace(heads, '<rows>', 'n');
            deleting := replace(heads, '<rows>', 'o');
            truncating := replace(heads, '<rows>', format('%I.%I', schema_name, table_name));
            updating := replace(heads, '<rows>', (
                SELECT format(E'(\n            (SELECT %1$s FROM n EXCEPT SELECT %1$s FROM o)\n'
                    '            UNION ALL (SELECT %1$s FROM o EXCEPT SELECT %1$s FROM n))', string_agg(quote_ident(u), ', '))
                FROM unnest(columns) AS u));
        END
        $function$
        """#)
}
