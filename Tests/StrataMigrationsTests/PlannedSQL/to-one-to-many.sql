---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 8175a943d17d23311953960606f1b46e62547aa94696cd47790e859f0ca6658c
-- to: 2.0.0 66a9623def3678eeeefca3589cbeada388f35bfa94e07df17b9aab63687316ff
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: 0002_v1_v2.checks.sql
-- generated: none b38e56daea3f6c526e8eeda37df95c27986dcef76e613ce43f225622b3c9816c
-- ! step 2.18 drops stop.trip: its links are in stop_trips

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', '8175a943d17d23311953960606f1b46e62547aa94696cd47790e859f0ca6658c', '2.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."stop"'::text, 'trip'::text)) AS g (relation, name)
JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
    OR k.contype = 'f'
    OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
        'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)))
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M502: what this stage changes the type of, or drops, is used by objects of others';
    END IF;
END
$strata$;

-- step 2.1 phase=expand tx=own lock=None lock_timeout=2s timeout=60s
--   create table stop_trips
-- operation: create-table b99f58b3
-- done: SELECT to_regclass('"public"."stop_trips"') IS NOT NULL
-- undo: DROP TABLE "public"."stop_trips"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE TABLE "public"."stop_trips" (
    "stop_pk" bigint NOT NULL,
    "trip_pk" bigint NOT NULL,
    CONSTRAINT "stop_trips_pkey" PRIMARY KEY ("stop_pk", "trip_pk")
);
SELECT "strata"."history_expect"('public', $history${
  "entities": {
    "Stop": {"properties": {"trip": null, "trips": {"was": ["trip"]}}},
    "Trip": {"properties": {"stops": {}}}},
  "links": {"stop_trips": [{"column":"stop_pk","entity":"Stop","property":"trips"},{"column":"trip_pk","entity":"Trip","property":"stops"}]}}$history$);
COMMIT;

-- step 2.2 phase=expand tx=own lock=ShareRowExclusive tables=stop lock_timeout=2s timeout=60s
--   keep what old and new code write to stop in step (after)
-- operation: keep-in-step 7bd15d64
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."stop"') AND tgname = '0_strata_sync_after')
-- undo: DROP TRIGGER "0_strata_sync_after" ON "public"."stop"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_stop_after"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_stop_after"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW."trip" IS DISTINCT FROM OLD."trip" THEN
        DELETE FROM "public"."stop_trips" WHERE "stop_pk" = OLD."pk" AND "trip_pk" = OLD."trip";
    END IF;
    IF NEW."trip" IS NOT NULL AND (TG_OP = 'INSERT' OR NEW."trip" IS DISTINCT FROM OLD."trip") THEN
        INSERT INTO "public"."stop_trips" ("stop_pk", "trip_pk") VALUES (NEW."pk", NEW."trip") ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_after" AFTER INSERT OR UPDATE ON "public"."stop"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_stop_after"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_stop_after"() FROM PUBLIC;
COMMIT;

-- step 2.3 phase=expand tx=own lock=ShareRowExclusive tables=stop lock_timeout=2s timeout=60s
--   keep what old and new code write to stop in step (deleted)
-- operation: keep-in-step ffc46ac4
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."stop"') AND tgname = '0_strata_sync_deleted')
-- undo: DROP TRIGGER "0_strata_sync_deleted" ON "public"."stop"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_stop_deleted"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_stop_deleted"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    DELETE FROM "public"."stop_trips" WHERE "stop_pk" = OLD."pk";
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_deleted" AFTER DELETE ON "public"."stop"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_stop_deleted"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_stop_deleted"() FROM PUBLIC;
COMMIT;

-- step 2.4 phase=expand tx=own lock=ShareRowExclusive tables=stop_trips lock_timeout=2s timeout=60s
--   keep what old and new code write to stop_trips in step (after)
-- operation: keep-in-step d903c600
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."stop_trips"') AND tgname = '0_strata_sync_after')
-- undo: DROP TRIGGER "0_strata_sync_after" ON "public"."stop_trips"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_stop_trips_after"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_stop_trips_after"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW IS DISTINCT FROM OLD THEN
        UPDATE "public"."stop" SET "trip" = NULL
        WHERE "pk" = OLD."stop_pk" AND "trip" = OLD."trip_pk";
    END IF;
    UPDATE "public"."stop" SET "trip" = NEW."trip_pk"
    WHERE "pk" = NEW."stop_pk" AND "trip" IS NULL;
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_after" AFTER INSERT OR UPDATE ON "public"."stop_trips"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_stop_trips_after"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_stop_trips_after"() FROM PUBLIC;
COMMIT;

