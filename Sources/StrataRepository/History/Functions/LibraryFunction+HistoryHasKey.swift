extension LibraryFunction {
    /// Whether a row of a class's table has a key, an expression: one value, or a JSON array of several. The index of the primary key is searched.
    package static let historyHasKey = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_has_key"(relation oid, row_name text, key text)
        RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            names text[];
            parts text[];
        BEGIN
            SELECT array_agg(a.attname::text ORDER BY u.place),
                array_agg(CASE a.atttypid WHEN 'timestamptz'::regtype THEN format('(%s ->> %s)::timestamp AT TIME ZONE ''UTC''', key, u.place - 1)
                    ELSE format('(%s ->> %s)::%s', key, u.place - 1, format_type(a.atttypid, NULL)) END ORDER BY u.place)
            INTO names, parts
            FROM pg_index AS x CROSS JOIN LATERAL unnest(x.indkey::smallint[]) WITH ORDINALITY AS u (number, place)
            JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = u.number
            WHERE x.indrelid = relation AND x.indisprimary AND u.place <= x.indnkeyatts;
            -- A primary key that has more than "pk", because somebody has partitioned the table, is not the key of the object.
            IF names IS NULL OR cardinality(names) = 1 OR 'pk' = ANY (names) THEN
                RETURN format('%s.%s = %s', row_name, "strata"."history_key"(relation), key);
            END IF;
            RETURN format('(%s) = (%s)', (SELECT string_agg(format('%s.%I', row_name, u), ', ') FROM unnest(names) AS u),
                array_to_string(parts, ', '));
        END
        $function$
        """#)
}
