-- Migration 0004_v3_v4: from 3.0.0 to 4.0.0.
-- By hand: psql -v ON_ERROR_STOP=1 -f 0004_v3_v4.sql
-- from: 3.0.0 92119dfb6abd0187dabaf102de27349de986c5ec71409151467d2a2a61f3e386
-- to: 4.0.0 72a58be683b85569f7d71b4e2f1cb2e6e81d652910e186e0f0a976e3d675e715
-- schema: public
-- down: 0004_v3_v4.down.sql
-- checks: none
-- generated: none 03874e29a6b1321e39e8a8e73bd57d8f892dfbd327dfb503bd868a3aaf87d471

DO $strata$
BEGIN
    IF (SELECT fingerprint FROM "strata"."schema_version" WHERE schema_name = 'public' ORDER BY number DESC LIMIT 1) IS DISTINCT FROM '92119dfb6abd0187dabaf102de27349de986c5ec71409151467d2a2a61f3e386' THEN
        RAISE EXCEPTION USING MESSAGE = '0004_v3_v4: the database is not at version 3.0.0';
    END IF;
END
$strata$;
SET strata.author = 'migration 3.0.0 -> 4.0.0';


-- step 4.1 phase=expand tx=own lock=None lock_timeout=2s timeout=60s
--   create table business_trip
-- done: SELECT to_regclass('"public"."business_trip"') IS NOT NULL
-- undo: DROP TABLE "public"."business_trip"
-- undo: SELECT "strata"."history_describe"('public', $history${"entities": [
--  |   {"classes":["BucketListItem"],"name":"BucketListItem","table":"bucket_list_item","properties":[
--  |     {"column":"details","name":"details"}, {"column":"has_reservation","name":"hasReservation"},
--  |     {"column":"is_in_plan","name":"isInPlan"}, {"column":"title","name":"title"},
--  |     {"column":"trip","name":"trip"}]},
--  |   {"classes":["LivingAccommodation"],"name":"LivingAccommodation","table":"living_accommodation","properties":[
--  |     {"column":"address","name":"address"}, {"column":"is_confirmed","name":"isConfirmed"},
--  |     {"column":"place_name","name":"placeName"}, {"column":"trip","name":"trip"}]},
--  |   {"classes":["Trip"],"name":"Trip","table":"trip","properties":[
--  |     {"column":"destination","name":"destination"}, {"column":"end_date","name":"endDate","preserved":true},
--  |     {"column":"name","name":"name","preserved":true},
--  |     {"column":"start_date","name":"startDate","preserved":true}]}
--  | ], "links": [
--  | ]}$history$)
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
CREATE TABLE "public"."business_trip" (
    "pk" bigint NOT NULL,
    "perdiem" double precision NOT NULL,
    CONSTRAINT "business_trip_pkey" PRIMARY KEY ("pk")
);
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
]}$history$, $history${"entities": [
  {"classes":["BucketListItem"],"name":"BucketListItem","table":"bucket_list_item","properties":[
    {"column":"details","name":"details"}, {"column":"has_reservation","name":"hasReservation"},
    {"column":"is_in_plan","name":"isInPlan"}, {"column":"title","name":"title"},
    {"column":"trip","name":"trip"}]},
  {"classes":["BusinessTrip"],"name":"BusinessTrip","parent":"Trip","table":"business_trip","properties":[
    {"column":"perdiem","name":"perdiem"}]},
  {"classes":["LivingAccommodation"],"name":"LivingAccommodation","table":"living_accommodation","properties":[
    {"column":"address","name":"address"}, {"column":"is_confirmed","name":"isConfirmed"},
    {"column":"place_name","name":"placeName"}, {"column":"trip","name":"trip"}]},
  {"classes":["PersonalTrip"],"name":"PersonalTrip","parent":"Trip","table":"personal_trip","properties":[
    {"column":"reason","name":"reason"}]},
  {"class":"class","classes":["Trip"],"name":"Trip","table":"trip","properties":[
    {"column":"destination","name":"destination"}, {"column":"end_date","name":"endDate","preserved":true},
    {"column":"name","name":"name","preserved":true},
    {"column":"start_date","name":"startDate","preserved":true}]}
], "links": [
]}$history$);
COMMIT;

-- step 4.2 phase=expand tx=own lock=None lock_timeout=2s timeout=60s
--   create table personal_trip
-- done: SELECT to_regclass('"public"."personal_trip"') IS NOT NULL
-- undo: DROP TABLE "public"."personal_trip"
-- undo: SELECT "strata"."history_sync"('public')
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
CREATE TABLE "public"."personal_trip" (
    "pk" bigint NOT NULL,
    "reason" text COLLATE "C" NOT NULL,
    CONSTRAINT "personal_trip_pkey" PRIMARY KEY ("pk")
);
SELECT "strata"."history_sync"('public');
COMMIT;

-- step 4.3 phase=expand tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   add column trip.class
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."trip"') AND attname = 'class' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."trip" DROP COLUMN "class"
-- undo: SELECT "strata"."history_sync"('public')
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" ADD COLUMN "class" text COLLATE "C" NOT NULL DEFAULT 'Trip'::text;
SELECT "strata"."history_sync"('public');
COMMIT;

-- step 4.4 phase=expand tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   allow trip.class the values Trip, BusinessTrip, PersonalTrip
-- undo: ALTER TABLE "public"."trip" DROP CONSTRAINT "trip_class_check"
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" ADD CONSTRAINT "trip_class_check" CHECK ("class" IN ('Trip', 'BusinessTrip', 'PersonalTrip')) NOT VALID;
COMMIT;

-- step 4.5 phase=backfill tx=own lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none
--   validate trip_class_check
BEGIN;
SET LOCAL lock_timeout = '0ms';
SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."trip" VALIDATE CONSTRAINT "trip_class_check";
COMMIT;