-- step 2.5 phase=expand tx=own lock=ShareRowExclusive tables=stop_trips lock_timeout=2s timeout=60s
--   keep what old and new code write to stop_trips in step (deleted)
-- operation: keep-in-step 606443af
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."stop_trips"') AND tgname = '0_strata_sync_deleted')
-- undo: DROP TRIGGER "0_strata_sync_deleted" ON "public"."stop_trips"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_stop_trips_deleted"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_stop_trips_deleted"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    UPDATE "public"."stop" SET "trip" = (SELECT min(p."trip_pk") FROM "public"."stop_trips" AS p WHERE p."stop_pk" = OLD."stop_pk")
    WHERE "pk" = OLD."stop_pk" AND "trip" = OLD."trip_pk";
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_deleted" AFTER DELETE ON "public"."stop_trips"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_stop_trips_deleted"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_stop_trips_deleted"() FROM PUBLIC;
COMMIT;

-- step 2.6 phase=expand tx=own lock=ShareRowExclusive tables=trip lock_timeout=2s timeout=60s
--   keep what old and new code write to trip in step (deleted)
-- operation: keep-in-step c7641c3b
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."trip"') AND tgname = '0_strata_sync_deleted')
-- undo: DROP TRIGGER "0_strata_sync_deleted" ON "public"."trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_deleted"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_trip_deleted"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    DELETE FROM "public"."stop_trips" WHERE "trip_pk" = OLD."pk";
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_deleted" AFTER DELETE ON "public"."trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_trip_deleted"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_trip_deleted"() FROM PUBLIC;
COMMIT;

-- step 2.7 phase=backfill tx=batches(stop,pk,10000) lock=RowExclusive tables=stop_trips lock_timeout=2s timeout=10min history=off
--   copy stop.trip to stop_trips
-- operation: copy-links d2e0cb88
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
INSERT INTO "public"."stop_trips" ("stop_pk", "trip_pk")
SELECT s."pk", s."trip" FROM "public"."stop" AS s
WHERE s."pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND s."trip" IS NOT NULL
FOR SHARE OF s
ON CONFLICT DO NOTHING;
COMMIT;

-- step 2.8 phase=backfill tx=none lock=ShareUpdateExclusive tables=stop_trips lock_timeout=none timeout=none index=stop_trips_trip_pk_stop_pk_idx
--   build index stop_trips_trip_pk_stop_pk_idx
-- operation: build-index bbef7b84
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."stop_trips_trip_pk_stop_pk_idx"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "stop_trips_trip_pk_stop_pk_idx" ON "public"."stop_trips" ("trip_pk", "stop_pk");
RESET lock_timeout; RESET statement_timeout;

-- step 2.9 phase=backfill tx=own lock=ShareRowExclusive tables=stop_trips,stop columns=stop_pk lock_timeout=2s timeout=60s
--   add foreign key stop_trips_stop_pk_fkey
-- operation: add-foreign-key 9ef16daa
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."stop_trips"') AND conname = 'stop_trips_stop_pk_fkey')
-- undo: ALTER TABLE "public"."stop_trips" DROP CONSTRAINT "stop_trips_stop_pk_fkey"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."stop_trips" ADD CONSTRAINT "stop_trips_stop_pk_fkey" FOREIGN KEY ("stop_pk") REFERENCES "public"."stop" ("pk") ON DELETE CASCADE NOT VALID;
COMMIT;

