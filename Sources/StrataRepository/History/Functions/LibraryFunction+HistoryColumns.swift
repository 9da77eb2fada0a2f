extension LibraryFunction {
    /// The columns of one class in one table that exist now and that a description names, each with its bit; those of subclasses too that have
    /// theirs in the same table.
    package static let historyColumns = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_columns"(tracked jsonb, relation oid, entity_id integer)
        RETURNS TABLE ("bit" integer, name text, changed text, kept text, is_external boolean)
        LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        #variable_conflict use_column
        BEGIN
            RETURN QUERY
            SELECT DISTINCT ON ((p ->> 'bit')::integer, a.attname)
                (p ->> 'bit')::integer, a.attname::text,
                "strata"."history_comparison"(a.attname::text, a.atttypid, a.attcollation),
                CASE WHEN (p ->> 'preserved')::boolean THEN
                    CASE a.atttypid
                        -- Texts that depend on no setting of the session.
                        WHEN 'bytea'::regtype THEN format('encode(o.%I, ''hex'')', a.attname)
                        WHEN 'timestamptz'::regtype THEN format('o.%I AT TIME ZONE ''UTC''', a.attname)
                        WHEN 'interval'::regtype THEN format('CASE WHEN isfinite(o.%1$I) THEN ''P'' || '
                            'extract(year FROM o.%1$I) * 12 + extract(month FROM o.%1$I) || ''M'' || extract(day FROM o.%1$I) || ''DT'' || '
                            'extract(hour FROM o.%1$I) || ''H'' || extract(minute FROM o.%1$I) || ''M'' || extract(second FROM o.%1$I) || ''S'' '
                            'ELSE o.%1$I::text END', a.attname)
                        ELSE format('o.%I', a.attname) END END,
                coalesce((p ->> 'external')::boolean, false)
            FROM (VALUES (0, 'current'), (1, 'next')) AS v (place, version),
                jsonb_array_elements(tracked -> v.version -> 'entities') AS e,
                jsonb_array_elements(e -> 'properties') AS p
            -- A reference to a key of several columns has changed where one of its columns has.
            JOIN pg_attribute AS a ON a.attrelid = relation AND (a.attname = p ->> 'column' OR p -> 'columns' ? a.attname::text) AND a.attnum > 0
            WHERE jsonb_typeof(tracked -> v.version) = 'object'
                AND e ->> 'table' = (SELECT c.relname FROM pg_class AS c WHERE c.oid = relation)
                AND EXISTS (
                    SELECT FROM jsonb_array_elements(tracked -> v.version -> 'entities') AS r
                    WHERE (r ->> 'id')::integer = entity_id AND r ->> 'table' = e ->> 'table')
            ORDER BY (p ->> 'bit')::integer, a.attname, v.place;
        END
        $function$
        """#)
}
