extension LibraryFunction {
    /// The condition under which a column differs between an old row `o` and a new row `n`, for a pinned `search_path`.
    package static let historyComparison = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_comparison"(name text, type oid, "collation" oid)
        RETURNS text LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $function$
        BEGIN
            RETURN (SELECT CASE
                -- These types have an equality in pg_catalog, by which a value is replaced by itself alone; arrays compare by that of their
                -- elements. Not so intervals, of which a month equals 30 days.
                WHEN t.typtype = 'e' OR coalesce(nullif(CASE WHEN t.typcategory = 'A' THEN t.typelem END, 0), t.oid) IN (
                    'bool'::regtype, 'int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'float4'::regtype, 'float8'::regtype,
                    'numeric'::regtype, 'text'::regtype, 'varchar'::regtype, 'bpchar'::regtype, 'bytea'::regtype,
                    'date'::regtype, 'time'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype,
                    'uuid'::regtype, 'jsonb'::regtype, 'oid'::regtype)
                THEN format('n.%1$I%2$s IS DISTINCT FROM o.%1$I%2$s', name,
                    -- Under other collations texts that differ may count as equal.
                    CASE WHEN "collation" <> 0 THEN ' COLLATE "C"' ELSE '' END)
                ELSE format('record_image_ne(ROW(n.%1$I), ROW(o.%1$I))', name) END
            FROM pg_type AS t WHERE t.oid = type);
        END
        $function$
        """#)
}