-- step 2.10 phase=backfill tx=own lock=ShareRowExclusive tables=stop_trips,trip columns=trip_pk lock_timeout=2s timeout=60s
--   add foreign key stop_trips_trip_pk_fkey
-- operation: add-foreign-key 60aed4ff
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."stop_trips"') AND conname = 'stop_trips_trip_pk_fkey')
-- undo: ALTER TABLE "public"."stop_trips" DROP CONSTRAINT "stop_trips_trip_pk_fkey"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."stop_trips" ADD CONSTRAINT "stop_trips_trip_pk_fkey" FOREIGN KEY ("trip_pk") REFERENCES "public"."trip" ("pk") ON DELETE CASCADE NOT VALID;
COMMIT;

-- step 2.11 phase=backfill tx=own lock=ShareUpdateExclusive tables=stop_trips lock_timeout=none timeout=none
--   validate stop_trips_stop_pk_fkey
-- operation: validate-constraint 750f6547
BEGIN; SET LOCAL lock_timeout = '0ms'; SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."stop_trips" VALIDATE CONSTRAINT "stop_trips_stop_pk_fkey";
COMMIT;

-- step 2.12 phase=backfill tx=own lock=ShareUpdateExclusive tables=stop_trips lock_timeout=none timeout=none
--   validate stop_trips_trip_pk_fkey
-- operation: validate-constraint bbd15793
BEGIN; SET LOCAL lock_timeout = '0ms'; SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."stop_trips" VALIDATE CONSTRAINT "stop_trips_trip_pk_fkey";
COMMIT;

-- step 2.13 phase=contract tx=verify lock=None tables=stop_trips lock_timeout=2s timeout=none
--   verify Stop.trips
-- operation: verify 13f536c9
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT s."pk"::text, s."trip"::text FROM "public"."stop" AS s
WHERE s."trip" IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM "public"."stop_trips" AS t WHERE (t."stop_pk", t."trip_pk") = (s."pk", s."trip"))
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.13, verify Stop.trips: not so';
    END IF;
END
$strata$;

-- step 2.14 phase=contract tx=own lock=AccessExclusive tables=stop,stop_trips,trip lock_timeout=2s timeout=60s
--   stop keeping stop, stop_trips, trip in step
-- operation: end-in-step 49295a27
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TRIGGER "0_strata_sync_after" ON "public"."stop";
DROP TRIGGER "0_strata_sync_deleted" ON "public"."stop";
DROP TRIGGER "0_strata_sync_after" ON "public"."stop_trips";
DROP TRIGGER "0_strata_sync_deleted" ON "public"."stop_trips";
DROP TRIGGER "0_strata_sync_deleted" ON "public"."trip";
DROP FUNCTION "public"."strata_sync_0002_v1_v2_stop_after"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_stop_deleted"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_stop_trips_after"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_stop_trips_deleted"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_deleted"();
COMMIT;

-- step 2.15 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 2.0.0
-- operation: record-history 77fd8555
-- undo: SELECT "strata"."history_follow"('public', $history${
--  |   "entities": {"Stop": {"properties": {"trip": "trip", "trips": null}}, "Trip": {"properties": {"stops": null}}},
--  |   "links": {"stop_trips": null}}$history$, $history${
--  |   "entities": {
--  |     "Stop": {"properties": {"trip": null, "trips": {"was": ["trip"]}}},
--  |     "Trip": {"properties": {"stops": {}}}},
--  |   "links": {"stop_trips": [{"column":"stop_pk","entity":"Stop","property":"trips"},{"column":"trip_pk","entity":"Trip","property":"stops"}]}}$history$)
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', $history${
  "entities": {
    "Stop": {"properties": {"trip": null, "trips": {"was": ["trip"]}}},
    "Trip": {"properties": {"stops": {}}}},
  "links": {"stop_trips": [{"column":"stop_pk","entity":"Stop","property":"trips"},{"column":"trip_pk","entity":"Trip","property":"stops"}]}}$history$);
COMMIT;

-- step 2.16 phase=contract tx=own lock=AccessExclusive tables=stop,trip lock_timeout=2s timeout=60s
--   drop foreign key stop_trip_fkey
-- operation: drop-constraint 9e42da3c
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."stop" DROP CONSTRAINT "stop_trip_fkey";
COMMIT;

