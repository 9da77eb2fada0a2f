---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 dc576c95511c921840c70c64b3b1451faa528d6b80a46ce222b9cca2856b1d4a
-- to: 2.0.0 6565d7adbcd0194242dd583f65778699d6726c08243ae8e51196318dfb2af0ee
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: 0002_v1_v2.checks.sql
-- generated: fe76794292f0f7e93e7bf99cdcfe6e18fe67374232a5467ab5d7b95ba30a4aaf 3d3aac7657ca54361d57801ae9f527fbec3e48b18177d75ee1cd12feb2f4468b
-- ! step 2.17 drops trip.perdiem: its values are in business_trip.perdiem

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', 'dc576c95511c921840c70c64b3b1451faa528d6b80a46ce222b9cca2856b1d4a', '2.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT s."pk"::text, s."perdiem"::text FROM "public"."trip" AS s
WHERE s."perdiem" IS NOT NULL AND (perdiem IS NOT NULL) IS NOT TRUE
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M101: Trip.perdiem: rows of Trip would lose their value';
    END IF;
END
$strata$;
DO $strata$
BEGIN
    IF EXISTS (
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."trip"'::text, 'perdiem'::text)) AS g (relation, name)
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
--   create table business_trip
-- operation: create-table 53c3861c
-- done: SELECT to_regclass('"public"."business_trip"') IS NOT NULL
-- undo: DROP TABLE "public"."business_trip"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE TABLE "public"."business_trip" (
    "pk" bigint NOT NULL,
    "perdiem" double precision,
    CONSTRAINT "business_trip_pkey" PRIMARY KEY ("pk")
);
SELECT "strata"."history_expect"('public', $history${"entities": {
  "BusinessTrip": {
    "parent": "Trip", "table": "business_trip", "classes": ["BusinessTrip"],
    "properties": {"perdiem": {"column": "perdiem", "was": ["Trip.perdiem"]}}},
  "Trip": {"class": "class", "properties": {"perdiem": null}}}}$history$);
COMMIT;

-- step 2.2 phase=expand tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   add column trip.class
-- operation: add-column 4fe673b1
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."trip"') AND attname = 'class' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."trip" DROP COLUMN "class"
-- undo: SELECT "strata"."history_sync"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" ADD COLUMN "class" text COLLATE "C" NOT NULL DEFAULT 'Trip'::text;
SELECT "strata"."history_sync"('public');
COMMIT;

-- step 2.3 phase=expand tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   allow trip.class the values Trip, BusinessTrip
-- operation: allow-classes 70e9e022
-- undo: ALTER TABLE "public"."trip" DROP CONSTRAINT "trip_class_check"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" ADD CONSTRAINT "trip_class_check" CHECK ("class" IN ('Trip', 'BusinessTrip')) NOT VALID;
COMMIT;

-- step 2.4 phase=expand tx=own lock=ShareRowExclusive tables=business_trip lock_timeout=2s timeout=60s
--   keep what old and new code write to business_trip in step (before)
-- operation: keep-in-step f16cb3c6
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."business_trip"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."business_trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND pg_trigger_depth() = 1 THEN
        UPDATE "public"."business_trip" SET "perdiem" = NEW."perdiem" WHERE "pk" = NEW."pk";
        IF FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."business_trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_before"() FROM PUBLIC;
COMMIT;

-- step 2.5 phase=expand tx=own lock=ShareRowExclusive tables=business_trip lock_timeout=2s timeout=60s
--   keep what old and new code write to business_trip in step (after)
-- operation: keep-in-step dbc8646b
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."business_trip"') AND tgname = '0_strata_sync_after')
-- undo: DROP TRIGGER "0_strata_sync_after" ON "public"."business_trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_after"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_after"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    UPDATE "public"."trip" SET "perdiem" = NEW."perdiem"
    WHERE "pk" = NEW."pk" AND "perdiem" IS DISTINCT FROM NEW."perdiem";
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_after" AFTER INSERT OR UPDATE ON "public"."business_trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_after"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_after"() FROM PUBLIC;
COMMIT;

-- step 2.6 phase=expand tx=own lock=ShareRowExclusive tables=trip lock_timeout=2s timeout=60s
--   keep what old and new code write to trip in step (before)
-- operation: keep-in-step 20d32e18
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."trip"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_trip_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF NEW."class" = 'Trip' AND (SELECT (perdiem IS NOT NULL) FROM (SELECT NEW.*) AS s) THEN
        NEW."class" := 'BusinessTrip';
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_trip_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_trip_before"() FROM PUBLIC;
COMMIT;

-- step 2.7 phase=expand tx=own lock=ShareRowExclusive tables=trip lock_timeout=2s timeout=60s
--   keep what old and new code write to trip in step (after)
-- operation: keep-in-step e3a8ab68
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."trip"') AND tgname = '0_strata_sync_after')
-- undo: DROP TRIGGER "0_strata_sync_after" ON "public"."trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_after"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_trip_after"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' OR NEW IS DISTINCT FROM OLD THEN
        INSERT INTO "public"."business_trip" ("pk", "perdiem")
        SELECT s."pk", "perdiem" FROM "public"."trip" AS s
        WHERE s."pk" = NEW."pk" AND (perdiem IS NOT NULL)
        ON CONFLICT ("pk") DO UPDATE SET "perdiem" = EXCLUDED."perdiem"
            WHERE TG_OP = 'UPDATE';
    END IF;
    IF TG_OP = 'UPDATE' AND NEW IS DISTINCT FROM OLD THEN
        UPDATE "public"."business_trip" AS t SET "perdiem" = v.c0
        FROM (SELECT s."pk", "perdiem" AS c0 FROM "public"."trip" AS s WHERE s."pk" = NEW."pk") AS v
        WHERE t."pk" = v."pk" AND (t."perdiem") IS DISTINCT FROM (v.c0);
    END IF;
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_after" AFTER INSERT OR UPDATE ON "public"."trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_trip_after"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_trip_after"() FROM PUBLIC;
COMMIT;

-- step 2.8 phase=expand tx=own lock=ShareRowExclusive tables=trip lock_timeout=2s timeout=60s
--   keep what old and new code write to trip in step (deleted)
-- operation: keep-in-step 82796add
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."trip"') AND tgname = '0_strata_sync_deleted')
-- undo: DROP TRIGGER "0_strata_sync_deleted" ON "public"."trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_deleted"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_trip_deleted"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    DELETE FROM "public"."business_trip" WHERE "pk" = OLD."pk";
    RETURN NULL;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_deleted" AFTER DELETE ON "public"."trip"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_trip_deleted"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_trip_deleted"() FROM PUBLIC;
COMMIT;

-- step 2.9 phase=backfill tx=batches(trip,pk,10000) lock=RowExclusive tables=trip,business_trip lock_timeout=2s timeout=10min history=off
--   copy rows of trip to business_trip, as BusinessTrip
-- operation: copy-rows c4842398
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
UPDATE "public"."trip" AS t SET "class" = 'BusinessTrip'
WHERE t."pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND t."class" IN ('Trip', 'BusinessTrip') AND (perdiem IS NOT NULL);
INSERT INTO "public"."business_trip" ("pk", "perdiem")
SELECT s."pk", "perdiem" FROM "public"."trip" AS s
WHERE s."pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND (perdiem IS NOT NULL)
ON CONFLICT ("pk") DO NOTHING;
COMMIT;

-- step 2.10 phase=backfill tx=own lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none
--   validate trip_class_check
-- operation: validate-constraint 4f9ce944
BEGIN; SET LOCAL lock_timeout = '0ms'; SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."trip" VALIDATE CONSTRAINT "trip_class_check";
COMMIT;

-- step 2.11 phase=backfill tx=own lock=ShareRowExclusive tables=business_trip,trip columns=pk lock_timeout=2s timeout=60s
--   add foreign key business_trip_pk_fkey
-- operation: add-foreign-key ece5fc50
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."business_trip"') AND conname = 'business_trip_pk_fkey')
-- undo: ALTER TABLE "public"."business_trip" DROP CONSTRAINT "business_trip_pk_fkey"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."business_trip" ADD CONSTRAINT "business_trip_pk_fkey" FOREIGN KEY ("pk") REFERENCES "public"."trip" ("pk") ON DELETE CASCADE NOT VALID;
COMMIT;

-- step 2.12 phase=backfill tx=own lock=ShareUpdateExclusive tables=business_trip lock_timeout=none timeout=none
--   validate business_trip_pk_fkey
-- operation: validate-constraint ee84c44d
BEGIN; SET LOCAL lock_timeout = '0ms'; SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."business_trip" VALIDATE CONSTRAINT "business_trip_pk_fkey";
COMMIT;

-- step 2.13 phase=contract tx=verify lock=None lock_timeout=2s timeout=none
--   verify once more: Trip.perdiem: rows of Trip would lose their value
-- operation: verify-again M101 d76905fa
-- note: repeats check M101
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT s."pk"::text, s."perdiem"::text FROM "public"."trip" AS s
WHERE s."perdiem" IS NOT NULL AND (perdiem IS NOT NULL) IS NOT TRUE AND NOT EXISTS (SELECT 1 FROM "public"."business_trip" AS t WHERE t."pk" = s."pk")
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.13, verify once more: Trip.perdiem: rows of Trip would lose their value: not so';
    END IF;
END
$strata$;

-- step 2.14 phase=contract tx=verify lock=None tables=business_trip lock_timeout=2s timeout=none
--   verify the rows of business_trip
-- operation: verify 0eb33d4b
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT s."pk"::text, CASE WHEN t."pk" IS NULL THEN 'not copied to business_trip' WHEN t."perdiem" IS DISTINCT FROM s.v1 THEN t."perdiem"::text END
FROM (SELECT s."pk", (perdiem IS NOT NULL) AS expected, "perdiem" AS v1 FROM "public"."trip" AS s) AS s
LEFT JOIN "public"."business_trip" AS t ON t."pk" = s."pk"
WHERE t."pk" IS NULL AND s.expected OR t."pk" IS NOT NULL AND (t."perdiem" IS DISTINCT FROM s.v1)
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.14, verify the rows of business_trip: not so';
    END IF;
END
$strata$;

-- step 2.15 phase=contract tx=own lock=AccessExclusive tables=trip,business_trip lock_timeout=2s timeout=60s
--   stop keeping trip, business_trip in step
-- operation: end-in-step c771af82
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TRIGGER "0_strata_sync_before" ON "public"."trip";
DROP TRIGGER "0_strata_sync_after" ON "public"."trip";
DROP TRIGGER "0_strata_sync_deleted" ON "public"."trip";
DROP TRIGGER "0_strata_sync_before" ON "public"."business_trip";
DROP TRIGGER "0_strata_sync_after" ON "public"."business_trip";
DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_before"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_after"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_trip_deleted"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_before"();
DROP FUNCTION "public"."strata_sync_0002_v1_v2_business_trip_after"();
COMMIT;

-- step 2.16 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 2.0.0
-- operation: record-history 953853a4
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"BusinessTrip": null, "Trip": {"class": null, "properties": {"perdiem": "perdiem"}}}}', $history${"entities": {
--  |   "BusinessTrip": {
--  |     "parent": "Trip", "table": "business_trip", "classes": ["BusinessTrip"],
--  |     "properties": {"perdiem": {"column": "perdiem", "was": ["Trip.perdiem"]}}},
--  |   "Trip": {"class": "class", "properties": {"perdiem": null}}}}$history$)
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', $history${"entities": {
  "BusinessTrip": {
    "parent": "Trip", "table": "business_trip", "classes": ["BusinessTrip"],
    "properties": {"perdiem": {"column": "perdiem", "was": ["Trip.perdiem"]}}},
  "Trip": {"class": "class", "properties": {"perdiem": null}}}}$history$);
