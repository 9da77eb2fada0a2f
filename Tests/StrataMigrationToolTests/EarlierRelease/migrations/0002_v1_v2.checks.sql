-- Checks of 0002_v1_v2. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M203
--   Trip: name must be unique, and rows share values
-- remedy: remove the duplicates first, in the stage's willMigrate or by hand
SELECT string_agg("pk"::text, ', ' ORDER BY "pk"), concat_ws(', ', v1::text)
FROM (SELECT "pk", "name" AS v1 FROM "public"."trip") AS s
WHERE v1 IS NOT NULL
GROUP BY v1 HAVING count(*) > 1;
