---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 6565d7adbcd0194242dd583f65778699d6726c08243ae8e51196318dfb2af0ee
-- to: 2.0.0 bc99584a319c89cbbc5f57d65e5d3a9ab8ce0c7f65994195e782c07b188c8513
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: 0002_v1_v2.checks.sql
-- generated: none cbc2acde962837ea98d43be06ca58521ddfb2ffeea8c544b60a94ced48dd47e1
-- ! step 2.10 drops business_trip.perdiem: its values are in trip.perdiem

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', '6565d7adbcd0194242dd583f65778699d6726c08243ae8e51196318dfb2af0ee', '2.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."business_trip"'::text, 'perdiem'::text)) AS g (relation, name)
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

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   add column trip.perdiem
-- operation: add-column a1f12ecc
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."trip"') AND attname = 'perdiem' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."trip" DROP COLUMN "perdiem"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" ADD COLUMN "perdiem" double precision;
SELECT "strata"."history_expect"('public', $history${"entities": {
  "BusinessTrip": {"properties": {"perdiem": null}},
  "Trip": {"properties": {"perdiem": {"column": "perdiem", "was": ["BusinessTrip.perdiem"]}}}}}$history$);
COMMIT;

-- step 2.2 phase=expand tx=own lock=ShareRowExclusive tables=business_trip lock_timeout=2s timeout=60s
--   keep what old and new code write to business_trip in step (before)
-- operation: keep-in-step db65f3d0
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."business_trip"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."business_trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."perdiem" IS NULL THEN
        SELECT t."perdiem" INTO NEW."perdiem" FROM "public"."trip" AS t WHERE t."pk" = NEW."pk";
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."business_trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_before"() FROM PUBLIC;
COMMIT;

-- step 2.3 phase=expand tx=own lock=ShareRowExclusive tables=business_trip lock_timeout=2s timeout=60s
--   keep what old and new code write to business_trip in step (after)
-- operation: keep-in-step 7b2d6951
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."business_trip"') AND tgname = '0_strata_sync_after')
-- undo: DROP TRIGGER "0_strata_sync_after" ON "public"."business_trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_after"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_after"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."perdiem" IS NOT NULL OR TG_OP = 'UPDATE' AND NEW."perdiem" IS DISTINCT FROM OLD."perdiem" THEN
        UPDATE "public"."trip" AS t SET "perdiem" = s.value
        FROM (SELECT "pk", "perdiem" AS value FROM "public"."business_trip" WHERE "pk" = NEW."pk") AS s
        WHERE t."pk" = s."pk" AND t."perdiem" IS DISTINCT FROM s.value;
    END IF;
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_after" AFTER INSERT OR UPDATE ON "public"."business_trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_after"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_after"() FROM PUBLIC;
COMMIT;

-- step 2.4 phase=expand tx=own lock=ShareRowExclusive tables=trip lock_timeout=2s timeout=60s
--   keep what old and new code write to trip in step (before)
-- operation: keep-in-step d808290d
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."trip"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_trip_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."perdiem" IS NULL THEN
        SELECT s.value INTO NEW."perdiem"
        FROM (SELECT "perdiem" AS value FROM "public"."business_trip" WHERE "pk" = NEW."pk") AS s;
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_trip_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_trip_before"() FROM PUBLIC;
COMMIT;

-- step 2.5 phase=expand tx=own lock=ShareRowExclusive tables=trip lock_timeout=2s timeout=60s
--   keep what old and new code write to trip in step (after)
-- operation: keep-in-step a46fb3ed
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."trip"') AND tgname = '0_strata_sync_after')
-- undo: DROP TRIGGER "0_strata_sync_after" ON "public"."trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_after"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_trip_after"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."perdiem" IS NOT NULL
        OR TG_OP = 'UPDATE' AND NEW."perdiem" IS DISTINCT FROM OLD."perdiem" THEN
        UPDATE "public"."business_trip" SET "perdiem" = NEW."perdiem"
        WHERE "pk" = NEW."pk" AND "perdiem" IS DISTINCT FROM NEW."perdiem";
    END IF;
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_after" AFTER INSERT OR UPDATE ON "public"."trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_trip_after"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_trip_after"() FROM PUBLIC;
COMMIT;