COMMIT;

-- step 2.17 phase=contract tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   drop column trip.perdiem
-- operation: drop-column fae388ec
-- note: drops trip.perdiem: its values are in business_trip.perdiem
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" DROP COLUMN "perdiem";
COMMIT;

-- step 2.18 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version ab92354b
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', '6565d7adbcd0194242dd583f65778699d6726c08243ae8e51196318dfb2af0ee', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', '6565d7adbcd0194242dd583f65778699d6726c08243ae8e51196318dfb2af0ee', '1.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   add column trip.perdiem
-- operation: add-column a7921096
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."trip"') AND attname = 'perdiem' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."trip" DROP COLUMN "perdiem"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" ADD COLUMN "perdiem" double precision;
SELECT "strata"."history_expect"('public', $history${"entities": {
  "BusinessTrip": null,
  "Trip": {
    "class": null, "classes": ["BusinessTrip","Trip"],
    "properties": {"perdiem": {"column": "perdiem", "was": ["BusinessTrip.perdiem"]}}}}}$history$);
COMMIT;

-- step 2.2 phase=expand tx=own lock=ShareRowExclusive tables=business_trip lock_timeout=2s timeout=60s
--   keep what old and new code write to business_trip in step (before)
-- operation: keep-in-step 7af4fe6d
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."business_trip"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."business_trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."perdiem" IS NULL THEN
        SELECT t."perdiem" INTO NEW."perdiem" FROM "public"."trip" AS t WHERE t."pk" = NEW."pk";
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
-- operation: keep-in-step 5a1e4c4d
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."business_trip"') AND tgname = '0_strata_sync_after')
-- undo: DROP TRIGGER "0_strata_sync_after" ON "public"."business_trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_after"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_after"() RETURNS trigger
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
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_after"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2.down_business_trip_after"() FROM PUBLIC;
COMMIT;

