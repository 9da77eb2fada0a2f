---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 c755308b4a392bf2858b60ba3f49ab9ff358b1f1780bc06ef2dae87cbadff183
-- to: 2.0.0 de24176604b9141f02246291b0b233e8c22f4d27f30dcd4ced28ac1e4c68f9c4
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: none
-- generated: none 52827066ad9b4aa366eaf9e30f4ebb161eb6a51ef3d1dcba88dfde8a7c7cf42e

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', 'c755308b4a392bf2858b60ba3f49ab9ff358b1f1780bc06ef2dae87cbadff183', '2.0.0');

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=stop lock_timeout=2s timeout=60s
--   add column stop.trip
-- operation: add-column da0bf579
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."stop"') AND attname = 'trip' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."stop" DROP COLUMN "trip"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."stop" ADD COLUMN "trip" bigint;
SELECT "strata"."history_expect"('public', '{"entities": {"Stop": {"properties": {"trip": "trip"}}}}');
COMMIT;

-- step 2.2 phase=backfill tx=none lock=ShareUpdateExclusive tables=stop lock_timeout=none timeout=none index=stop_trip_idx
--   build index stop_trip_idx
-- operation: build-index 536a76dd
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."stop_trip_idx"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "stop_trip_idx" ON "public"."stop" ("trip");
RESET lock_timeout; RESET statement_timeout;

-- step 2.3 phase=backfill tx=own lock=ShareRowExclusive tables=stop,trip columns=trip lock_timeout=2s timeout=60s
--   add foreign key stop_trip_fkey
-- operation: add-foreign-key f87cf736
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."stop"') AND conname = 'stop_trip_fkey')
-- undo: ALTER TABLE "public"."stop" DROP CONSTRAINT "stop_trip_fkey"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."stop" ADD CONSTRAINT "stop_trip_fkey" FOREIGN KEY ("trip") REFERENCES "public"."trip" ("pk") ON DELETE SET NULL NOT VALID;
COMMIT;

-- step 2.4 phase=backfill tx=own lock=ShareUpdateExclusive tables=stop lock_timeout=none timeout=none
--   validate stop_trip_fkey
-- operation: validate-constraint a3155b8a
BEGIN; SET LOCAL lock_timeout = '0ms'; SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."stop" VALIDATE CONSTRAINT "stop_trip_fkey";
COMMIT;

-- step 2.5 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version a4050c18
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Stop": {"properties": {"trip": "trip"}}}}');
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'de24176604b9141f02246291b0b233e8c22f4d27f30dcd4ced28ac1e4c68f9c4', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', 'de24176604b9141f02246291b0b233e8c22f4d27f30dcd4ced28ac1e4c68f9c4', '1.0.0');

-- step 2.1 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 1.0.0
-- operation: record-history a16bef20
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Stop": {"properties": {"trip": "trip"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Stop": {"properties": {"trip": null}}}}');
COMMIT;

-- step 2.2 phase=contract tx=own lock=AccessExclusive tables=stop,trip lock_timeout=2s timeout=60s
--   drop foreign key stop_trip_fkey
-- operation: drop-constraint 4c37c721
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."stop" DROP CONSTRAINT "stop_trip_fkey";
COMMIT;

-- step 2.3 phase=contract tx=none lock=ShareUpdateExclusive tables=stop lock_timeout=none timeout=none
--   drop index stop_trip_idx
-- operation: drop-index aee976c7
-- done: SELECT to_regclass('"public"."stop_trip_idx"') IS NULL
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
DROP INDEX CONCURRENTLY IF EXISTS "public"."stop_trip_idx";
RESET lock_timeout; RESET statement_timeout;

-- step 2.4 phase=contract tx=own lock=AccessExclusive tables=stop lock_timeout=2s timeout=60s
--   drop column stop.trip
-- operation: drop-column 3b75f0bf
-- note: drops stop.trip: version 1.0.0 does not have it
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."stop" DROP COLUMN "trip";
COMMIT;

-- step 2.5 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version a567948e
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', 'c755308b4a392bf2858b60ba3f49ab9ff358b1f1780bc06ef2dae87cbadff183', '0002_v1_v2.down');
COMMIT;