-- step 2.6 phase=backfill tx=batches(business_trip,pk,10000) lock=RowExclusive tables=trip lock_timeout=2s timeout=10min history=off
--   copy business_trip.perdiem to trip.perdiem
-- operation: copy-column 7ddf6aee
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
UPDATE "public"."trip" AS t SET "perdiem" = s.value
FROM (SELECT "pk", "perdiem" AS value FROM "public"."business_trip" WHERE "pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint FOR SHARE) AS s
WHERE t."pk" = s."pk" AND t."pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND t."perdiem" IS DISTINCT FROM s.value;
COMMIT;

-- step 2.7 phase=contract tx=verify lock=None tables=trip lock_timeout=2s timeout=none
--   verify Trip.perdiem
-- operation: verify aa95eb5e
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT t."pk"::text, t."perdiem"::text FROM "public"."trip" AS t
JOIN (SELECT "pk", "perdiem" AS value FROM "public"."business_trip") AS s USING ("pk")
WHERE t."perdiem" IS DISTINCT FROM s.value
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.7, verify Trip.perdiem: not so';
    END IF;
END
$strata$;

-- step 2.8 phase=contract tx=own lock=AccessExclusive tables=trip,business_trip lock_timeout=2s timeout=60s
--   stop keeping trip, business_trip in step
-- operation: end-in-step f02d51b0
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TRIGGER "0_strata_sync_before" ON "public"."trip";
DROP TRIGGER "0_strata_sync_after" ON "public"."trip";
DROP TRIGGER "0_strata_sync_before" ON "public"."business_trip";
DROP TRIGGER "0_strata_sync_after" ON "public"."business_trip";
DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_before"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_after"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_before"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_after"();
COMMIT;

-- step 2.9 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 2.0.0
-- operation: record-history 945b59a6
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"BusinessTrip": {"properties": {"perdiem": "perdiem"}}, "Trip": {"properties": {"perdiem": null}}}}', $history${"entities": {
--  |   "BusinessTrip": {"properties": {"perdiem": null}},
--  |   "Trip": {"properties": {"perdiem": {"column": "perdiem", "was": ["BusinessTrip.perdiem"]}}}}}$history$)
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', $history${"entities": {
  "BusinessTrip": {"properties": {"perdiem": null}},
  "Trip": {"properties": {"perdiem": {"column": "perdiem", "was": ["BusinessTrip.perdiem"]}}}}}$history$);
COMMIT;

-- step 2.10 phase=contract tx=own lock=AccessExclusive tables=business_trip lock_timeout=2s timeout=60s
--   drop column business_trip.perdiem
-- operation: drop-column 632c445f
-- note: drops business_trip.perdiem: its values are in trip.perdiem
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."business_trip" DROP COLUMN "perdiem";
COMMIT;

-- step 2.11 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version fa81c8db
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'bc99584a319c89cbbc5f57d65e5d3a9ab8ce0c7f65994195e782c07b188c8513', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', 'bc99584a319c89cbbc5f57d65e5d3a9ab8ce0c7f65994195e782c07b188c8513', '1.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT s."pk"::text, s."perdiem"::text FROM "public"."trip" AS s
WHERE s."perdiem" IS NOT NULL AND s."class" = 'Trip'
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M101: Trip.perdiem: rows of Trip would lose their value';
    END IF;
END
$strata$;

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=business_trip lock_timeout=2s timeout=60s
--   add column business_trip.perdiem
-- operation: add-column 3a6d7e57
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."business_trip"') AND attname = 'perdiem' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."business_trip" DROP COLUMN "perdiem"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."business_trip" ADD COLUMN "perdiem" double precision;
SELECT "strata"."history_expect"('public', $history${"entities": {
  "BusinessTrip": {"properties": {"perdiem": {"column": "perdiem", "was": ["Trip.perdiem"]}}},
  "Trip": {"properties": {"perdiem": null}}}}$history$);
