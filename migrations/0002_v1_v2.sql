-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 f0a91676864b98a5b7281b654986b14e55009b2df6fd63204245dd5a1ed32f82
-- to: 2.0.0 a9ea9b157bb9a02e83a5348e2b483d22f512a697174aa7f0fd482ca30c377221
-- schema: public
-- down: none
-- because: the code of its custom stage has no way back
-- checks: 0002_v1_v2.checks.sql
-- generated: none b1d8392adda4ac34ea56011390253b2db746d9d1a687d102cfbb73f03fe795df

SELECT "strata"."migration_begin"(3, 'public', '0002_v1_v2', '1.0.0', 'f0a91676864b98a5b7281b654986b14e55009b2df6fd63204245dd5a1ed32f82', '2.0.0');

-- step 2.1 phase=expand tx=closure(willMigrate) lock=None lock_timeout=2s timeout=none
--   run willMigrate with version 1.0.0
-- operation: run-closure 06cb5704
-- SQL cannot carry this step: it is Swift. Apply this stage with the program that holds the plan.
-- With psql: see to it yourself, then run this file with PGOPTIONS='-c strata.closures=done'.
DO $strata$
BEGIN
    IF current_setting('strata.closures', true) IS DISTINCT FROM 'done' THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.1 is willMigrate of the migration plan, which SQL cannot run';
    END IF;
END
$strata$;

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT string_agg("pk"::text, ', ' ORDER BY "pk"), concat_ws(', ', v1::text)
FROM (SELECT "pk", "name" AS v1 FROM "public"."trip") AS s
WHERE v1 IS NOT NULL
GROUP BY v1 HAVING count(*) > 1
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M203: Trip: name must be unique, and rows share values';
    END IF;
END
$strata$;

-- step 2.2 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_name_key
--   build unique index trip_name_key
-- operation: build-unique-index 946d9620
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_name_key"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE UNIQUE INDEX CONCURRENTLY "trip_name_key" ON "public"."trip" ("name");
RESET lock_timeout; RESET statement_timeout;

-- step 2.3 phase=backfill tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   make trip_name_key a constraint
-- operation: add-unique 191ded39
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."trip"') AND conname = 'trip_name_key')
-- undo: ALTER TABLE "public"."trip" DROP CONSTRAINT "trip_name_key"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" ADD CONSTRAINT "trip_name_key" UNIQUE USING INDEX "trip_name_key";
COMMIT;

-- step 2.4 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 86d2045f
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', $history${"entities": {"Trip": {"properties": {
  "endDate": {"column": "end_date", "was": ["end_date"]}, "end_date": null,
  "startDate": {"column": "start_date", "was": ["start_date"]}, "start_date": null}}}}$history$);
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'a9ea9b157bb9a02e83a5348e2b483d22f512a697174aa7f0fd482ca30c377221', '0002_v1_v2');
COMMIT;