-- step 2.4 phase=expand tx=own lock=ShareRowExclusive tables=trip lock_timeout=2s timeout=60s
--   keep what old and new code write to trip in step (before)
-- operation: keep-in-step ef46eece
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."trip"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_before"() RETURNS trigger
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
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_before"() FROM PUBLIC;
COMMIT;

-- step 2.5 phase=expand tx=own lock=ShareRowExclusive tables=trip lock_timeout=2s timeout=60s
--   keep what old and new code write to trip in step (after)
-- operation: keep-in-step ff563e58
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."trip"') AND tgname = '0_strata_sync_after')
-- undo: DROP TRIGGER "0_strata_sync_after" ON "public"."trip"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_after"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_after"() RETURNS trigger
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
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_after"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2.down_trip_after"() FROM PUBLIC;
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
-- operation: end-in-step 6d18ceb4
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

-- step 2.9 phase=contract tx=own lock=AccessExclusive tables=business_trip lock_timeout=2s timeout=60s
--   record history by version 1.0.0
-- operation: record-history 160ec4e6
-- undo: SELECT "strata"."history_follow"('public', $history${"entities": {
--  |   "BusinessTrip": {
--  |     "parent": "Trip", "table": "business_trip", "classes": ["BusinessTrip"],
--  |     "properties": {"perdiem": "perdiem"}},
--  |   "Trip": {"class": "class", "classes": ["Trip"], "properties": {"perdiem": null}}}}$history$, $history${"entities": {
--  |   "BusinessTrip": null,
--  |   "Trip": {
--  |     "class": null, "classes": ["BusinessTrip","Trip"],
--  |     "properties": {"perdiem": {"column": "perdiem", "was": ["BusinessTrip.perdiem"]}}}}}$history$)
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_reset"('public', 'BusinessTrip');
SELECT "strata"."history_follow"('public', $history${"entities": {
  "BusinessTrip": null,
  "Trip": {
    "class": null, "classes": ["BusinessTrip","Trip"],
    "properties": {"perdiem": {"column": "perdiem", "was": ["BusinessTrip.perdiem"]}}}}}$history$);