COMMIT;

-- step 2.2 phase=expand tx=own lock=ShareRowExclusive tables=business_trip lock_timeout=2s timeout=60s
--   keep what old and new code write to business_trip in step (before)
-- operation: keep-in-step 2a3968ed
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."business_trip"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."business_trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."perdiem" IS NULL THEN
        SELECT s.value INTO NEW."perdiem"
        FROM (SELECT "perdiem" AS value FROM "public"."trip" WHERE "pk" = NEW."pk") AS s;
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."business_trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_before"() FROM PUBLIC;
COMMIT;

-- step 2.3 phase=expand tx=own lock=ShareRowExclusive tables=business_trip lock_timeout=2s timeout=60s
--   keep what old and new code write to business_trip in step (after)
-- operation: keep-in-step f9bbee7f
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."business_trip"') AND tgname = '0_strata_sync_after')
-- undo: DROP TRIGGER "0_strata_sync_after" ON "public"."business_trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_after"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_after"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."perdiem" IS NOT NULL
        OR TG_OP = 'UPDATE' AND NEW."perdiem" IS DISTINCT FROM OLD."perdiem" THEN
        UPDATE "public"."trip" SET "perdiem" = NEW."perdiem"
        WHERE "pk" = NEW."pk" AND "perdiem" IS DISTINCT FROM NEW."perdiem";
    END IF;
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_after" AFTER INSERT OR UPDATE ON "public"."business_trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_after"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_after"() FROM PUBLIC;
COMMIT;

-- step 2.4 phase=expand tx=own lock=ShareRowExclusive tables=trip lock_timeout=2s timeout=60s
--   keep what old and new code write to trip in step (before)
-- operation: keep-in-step 6d59ed95
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."trip"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."perdiem" IS NULL THEN
        SELECT t."perdiem" INTO NEW."perdiem" FROM "public"."business_trip" AS t WHERE t."pk" = NEW."pk";
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_before"() FROM PUBLIC;
COMMIT;

-- step 2.5 phase=expand tx=own lock=ShareRowExclusive tables=trip lock_timeout=2s timeout=60s
--   keep what old and new code write to trip in step (after)
-- operation: keep-in-step 77140ee6
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."trip"') AND tgname = '0_strata_sync_after')
-- undo: DROP TRIGGER "0_strata_sync_after" ON "public"."trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_after"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_after"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."perdiem" IS NOT NULL OR TG_OP = 'UPDATE' AND NEW."perdiem" IS DISTINCT FROM OLD."perdiem" THEN
        UPDATE "public"."business_trip" AS t SET "perdiem" = s.value
        FROM (SELECT "pk", "perdiem" AS value FROM "public"."trip" WHERE "pk" = NEW."pk") AS s
        WHERE t."pk" = s."pk" AND t."perdiem" IS DISTINCT FROM s.value;
    END IF;
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_after" AFTER INSERT OR UPDATE ON "public"."trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_after"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_after"() FROM PUBLIC;
COMMIT;