-- step 2.17 phase=contract tx=none lock=ShareUpdateExclusive tables=stop lock_timeout=none timeout=none
--   drop index stop_trip_idx
-- operation: drop-index ee553f51
-- done: SELECT to_regclass('"public"."stop_trip_idx"') IS NULL
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
DROP INDEX CONCURRENTLY IF EXISTS "public"."stop_trip_idx";
RESET lock_timeout; RESET statement_timeout;

-- step 2.18 phase=contract tx=own lock=AccessExclusive tables=stop lock_timeout=2s timeout=60s
--   drop column stop.trip
-- operation: drop-column e4eddbf1
-- note: drops stop.trip: its links are in stop_trips
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."stop" DROP COLUMN "trip";
COMMIT;

-- step 2.19 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 0d0ab9b3
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', '66a9623def3678eeeefca3589cbeada388f35bfa94e07df17b9aab63687316ff', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', '66a9623def3678eeeefca3589cbeada388f35bfa94e07df17b9aab63687316ff', '1.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT s."stop_pk"::text, string_agg(s."trip_pk"::text, ', ' ORDER BY s."trip_pk")
FROM "public"."stop_trips" AS s
WHERE s."stop_pk" IS NOT NULL AND s."trip_pk" IS NOT NULL
GROUP BY s."stop_pk" HAVING count(*) > 1
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M401: Stop.trip: one object has several where it can have one now';
    END IF;
END
$strata$;

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=stop lock_timeout=2s timeout=60s
--   add column stop.trip
-- operation: add-column 19c1db64
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."stop"') AND attname = 'trip' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."stop" DROP COLUMN "trip"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."stop" ADD COLUMN "trip" bigint;
SELECT "strata"."history_expect"('public', $history${
  "entities": {
    "Stop": {"properties": {"trip": {"column": "trip", "was": ["trips"]}, "trips": null}},
    "Trip": {"properties": {"stops": null}}},
  "links": {"stop_trips": null}}$history$);
COMMIT;

-- step 2.2 phase=contract tx=verify lock=None lock_timeout=2s timeout=none
--   verify once more: Stop.trip: one object has several where it can have one now
-- operation: verify-again M401 0c62ced4
-- note: repeats check M401
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT s."stop_pk"::text, string_agg(s."trip_pk"::text, ', ' ORDER BY s."trip_pk")
FROM "public"."stop_trips" AS s
WHERE s."stop_pk" IS NOT NULL AND s."trip_pk" IS NOT NULL
GROUP BY s."stop_pk" HAVING count(*) > 1
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.2, verify once more: Stop.trip: one object has several where it can have one now: not so';
    END IF;
END
$strata$;

-- step 2.3 phase=contract tx=own lock=AccessExclusive tables=stop_trips lock_timeout=2s timeout=60s
--   record history by version 1.0.0
-- operation: record-history 38d39e47
-- undo: SELECT "strata"."history_follow"('public', $history${
--  |   "entities": {"Stop": {"properties": {"trip": null, "trips": {}}}, "Trip": {"properties": {"stops": {}}}},
--  |   "links": {"stop_trips": [{"column":"stop_pk","entity":"Stop","property":"trips"},{"column":"trip_pk","entity":"Trip","property":"stops"}]}}$history$, $history${
--  |   "entities": {
--  |     "Stop": {"properties": {"trip": {"column": "trip", "was": ["trips"]}, "trips": null}},
--  |     "Trip": {"properties": {"stops": null}}},
--  |   "links": {"stop_trips": null}}$history$)
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', $history${
  "entities": {
    "Stop": {"properties": {"trip": {"column": "trip", "was": ["trips"]}, "trips": null}},
    "Trip": {"properties": {"stops": null}}},
  "links": {"stop_trips": null}}$history$);
COMMIT;

-- step 2.4 phase=contract tx=batches(stop_trips,stop_pk,10000) lock=RowExclusive tables=stop lock_timeout=2s timeout=10min history=off
--   copy stop_trips to stop.trip
-- operation: copy-links 9bb286bb
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
UPDATE "public"."stop" AS t SET "trip" = s."trip_pk"
FROM "public"."stop_trips" AS s
WHERE s."stop_pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND t."pk" = s."stop_pk"
    AND s."trip_pk" IS NOT NULL AND t."trip" IS DISTINCT FROM s."trip_pk";
COMMIT;

