-- Migration 0003_v2_v3: from 2.0.0 to 3.0.0.
-- By hand: psql -v ON_ERROR_STOP=1 -f 0003_v2_v3.sql
-- from: 2.0.0 a9ea9b157bb9a02e83a5348e2b483d22f512a697174aa7f0fd482ca30c377221
-- to: 3.0.0 92119dfb6abd0187dabaf102de27349de986c5ec71409151467d2a2a61f3e386
-- schema: public
-- down: none
-- because: the code of its custom stage has no way back
-- checks: 0003_v2_v3.checks.sql
-- generated: none cb4bcc669f37e458749e732de2be9b40af7b8518d7df22142c82b0ac8699fa8d

DO $strata$
BEGIN
    IF (SELECT fingerprint FROM "strata"."schema_version" WHERE schema_name = 'public' ORDER BY number DESC LIMIT 1) IS DISTINCT FROM 'a9ea9b157bb9a02e83a5348e2b483d22f512a697174aa7f0fd482ca30c377221' THEN
        RAISE EXCEPTION USING MESSAGE = '0003_v2_v3: the database is not at version 2.0.0';
    END IF;
END
$strata$;
SET strata.author = 'migration 2.0.0 -> 3.0.0';


-- step 3.1 phase=expand tx=closure(willMigrate) lock=None lock_timeout=2s timeout=none
--   run willMigrate with version 2.0.0
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
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_name_start_date_end_date_key"') AND indisvalid)
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
CREATE UNIQUE INDEX CONCURRENTLY "trip_name_start_date_end_date_key" ON "public"."trip" ("name", "start_date", "end_date");
RESET lock_timeout;
RESET statement_timeout;

-- step 3.3 phase=backfill tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   make trip_name_start_date_end_date_key a constraint
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."trip"') AND conname = 'trip_name_start_date_end_date_key')
-- undo: ALTER TABLE "public"."trip" DROP CONSTRAINT "trip_name_start_date_end_date_key"
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" ADD CONSTRAINT "trip_name_start_date_end_date_key" UNIQUE USING INDEX "trip_name_start_date_end_date_key";
COMMIT;

-- step 3.4 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_end_date_idx
--   build index trip_end_date_idx
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_end_date_idx"') AND indisvalid)
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_end_date_idx" ON "public"."trip" ("end_date");
RESET lock_timeout;
RESET statement_timeout;

-- step 3.5 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_name_idx
--   build index trip_name_idx
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_name_idx"') AND indisvalid)
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_name_idx" ON "public"."trip" ("name");
RESET lock_timeout;
RESET statement_timeout;

-- step 3.6 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_start_date_idx
--   build index trip_start_date_idx
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_start_date_idx"') AND indisvalid)
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_start_date_idx" ON "public"."trip" ("start_date");
RESET lock_timeout;
RESET statement_timeout;

-- step 3.7 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 3.0.0
-- undo: SELECT "strata"."history_describe"('public', $history${"entities": [
--  |   {"classes":["BucketListItem"],"name":"BucketListItem","table":"bucket_list_item","properties":[
--  |     {"column":"details","name":"details"}, {"column":"has_reservation","name":"hasReservation"},
--  |     {"column":"is_in_plan","name":"isInPlan"}, {"column":"title","name":"title"},
--  |     {"column":"trip","name":"trip"}]},
--  |   {"classes":["LivingAccommodation"],"name":"LivingAccommodation","table":"living_accommodation","properties":[
--  |     {"column":"address","name":"address"}, {"column":"is_confirmed","name":"isConfirmed"},
--  |     {"column":"place_name","name":"placeName"}, {"column":"trip","name":"trip"}]},
--  |   {"classes":["Trip"],"name":"Trip","table":"trip","properties":[
--  |     {"column":"destination","name":"destination"}, {"column":"end_date","name":"endDate"},
--  |     {"column":"name","name":"name"}, {"column":"start_date","name":"startDate"}]}
--  | ], "links": [
--  | ]}$history$)
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_describe"('public', $history${"entities": [
  {"classes":["BucketListItem"],"name":"BucketListItem","table":"bucket_list_item","properties":[
    {"column":"details","name":"details"}, {"column":"has_reservation","name":"hasReservation"},
    {"column":"is_in_plan","name":"isInPlan"}, {"column":"title","name":"title"},
    {"column":"trip","name":"trip"}]},
  {"classes":["LivingAccommodation"],"name":"LivingAccommodation","table":"living_accommodation","properties":[
    {"column":"address","name":"address"}, {"column":"is_confirmed","name":"isConfirmed"},
    {"column":"place_name","name":"placeName"}, {"column":"trip","name":"trip"}]},
  {"classes":["Trip"],"name":"Trip","table":"trip","properties":[
    {"column":"destination","name":"destination"}, {"column":"end_date","name":"endDate","preserved":true},
    {"column":"name","name":"name","preserved":true},
    {"column":"start_date","name":"startDate","preserved":true}]}
], "links": [
]}$history$);
COMMIT;

-- step 3.8 phase=contract tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   drop unique constraint trip_name_key
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" DROP CONSTRAINT "trip_name_key";
COMMIT;

-- step 3.9 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 3.0.0
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '3.0.0', '92119dfb6abd0187dabaf102de27349de986c5ec71409151467d2a2a61f3e386', '0003_v2_v3');
COMMIT;
