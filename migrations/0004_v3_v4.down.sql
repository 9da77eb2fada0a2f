-- Migration 0004_v3_v4, the way back: from 4.0.0 to 3.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0004_v3_v4.down.sql

SELECT "strata"."migration_begin"(3, 'public', '0004_v3_v4', '4.0.0', '72a58be683b85569f7d71b4e2f1cb2e6e81d652910e186e0f0a976e3d675e715', '3.0.0');

-- step 4.1 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_end_date_idx
--   build index trip_end_date_idx
-- operation: build-index b6a6fd47
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_end_date_idx"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_end_date_idx" ON "public"."trip" ("end_date");
RESET lock_timeout; RESET statement_timeout;

-- step 4.2 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_name_idx
--   build index trip_name_idx
-- operation: build-index 83588661
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."trip_name_idx"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "trip_name_idx" ON "public"."trip" ("name");
RESET lock_timeout; RESET statement_timeout;

-- step 4.3 phase=contract tx=own lock=AccessExclusive tables=business_trip,personal_trip lock_timeout=2s timeout=60s
--   record history by version 3.0.0
-- operation: record-history 533e786c
-- undo: SELECT "strata"."history_follow"('public', $history${"entities": {
--  |   "BusinessTrip": {
--  |     "parent": "Trip", "table": "business_trip", "classes": ["BusinessTrip"],
--  |     "properties": {"perdiem": "perdiem"}},
--  |   "PersonalTrip": {
--  |     "parent": "Trip", "table": "personal_trip", "classes": ["PersonalTrip"],
--  |     "properties": {"reason": "reason"}},
--  |   "Trip": {"class": "class", "classes": ["Trip"]}}}$history$)
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_reset"('public', 'BusinessTrip');
SELECT "strata"."history_reset"('public', 'PersonalTrip');
SELECT "strata"."history_follow"('public', $history${"entities": {
  "BusinessTrip": null, "PersonalTrip": null,
  "Trip": {"class": null, "classes": ["BusinessTrip","PersonalTrip","Trip"]}}}$history$);
COMMIT;

-- step 4.4 phase=contract tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none
--   drop index trip_destination_idx
-- operation: drop-index 4f754fc4
-- done: SELECT to_regclass('"public"."trip_destination_idx"') IS NULL
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
DROP INDEX CONCURRENTLY IF EXISTS "public"."trip_destination_idx";
RESET lock_timeout; RESET statement_timeout;

-- step 4.5 phase=contract tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   drop column trip.class
-- operation: drop-column 7f1e37fb
-- note: drops trip.class: nothing needs it any more
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" DROP COLUMN "class";
COMMIT;

-- step 4.6 phase=contract tx=own lock=AccessExclusive tables=business_trip,personal_trip,trip lock_timeout=2s timeout=60s
--   drop business_trip, personal_trip
-- operation: drop-tables 912a53e3
-- note: drops table business_trip: its objects go on as Trip
-- note: drops table personal_trip: its objects go on as Trip
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TABLE "public"."business_trip", "public"."personal_trip";
COMMIT;

-- step 4.7 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 3.0.0
-- operation: record-version 3d675a85
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Trip": {"classes": ["Trip"]}}}');
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '3.0.0', '92119dfb6abd0187dabaf102de27349de986c5ec71409151467d2a2a61f3e386', '0004_v3_v4.down');
COMMIT;