-- step 2.6 phase=backfill tx=batches(trip,pk,10000) lock=RowExclusive tables=business_trip lock_timeout=2s timeout=10min history=off
--   copy trip.perdiem to business_trip.perdiem
-- operation: copy-column 5abdb57f
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
UPDATE "public"."business_trip" AS t SET "perdiem" = s.value
FROM (SELECT "pk", "perdiem" AS value FROM "public"."trip" WHERE "pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint FOR SHARE) AS s
WHERE t."pk" = s."pk" AND t."pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND t."perdiem" IS DISTINCT FROM s.value;
COMMIT;

-- step 2.7 phase=contract tx=verify lock=None lock_timeout=2s timeout=none
--   verify once more: Trip.perdiem: rows of Trip would lose their value
-- operation: verify-again M101 f2baaf0f
-- note: repeats check M101
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT s."pk"::text, s."perdiem"::text FROM "public"."trip" AS s
WHERE s."perdiem" IS NOT NULL AND s."class" = 'Trip'
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.7, verify once more: Trip.perdiem: rows of Trip would lose their value: not so';
    END IF;
END
$strata$;

-- step 2.8 phase=contract tx=verify lock=None tables=business_trip lock_timeout=2s timeout=none
--   verify BusinessTrip.perdiem
-- operation: verify 68a9d98d
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT t."pk"::text, t."perdiem"::text FROM "public"."business_trip" AS t
JOIN (SELECT "pk", "perdiem" AS value FROM "public"."trip") AS s USING ("pk")
WHERE t."perdiem" IS DISTINCT FROM s.value
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.8, verify BusinessTrip.perdiem: not so';
    END IF;
END
$strata$;

-- step 2.9 phase=contract tx=own lock=AccessExclusive tables=trip,business_trip lock_timeout=2s timeout=60s
--   stop keeping trip, business_trip in step
-- operation: end-in-step fb79108c
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TRIGGER "0_strata_sync_before" ON "public"."trip";
DROP TRIGGER "0_strata_sync_after" ON "public"."trip";
DROP TRIGGER "0_strata_sync_before" ON "public"."business_trip";
DROP TRIGGER "0_strata_sync_after" ON "public"."business_trip";
DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_before"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_after"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_before"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_after"();
COMMIT;

-- step 2.10 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 1.0.0
-- operation: record-history e61e1d47
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"BusinessTrip": {"properties": {"perdiem": null}}, "Trip": {"properties": {"perdiem": "perdiem"}}}}', $history${"entities": {
--  |   "BusinessTrip": {"properties": {"perdiem": {"column": "perdiem", "was": ["Trip.perdiem"]}}},
--  |   "Trip": {"properties": {"perdiem": null}}}}$history$)
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', $history${"entities": {
  "BusinessTrip": {"properties": {"perdiem": {"column": "perdiem", "was": ["Trip.perdiem"]}}},
  "Trip": {"properties": {"perdiem": null}}}}$history$);
COMMIT;

-- step 2.11 phase=contract tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   drop column trip.perdiem
-- operation: drop-column 02d4c065
-- note: drops trip.perdiem: its values are in business_trip.perdiem
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" DROP COLUMN "perdiem";
COMMIT;

-- step 2.12 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 9a37db3e
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', '6565d7adbcd0194242dd583f65778699d6726c08243ae8e51196318dfb2af0ee', '0002_v1_v2.down');
COMMIT;

---- 0002_v1_v2.checks.sql
-- Checks of 0002_v1_v2. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M502
--   what this stage changes the type of, or drops, is used by objects of others
-- remedy: drop them before, and make them again after the stage; or do it in the stage, with .sql("DROP VIEW …", phase: .contract), and --allow M502
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."business_trip"'::text, 'perdiem'::text)) AS g (relation, name)
JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
    OR k.contype = 'f'
    OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
        'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)));

-- step 2.7
--   verify Trip.perdiem
SELECT t."pk"::text, t."perdiem"::text FROM "public"."trip" AS t
JOIN (SELECT "pk", "perdiem" AS value FROM "public"."business_trip") AS s USING ("pk")
WHERE t."perdiem" IS DISTINCT FROM s.value;

-- check M101 way=down
--   Trip.perdiem: rows of Trip would lose their value
-- remedy: split these rows off, clear the values, or let them go with --allow M101
SELECT s."pk"::text, s."perdiem"::text FROM "public"."trip" AS s
WHERE s."perdiem" IS NOT NULL AND s."class" = 'Trip';

-- step 2.7 way=down
--   verify once more: Trip.perdiem: rows of Trip would lose their value
SELECT s."pk"::text, s."perdiem"::text FROM "public"."trip" AS s
WHERE s."perdiem" IS NOT NULL AND s."class" = 'Trip';

-- step 2.8 way=down
--   verify BusinessTrip.perdiem
SELECT t."pk"::text, t."perdiem"::text FROM "public"."business_trip" AS t
JOIN (SELECT "pk", "perdiem" AS value FROM "public"."trip") AS s USING ("pk")
WHERE t."perdiem" IS DISTINCT FROM s.value;
