-- Checks of 0003_v2_v3. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M203
--   Trip: name, start_date, end_date must be unique, and rows share values
-- remedy: remove the duplicates first, in the stage's willMigrate or by hand
SELECT string_agg("pk"::text, ', ' ORDER BY "pk"), concat_ws(', ', v1::text, v2::text, v3::text)
FROM (SELECT "pk", "name" AS v1, "start_date" AS v2, "end_date" AS v3 FROM "public"."trip") AS s
WHERE v1 IS NOT NULL AND v2 IS NOT NULL AND v3 IS NOT NULL
GROUP BY v1, v2, v3 HAVING count(*) > 1;
