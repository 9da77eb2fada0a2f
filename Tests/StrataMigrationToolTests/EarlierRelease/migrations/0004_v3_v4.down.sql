-- Migration 0004_v3_v4, the way back: from 4.0.0 to 3.0.0.
-- By hand: psql -v ON_ERROR_STOP=1 -f 0004_v3_v4.down.sql

DO $strata$
BEGIN
    IF (SELECT fingerprint FROM "strata"."schema_version" WHERE schema_name = 'public' ORDER BY number DESC LIMIT 1) IS DISTINCT FROM '72a58be683b85569f7d71b4e2f1cb2e6e81d652910e186e0f0a976e3d675e715' THEN
        RAISE EXCEPTION USING MESSAGE = '0004_v3_v4: the database is not at version 4.0.0';
    END IF;
END
$strata$;
SET strata.author = 'migration 4.0.0 -> 3.0.0';


-- step 4.1 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_end_date_idx
--   build index trip_end_date_idx
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_end_date_idx"') AND indisvalid)
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_end_date_idx" ON "public"."trip" ("end_date");
RESET lock_timeout;
RESET statement_timeout;

-- step 4.2 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_name_idx
--   build index trip_name_idx
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_name_idx"') AND indisvalid)
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_name_idx" ON "public"."trip" ("name");
RESET lock_timeout;
RESET statement_timeout;

-- step 4.3 phase=contract tx=own lock=AccessExclusive tables=business_trip,personal_trip lock_timeout=2s timeout=60s
--   record history by version 3.0.0
-- undo: SELECT "strata"."history_describe"('public', $history${"entities": [
--  |   {"classes":["BucketListItem"],"name":"BucketListItem","table":"bucket_list_item","properties":[
--  |     {"column":"details","name":"details"}, {"column":"has_reservation","name":"hasReservation"},
--  |     {"column":"is_in_plan","name":"isInPlan"}, {"column":"title","name":"title"},
--  |     {"column":"trip","name":"trip"}]},
--  |   {"classes":["BusinessTrip"],"name":"BusinessTrip","parent":"Trip","table":"business_trip","properties":[
--  |     {"column":"perdiem","name":"perdiem"}]},
--  |   {"classes":["LivingAccommodation"],"name":"LivingAccommodation","table":"living_accommodation","properties":[
--  |     {"column":"address","name":"address"}, {"column":"is_confirmed","name":"isConfirmed"},
--  |     {"column":"place_name","name":"placeName"}, {"column":"trip","name":"trip"}]},
--  |   {"classes":["PersonalTrip"],"name":"PersonalTrip","parent":"Trip","table":"personal_trip","properties":[
--  |     {"column":"reason","name":"reason"}]},
--  |   {"class":"class","classes":["Trip"],"name":"Trip","table":"trip","properties":[
--  |     {"column":"destination","name":"destination"}, {"column":"end_date","name":"endDate","preserved":true},
--  |     {"column":"name","name":"name","preserved":true},
--  |     {"column":"start_date","name":"startDate","preserved":true}]}
--  | ], "links": [
--  | ]}$history$)
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_reset"('public', 'BusinessTrip');
SELECT "strata"."history_reset"('public', 'PersonalTrip');
SELECT "strata"."history_describe"('public', $history${"entities": [
  {"classes":["BucketListItem"],"name":"BucketListItem","table":"bucket_list_item","properties":[
    {"column":"details","name":"details"}, {"column":"has_reservation","name":"hasReservation"},
    {"column":"is_in_plan","name":"isInPlan"}, {"column":"title","name":"title"},
    {"column":"trip","name":"trip"}]},
  {"classes":["LivingAccommodation"],"name":"LivingAccommodation","table":"living_accommodation","properties":[
    {"column":"address","name":"address"}, {"column":"is_confirmed","name":"isConfirmed"},
    {"column":"place_name","name":"placeName"}, {"column":"trip","name":"trip"}]},
  {"classes":["BusinessTrip","PersonalTrip","Trip"],"name":"Trip","table":"trip","properties":[
    {"column":"destination","name":"destination"}, {"column":"end_date","name":"endDate","preserved":true},
    {"column":"name","name":"name","preserved":true},
    {"column":"start_date","name":"startDate","preserved":true}]}
], "links": [
]}$history$);
COMMIT;

-- step 4.4 phase=contract tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none
--   drop index trip_destination_idx
-- done: SELECT to_regclass('"public"."trip_destination_idx"') IS NULL
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
DROP INDEX CONCURRENTLY IF EXISTS "public"."trip_destination_idx";
RESET lock_timeout;
RESET statement_timeout;

-- step 4.5 phase=contract tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   drop column trip.class
-- note: drops trip.class: nothing needs it any more
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" DROP COLUMN "class";
COMMIT;

-- step 4.6 phase=contract tx=own lock=AccessExclusive tables=business_trip,personal_trip,trip lock_timeout=2s timeout=60s
--   drop business_trip, personal_trip
-- note: drops table business_trip: its objects go on as Trip
-- note: drops table personal_trip: its objects go on as Trip
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
DROP TABLE "public"."business_trip", "public"."personal_trip";
COMMIT;

-- step 4.7 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 3.0.0
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
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '3.0.0', '92119dfb6abd0187dabaf102de27349de986c5ec71409151467d2a2a61f3e386', '0004_v3_v4.down');
COMMIT;
