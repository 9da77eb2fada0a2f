-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 f0a91676864b98a5b7281b654986b14e55009b2df6fd63204245dd5a1ed32f82
-- to: 2.0.0 a9ea9b157bb9a02e83a5348e2b483d22f512a697174aa7f0fd482ca30c377221
-- schema: public
-- down: none
-- because: the code of its custom stage has no way back
-- checks: 0002_v1_v2.checks.sql
-- generated: none 9fdd33899a3a432e993d9052973319592f0b50e16513b6f6bd63b29749752b03

DO $strata$
BEGIN
    IF (SELECT fingerprint FROM "strata"."schema_version" WHERE schema_name = 'public' ORDER BY number DESC LIMIT 1) IS DISTINCT FROM 'f0a91676864b98a5b7281b654986b14e55009b2df6fd63204245dd5a1ed32f82' THEN
        RAISE EXCEPTION USING MESSAGE = '0002_v1_v2: the database is not at version 1.0.0';
    END IF;
END
$strata$;
SET strata.author = 'migration 1.0.0 -> 2.0.0';


-- step 2.1 phase=expand tx=closure(willMigrate) lock=None lock_timeout=2s timeout=none
--   run willMigrate with version 1.0.0
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
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_name_key"') AND indisvalid)
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
CREATE UNIQUE INDEX CONCURRENTLY "trip_name_key" ON "public"."trip" ("name");
RESET lock_timeout;
RESET statement_timeout;

-- step 2.3 phase=backfill tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   make trip_name_key a constraint
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."trip"') AND conname = 'trip_name_key')
-- undo: ALTER TABLE "public"."trip" DROP CONSTRAINT "trip_name_key"
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" ADD CONSTRAINT "trip_name_key" UNIQUE USING INDEX "trip_name_key";
COMMIT;

-- step 2.4 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 2.0.0
-- undo: SELECT "strata"."history_describe"('public', $history${"entities": [
--  |   {"classes":["BucketListItem"],"name":"BucketListItem","table":"bucket_list_item","properties":[
--  |     {"column":"details","name":"details"}, {"column":"has_reservation","name":"hasReservation"},
--  |     {"column":"is_in_plan","name":"isInPlan"}, {"column":"title","name":"title"},
--  |     {"column":"trip","name":"trip"}]},
--  |   {"classes":["LivingAccommodation"],"name":"LivingAccommodation","table":"living_accommodation","properties":[
--  |     {"column":"address","name":"address"}, {"column":"is_confirmed","name":"isConfirmed"},
--  |     {"column":"place_name","name":"placeName"}, {"column":"trip","name":"trip"}]},
--  |   {"classes":["Trip"],"name":"Trip","table":"trip","properties":[
--  |     {"column":"destination","name":"destination"}, {"column":"end_date","name":"end_date"},
--  |     {"column":"name","name":"name"}, {"column":"start_date","name":"start_date"}]}
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
    {"column":"destination","name":"destination"}, {"column":"end_date","name":"endDate","was":["end_date"]},
    {"column":"name","name":"name"}, {"column":"start_date","name":"startDate","was":["start_date"]}]}
], "links": [
]}$history$);
COMMIT;

-- step 2.5 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'a9ea9b157bb9a02e83a5348e2b483d22f512a697174aa7f0fd482ca30c377221', '0002_v1_v2');
COMMIT;
