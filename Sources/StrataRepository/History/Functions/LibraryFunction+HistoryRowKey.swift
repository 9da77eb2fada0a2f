extension LibraryFunction {
    /// The key of a row of a class's table, and whether it is a number: one column, or a JSON array of several.
    package static let historyRowKey = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_row_key"(
            relation oid, row_name text, OUT key text, OUT is_number boolean)
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            -- A primary key that has more than "pk", because somebody has partitioned the table, is not the key of the object.
            SELECT CASE WHEN count(*) = 1 THEN min(c.name)
                        WHEN NOT bool_or(c.is_pk) THEN '(' || string_agg('to_jsonb(' || c.value || ')', ' || ' ORDER BY c.place) || ')' END,
                count(*) = 1 AND bool_and(c.is_integer)
            INTO key, is_number
            FROM (
                SELECT row_name || '."' || replace(a.attname::text, '"', '""') || '"' AS name, u.place, a.attname = 'pk' AS is_pk,
                    -- In JSON a timestamptz has the zone of the session.
                    row_name || '."' || replace(a.attname::text, '"', '""') || '"'
                        || CASE a.atttypid WHEN 'timestamptz'::regtype THEN ' AT TIME ZONE ''UTC''' ELSE '' END AS value,
                    a.atttypid IN ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype) AS is_integer
                FROM pg_index AS x CROSS JOIN LATERAL unnest(x.indkey::smallint[]) WITH ORDINALITY AS u (number, place)
                JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = u.number
                WHERE x.indrelid = relation AND x.indisprimary AND u.place <= x.indnkeyatts) AS c;
            IF key IS NULL THEN
                key := row_name || '."pk"';
                is_number := true;
            END IF;
        END
        $function$
        """#)
}