-- step 2.5 phase=contract tx=verify lock=None tables=stop lock_timeout=2s timeout=none
--   verify Stop.trip
-- operation: verify e4c67c51
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT s."stop_pk"::text, s."trip_pk"::text FROM "public"."stop_trips" AS s
WHERE s."stop_pk" IS NOT NULL AND s."trip_pk" IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM "public"."stop" AS t
    WHERE t."pk" = s."stop_pk" AND t."trip" = s."trip_pk")
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.5, verify Stop.trip: not so';
    END IF;
END
$strata$;

-- step 2.6 phase=contract tx=none lock=ShareUpdateExclusive tables=stop lock_timeout=none timeout=none index=stop_trip_idx
--   build index stop_trip_idx
-- operation: build-index 9827559f
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."stop_trip_idx"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "stop_trip_idx" ON "public"."stop" ("trip");
RESET lock_timeout; RESET statement_timeout;

-- step 2.7 phase=contract tx=own lock=ShareRowExclusive tables=stop,trip lock_timeout=2s timeout=60s
--   add foreign key stop_trip_fkey
-- operation: replace-foreign-key 3c35c3fc
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."stop" ADD CONSTRAINT "stop_trip_fkey" FOREIGN KEY ("trip") REFERENCES "public"."trip" ("pk") ON DELETE SET NULL NOT VALID;
COMMIT;

-- step 2.8 phase=contract tx=own lock=ShareUpdateExclusive tables=stop lock_timeout=none timeout=none
--   validate stop_trip_fkey
-- operation: validate-constraint 751a873f
BEGIN; SET LOCAL lock_timeout = '0ms'; SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."stop" VALIDATE CONSTRAINT "stop_trip_fkey";
COMMIT;

-- step 2.9 phase=contract tx=own lock=AccessExclusive tables=stop_trips,stop,trip lock_timeout=2s timeout=60s
--   drop stop_trips
-- operation: drop-tables 88f50c71
-- note: drops table stop_trips: its links are in stop
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TABLE "public"."stop_trips";
COMMIT;

-- step 2.10 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 68fc2fd1
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', '8175a943d17d23311953960606f1b46e62547aa94696cd47790e859f0ca6658c', '0002_v1_v2.down');
COMMIT;

---- 0002_v1_v2.checks.sql
-- Checks of 0002_v1_v2. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M502
--   what this stage changes the type of, or drops, is used by objects of others
-- remedy: drop them before, and make them again after the stage; or do it in the stage, with .sql("DROP VIEW …", phase: .contract), and --allow M502
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."stop"'::text, 'trip'::text)) AS g (relation, name)
JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
    OR k.contype = 'f'
    OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
        'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)));

-- step 2.13
--   verify Stop.trips
SELECT s."pk"::text, s."trip"::text FROM "public"."stop" AS s
WHERE s."trip" IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM "public"."stop_trips" AS t WHERE (t."stop_pk", t."trip_pk") = (s."pk", s."trip"));

-- check M401 way=down
--   Stop.trip: one object has several where it can have one now
-- remedy: remove all links but one of these objects
SELECT s."stop_pk"::text, string_agg(s."trip_pk"::text, ', ' ORDER BY s."trip_pk")
FROM "public"."stop_trips" AS s
WHERE s."stop_pk" IS NOT NULL AND s."trip_pk" IS NOT NULL
GROUP BY s."stop_pk" HAVING count(*) > 1;

-- step 2.2 way=down
--   verify once more: Stop.trip: one object has several where it can have one now
SELECT s."stop_pk"::text, string_agg(s."trip_pk"::text, ', ' ORDER BY s."trip_pk")
FROM "public"."stop_trips" AS s
WHERE s."stop_pk" IS NOT NULL AND s."trip_pk" IS NOT NULL
GROUP BY s."stop_pk" HAVING count(*) > 1;

-- step 2.5 way=down
--   verify Stop.trip
SELECT s."stop_pk"::text, s."trip_pk"::text FROM "public"."stop_trips" AS s
WHERE s."stop_pk" IS NOT NULL AND s."trip_pk" IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM "public"."stop" AS t
    WHERE t."pk" = s."stop_pk" AND t."trip" = s."trip_pk");
