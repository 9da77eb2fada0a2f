extension LibraryFunction {
    /// How many transaction numbers are given out in a time, by what the history says of the last one.
    package static let historyPace = LibraryFunction(
        #"""
        CREATE OR REPLACE FUNCTION "strata"."history_pace"(every interval)
        RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $function$
        DECLARE
            now_at bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
            first record;
            width numeric;
            place record;
        BEGIN
            -- The first transactions of the partitions, the newest partition first: the latest that lies back far enough says how fast numbers go.
            FOR place IN
                SELECT l.lower FROM (
                    SELECT '0'::xid8 AS lower UNION SELECT p."upper" FROM "strata"."history_partition" AS p WHERE p."number" > 0) AS l
                WHERE l.lower::text::bigint < now_at ORDER BY 1 DESC
            LOOP
                SELECT t."xid"::text::bigint AS xid, extract(epoch FROM clock_timestamp() - t."at") AS age INTO first
                FROM "strata"."store" AS s CROSS JOIN LATERAL (
                    SELECT x."xid", x."at" FROM "strata"."history_transaction" AS x
                    WHERE x."store" = s."number" AND x."generation" = s."generation" AND x."xid" >= place.lower
                    ORDER BY x."store", x."generation", x."xid" LIMIT 1) AS t
                ORDER BY t."xid" LIMIT 1;
                IF FOUND AND first.xid < now_at AND first.age > 0 THEN
                    -- What was seen for a moment says little of a week: a partition that is too narrow is followed by wider ones.
                    width := least((now_at - first.xid) / first.age * extract(epoch FROM every), greatest(4 * (now_at - first.xid), 1000000));
                    EXIT WHEN first.age >= extract(epoch FROM every) / 4;
                END IF;
            END LOOP;
            RETURN greatest(10000, least(coalesce(width, 1000000), 1e15))::bigint;
        END
        $function$
        """#)
}
