-- Migration 0003_v2_v3: from 2.0.0 to 3.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0003_v2_v3.sql
-- from: 2.0.0 a9ea9b157bb9a02e83a5348e2b483d22f512a697174aa7f0fd482ca30c377221
-- to: 3.0.0 92119dfb6abd0187dabaf102de27349de986c5ec71409151467d2a2a61f3e386
-- schema: public
-- down: none
-- because: the code of its custom stage has no way back
-- checks: 0003_v2_v3.checks.sql
-- generated: none cf6a0b5ad5a040560545f64a184f8dd377b389a31c480129be39b717e1a88dc3

SELECT "strata"."migration_begin"(3, 'public', '0003_v2_v3', '2.0.0', 'a9ea9b157bb9a02e83a5348e2b483d22f512a697174aa7f0fd482ca30c377221', '3.0.0');

-- step 3.1 phase=expand tx=closure(willMigrate) lock=None lock_timeout=2s timeout=none
--   run willMigrate with version 2.0.0
-- operation: run-closure bc11059d
-- SQL cannot carry this step: it is Swift. Apply this stage with the program that holds the plan.
-- With psql: see to it yourself, then run this file with PGOPTIONS='-c strata.closures=done'.
DO $strata$
BEGIN
    IF current_setting('strata.closures', true) IS DISTINCT FROM 'done' THEN
        RAISE EXCEPTION USING MESSAGE = 'step 3.1 is willMigrate of the migration plan, which SQL cannot run';
    END IF;
END
$strata$;

-- The queries of 0003_v2_v3.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT string_agg("pk"::text, ', ' ORDER BY "pk"), concat_ws(', ', v1::text, v2::text, v3::text)
FROM (SELECT "pk", "name" AS v1, "start_date" AS v2, "end_date" AS v3 FROM "public"."trip") AS s
WHERE v1 IS NOT NULL AND v2 IS NOT NULL AND v3 IS NOT NULL
GROUP BY v1, v2, v3 HAVING count(*) > 1
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M203: Trip: name, start_date, end_date must be unique, and rows share values';
    END IF;
END
$strata$;

-- step 3.2 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_name_start_date_end_date_key
--   build unique index trip_name_start_date_end_date_key
-- operation: build-unique-index 59227887
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_name_start_date_end_date_key"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE UNIQUE INDEX CONCURRENTLY "trip_name_start_date_end_date_key" ON "public"."trip" ("name", "start_date", "end_date");
RESET lock_timeout; RESET statement_timeout;

-- step 3.3 phase=backfill tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   make trip_name_start_date_end_date_key a constraint
-- operation: add-unique 11cdb8b2
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."trip"') AND conname = 'trip_name_start_date_end_date_key')
-- undo: ALTER TABLE "public"."trip" DROP CONSTRAINT "trip_name_start_date_end_date_key"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" ADD CONSTRAINT "trip_name_start_date_end_date_key" UNIQUE USING INDEX "trip_name_start_date_end_date_key";
COMMIT;

-- step 3.4 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_end_date_idx
--   build index trip_end_date_idx
-- operation: build-index 020ca8cf
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_end_date_idx"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_end_date_idx" ON "public"."trip" ("end_date");
RESET lock_timeout; RESET statement_timeout;

-- step 3.5 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_name_idx
--   build index trip_name_idx
-- operation: build-index 29428f24
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_name_idx"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_name_idx" ON "public"."trip" ("name");
RESET lock_timeout; RESET statement_timeout;

-- step 3.6 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_start_date_idx
--   build index trip_start_date_idx
-- operation: build-index 1e80aef5
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_start_date_idx"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_start_date_idx" ON "public"."trip" ("start_date");
RESET lock_timeout; RESET statement_timeout;

-- step 3.7 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 3.0.0
-- operation: record-history 985b5eef
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Trip": {"properties": {"endDate": "end_date", "name": "name", "startDate": "start_date"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', $history${"entities": {"Trip": {"properties": {
  "endDate": {"column": "end_date", "preserved": true},
  "name": {"column": "name", "preserved": true},
  "startDate": {"column": "start_date", "preserved": true}}}}}$history$);
COMMIT;

-- step 3.8 phase=contract tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   drop unique constraint trip_name_key
-- operation: drop-constraint 77c5a053
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" DROP CONSTRAINT "trip_name_key";
COMMIT;

-- step 3.9 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 3.0.0
-- operation: record-version dc455e5e
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '3.0.0', '92119dfb6abd0187dabaf102de27349de986c5ec71409151467d2a2a61f3e386', '0003_v2_v3');
COMMIT;