-- step 4.6 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_destination_idx
--   build index trip_destination_idx
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_destination_idx"') AND indisvalid)
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_destination_idx" ON "public"."trip" ("destination");
RESET lock_timeout;
RESET statement_timeout;

-- step 4.7 phase=backfill tx=own lock=ShareRowExclusive tables=business_trip,trip lock_timeout=2s timeout=60s
--   add foreign key business_trip_pk_fkey
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."business_trip"') AND conname = 'business_trip_pk_fkey')
-- undo: ALTER TABLE "public"."business_trip" DROP CONSTRAINT "business_trip_pk_fkey"
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."business_trip" ADD CONSTRAINT "business_trip_pk_fkey" FOREIGN KEY ("pk") REFERENCES "public"."trip" ("pk") ON DELETE CASCADE NOT VALID;
COMMIT;

-- step 4.8 phase=backfill tx=own lock=ShareRowExclusive tables=personal_trip,trip lock_timeout=2s timeout=60s
--   add foreign key personal_trip_pk_fkey
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."personal_trip"') AND conname = 'personal_trip_pk_fkey')
-- undo: ALTER TABLE "public"."personal_trip" DROP CONSTRAINT "personal_trip_pk_fkey"
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."personal_trip" ADD CONSTRAINT "personal_trip_pk_fkey" FOREIGN KEY ("pk") REFERENCES "public"."trip" ("pk") ON DELETE CASCADE NOT VALID;
COMMIT;

-- step 4.9 phase=backfill tx=own lock=ShareUpdateExclusive tables=business_trip lock_timeout=none timeout=none
--   validate business_trip_pk_fkey
BEGIN;
SET LOCAL lock_timeout = '0ms';
SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."business_trip" VALIDATE CONSTRAINT "business_trip_pk_fkey";
COMMIT;

-- step 4.10 phase=backfill tx=own lock=ShareUpdateExclusive tables=personal_trip lock_timeout=none timeout=none
--   validate personal_trip_pk_fkey
BEGIN;
SET LOCAL lock_timeout = '0ms';
SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."personal_trip" VALIDATE CONSTRAINT "personal_trip_pk_fkey";
COMMIT;

-- step 4.11 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 4.0.0
-- undo: SELECT "strata"."history_describe"('public', $history${"entities": [
--  |   {"classes":["BucketListItem"],"name":"BucketListItem","table":"bucket_list_item","properties":[
--  |     {"column":"details","name":"details"}, {"column":"has_reservation","name":"hasReservation"},
--  |     {"column":"is_in_plan","name":"isInPlan"}, {"column":"title","name":"title"},
--  |     {"column":"trip","name":"trip"}]},
--  |   {"classes":["LivingAccommodation"],"name":"LivingAccommodation","table":"living_accommodation","properties":[
--  |     {"column":"address","name":"address"}, {"column":"is_confirmed","name":"isConfirmed"},
--  |     {"column":"place_name","name":"placeName"}, {"column":"trip","name":"trip"}]},
--  |   {"classes":["Trip"],"name":"Trip","table":"trip","properties":[
--  |     {"column":"destination","name":"destination"}, {"column":"end_date","name":"endDate","preserved":true},
--  |     {"column":"name","name":"name","preserved":true},
--  |     {"column":"start_date","name":"startDate","preserved":true}]}
--  | ], "links": [
--  | ]}$history$, $history${"entities": [
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
SELECT "strata"."history_describe"('public', $history${"entities": [
  {"classes":["BucketListItem"],"name":"BucketListItem","table":"bucket_list_item","properties":[
    {"column":"details","name":"details"}, {"column":"has_reservation","name":"hasReservation"},
    {"column":"is_in_plan","name":"isInPlan"}, {"column":"title","name":"title"},
    {"column":"trip","name":"trip"}]},
  {"classes":["BusinessTrip"],"name":"BusinessTrip","parent":"Trip","table":"business_trip","properties":[
    {"column":"perdiem","name":"perdiem"}]},
  {"classes":["LivingAccommodation"],"name":"LivingAccommodation","table":"living_accommodation","properties":[
    {"column":"address","name":"address"}, {"column":"is_confirmed","name":"isConfirmed"},
    {"column":"place_name","name":"placeName"}, {"column":"trip","name":"trip"}]},
  {"classes":["PersonalTrip"],"name":"PersonalTrip","parent":"Trip","table":"personal_trip","properties":[
    {"column":"reason","name":"reason"}]},
  {"class":"class","classes":["Trip"],"name":"Trip","table":"trip","properties":[
    {"column":"destination","name":"destination"}, {"column":"end_date","name":"endDate","preserved":true},
    {"column":"name","name":"name","preserved":true},
    {"column":"start_date","name":"startDate","preserved":true}]}
], "links": [
]}$history$);
COMMIT;

-- step 4.12 phase=contract tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none
--   drop index trip_end_date_idx
-- done: SELECT to_regclass('"public"."trip_end_date_idx"') IS NULL
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
DROP INDEX CONCURRENTLY IF EXISTS "public"."trip_end_date_idx";
RESET lock_timeout;
RESET statement_timeout;

-- step 4.13 phase=contract tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none
--   drop index trip_name_idx
-- done: SELECT to_regclass('"public"."trip_name_idx"') IS NULL
SET lock_timeout = '0ms';
SET statement_timeout = '0ms';
DROP INDEX CONCURRENTLY IF EXISTS "public"."trip_name_idx";
RESET lock_timeout;
RESET statement_timeout;

-- step 4.14 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 4.0.0
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '4.0.0', '72a58be683b85569f7d71b4e2f1cb2e6e81d652910e186e0f0a976e3d675e715', '0004_v3_v4');
COMMIT;