COMMIT;

-- step 2.10 phase=contract tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s
--   drop column trip.class
-- operation: drop-column 903807da
-- note: drops trip.class: nothing needs it any more
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."trip" DROP COLUMN "class";
COMMIT;

-- step 2.11 phase=contract tx=own lock=AccessExclusive tables=business_trip,trip lock_timeout=2s timeout=60s
--   drop business_trip
-- operation: drop-tables 8037ef67
-- note: drops table business_trip: its objects go on as Trip
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TABLE "public"."business_trip";
COMMIT;

-- step 2.12 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 8b7e29a3
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Trip": {"classes": ["Trip"]}}}');
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', 'dc576c95511c921840c70c64b3b1451faa528d6b80a46ce222b9cca2856b1d4a', '0002_v1_v2.down');
COMMIT;

---- 0002_v1_v2.checks.sql
-- Checks of 0002_v1_v2. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M101
--   Trip.perdiem: rows of Trip would lose their value
-- remedy: split these rows off, clear the values, or let them go with --allow M101
SELECT s."pk"::text, s."perdiem"::text FROM "public"."trip" AS s
WHERE s."perdiem" IS NOT NULL AND (perdiem IS NOT NULL) IS NOT TRUE;

-- check M502
--   what this stage changes the type of, or drops, is used by objects of others
-- remedy: drop them before, and make them again after the stage; or do it in the stage, with .sql("DROP VIEW …", phase: .contract), and --allow M502
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."trip"'::text, 'perdiem'::text)) AS g (relation, name)
JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
    OR k.contype = 'f'
    OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
        'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)));

-- step 2.13
--   verify once more: Trip.perdiem: rows of Trip would lose their value
SELECT s."pk"::text, s."perdiem"::text FROM "public"."trip" AS s
WHERE s."perdiem" IS NOT NULL AND (perdiem IS NOT NULL) IS NOT TRUE AND NOT EXISTS (SELECT 1 FROM "public"."business_trip" AS t WHERE t."pk" = s."pk");

-- step 2.14
--   verify the rows of business_trip
SELECT s."pk"::text, CASE WHEN t."pk" IS NULL THEN 'not copied to business_trip' WHEN t."perdiem" IS DISTINCT FROM s.v1 THEN t."perdiem"::text END
FROM (SELECT s."pk", (perdiem IS NOT NULL) AS expected, "perdiem" AS v1 FROM "public"."trip" AS s) AS s
LEFT JOIN "public"."business_trip" AS t ON t."pk" = s."pk"
WHERE t."pk" IS NULL AND s.expected OR t."pk" IS NOT NULL AND (t."perdiem" IS DISTINCT FROM s.v1);

-- step 2.7 way=down
--   verify Trip.perdiem
SELECT t."pk"::text, t."perdiem"::text FROM "public"."trip" AS t
JOIN (SELECT "pk", "perdiem" AS value FROM "public"."business_trip") AS s USING ("pk")
WHERE t."perdiem" IS DISTINCT FROM s.value;
