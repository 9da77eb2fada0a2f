-- Checks of 0003_v2_v3. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M203
--   Trip: name, start_date, end_date must be unique, and rows share values
-- remedy: remove the duplicates first, in the stage's willMigrate or by hand
SELECT string_agg("pk"::text, ', ' ORDER BY "pk"), concat_ws(', ', "name"::text, "start_date"::text, "end_date"::text)
FROM "public"."trip" WHERE "name" IS NOT NULL AND "start_date" IS NOT NULL AND "end_date" IS NOT NULL
GROUP BY "name", "start_date", "end_date" HAVING count(*) > 1;
