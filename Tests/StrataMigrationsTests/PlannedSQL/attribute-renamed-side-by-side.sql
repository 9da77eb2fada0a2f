---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 d448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858
-- to: 2.0.0 dc3e9c3862396bd01c351289f2188458377814085e7d8c897ec82ffa14bc5fda
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: 0002_v1_v2.checks.sql
-- generated: e3d0680641a79340e41aeb4f6ac42b6ff22e948853fd0335cedaa39baaec49db 54e7a2359c9f4e41a12613d6e60ba1e743b0bf961f5dc4265451ff16d776f46f
-- ! step 2.11 drops item.name: its values are in item.title

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '2.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."item"'::text, 'name'::text)) AS g (relation, name)
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

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   add column item.title
-- operation: add-column a7d9ae2c
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'title' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."item" DROP COLUMN "title"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD COLUMN "title" text COLLATE "C";
SELECT "strata"."history_expect"('public', '{"entities": {"Item": {"properties": {"name": null, "title": {"column": "title", "was": ["name"]}}}}}');
COMMIT;

-- step 2.2 phase=expand tx=own lock=AccessExclusive tables=item columns=name lock_timeout=2s timeout=60s
--   let new code leave out item.name
-- operation: omit-column 15b4a2ca
-- undo: ALTER TABLE "public"."item" ALTER COLUMN "name" SET NOT NULL
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ALTER COLUMN "name" DROP NOT NULL;
COMMIT;

-- step 2.3 phase=expand tx=own lock=ShareRowExclusive tables=item lock_timeout=2s timeout=60s
--   keep what old and new code write to item in step (before)
-- operation: keep-in-step 520fcb82
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."item"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."item"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_item_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_item_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."title" IS NOT NULL
        OR TG_OP = 'UPDATE' AND NEW."title" IS DISTINCT FROM OLD."title" THEN
        NEW."name" := NEW."title";
    ELSIF TG_OP = 'INSERT' OR NEW."name" IS DISTINCT FROM OLD."name" THEN
        NEW."title" := NEW."name";
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."item"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_item_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_item_before"() FROM PUBLIC;
COMMIT;

-- step 2.4 phase=backfill tx=batches(item,pk,10000) lock=RowExclusive tables=item lock_timeout=2s timeout=10min history=off
--   copy item.name to title
-- operation: copy-column 1c600fc3
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
UPDATE "public"."item" SET "title" = "name"
WHERE "pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND "title" IS DISTINCT FROM "name";
COMMIT;

-- step 2.5 phase=backfill tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   forbid empty item.title in new rows
-- operation: forbid-empty f4fb9596
-- undo: ALTER TABLE "public"."item" DROP CONSTRAINT IF EXISTS "item_title_not_null"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD CONSTRAINT "item_title_not_null" CHECK ("title" IS NOT NULL) NOT VALID;
COMMIT;

-- step 2.6 phase=backfill tx=own lock=ShareUpdateExclusive tables=item lock_timeout=none timeout=none
--   validate that item.title is never empty
-- operation: validate-constraint ff98dadc
BEGIN; SET LOCAL lock_timeout = '0ms'; SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."item" VALIDATE CONSTRAINT "item_title_not_null";
COMMIT;

-- step 2.7 phase=backfill tx=own lock=AccessExclusive tables=item columns=title lock_timeout=2s timeout=60s
--   make item.title required
-- operation: require-column d975b0e6
-- done: SELECT attnotnull FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'title'
-- undo: ALTER TABLE "public"."item" ALTER COLUMN "title" DROP NOT NULL
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ALTER COLUMN "title" SET NOT NULL;
ALTER TABLE "public"."item" DROP CONSTRAINT "item_title_not_null";
COMMIT;

-- step 2.8 phase=contract tx=verify lock=None tables=item lock_timeout=2s timeout=none
--   verify Item.title
-- operation: verify 54d9d64e
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT "pk"::text, "name"::text FROM "public"."item"
WHERE "title" IS DISTINCT FROM "name"
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.8, verify Item.title: not so';
    END IF;
END
$strata$;

-- step 2.9 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   stop keeping item in step
-- operation: end-in-step 7643fd1d
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TRIGGER "0_strata_sync_before" ON "public"."item";
DROP FUNCTION "public"."strata_sync_0002_v1_v2_item_before"();
COMMIT;

-- step 2.10 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 2.0.0
-- operation: record-history 757f131e
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"name": "name", "title": null}}}}', '{"entities": {"Item": {"properties": {"name": null, "title": {"column": "title", "was": ["name"]}}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"name": null, "title": {"column": "title", "was": ["name"]}}}}}');
COMMIT;

-- step 2.11 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop column item.name
-- operation: drop-column 7b72ff44
-- note: drops item.name: its values are in item.title
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP COLUMN "name";
COMMIT;

-- step 2.12 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 8a72c1b6
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'dc3e9c3862396bd01c351289f2188458377814085e7d8c897ec82ffa14bc5fda', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', 'dc3e9c3862396bd01c351289f2188458377814085e7d8c897ec82ffa14bc5fda', '1.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   add column item.name
-- operation: add-column 8d27e6d7
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'name' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."item" DROP COLUMN "name"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD COLUMN "name" text COLLATE "C";
SELECT "strata"."history_expect"('public', '{"entities": {"Item": {"properties": {"name": {"column": "name", "was": ["title"]}, "title": null}}}}');
COMMIT;

-- step 2.2 phase=expand tx=own lock=AccessExclusive tables=item columns=title lock_timeout=2s timeout=60s
--   let new code leave out item.title
-- operation: omit-column eb88e43a
-- undo: ALTER TABLE "public"."item" ALTER COLUMN "title" SET NOT NULL
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ALTER COLUMN "title" DROP NOT NULL;
COMMIT;

-- step 2.3 phase=expand tx=own lock=ShareRowExclusive tables=item lock_timeout=2s timeout=60s
--   keep what old and new code write to item in step (before)
-- operation: keep-in-step 7703497a
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."item"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."item"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_item_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2.down_item_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' AND NEW."name" IS NOT NULL
        OR TG_OP = 'UPDATE' AND NEW."name" IS DISTINCT FROM OLD."name" THEN
        NEW."title" := NEW."name";
    ELSIF TG_OP = 'INSERT' OR NEW."title" IS DISTINCT FROM OLD."title" THEN
        NEW."name" := NEW."title";
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."item"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2.down_item_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2.down_item_before"() FROM PUBLIC;
COMMIT;

-- step 2.4 phase=backfill tx=batches(item,pk,10000) lock=RowExclusive tables=item lock_timeout=2s timeout=10min history=off
--   copy item.title to name
-- operation: copy-column 1b065412
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
UPDATE "public"."item" SET "name" = "title"
WHERE "pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND "name" IS DISTINCT FROM "title";
COMMIT;

-- step 2.5 phase=backfill tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   forbid empty item.name in new rows
-- operation: forbid-empty 4d96782b
-- undo: ALTER TABLE "public"."item" DROP CONSTRAINT IF EXISTS "item_name_not_null"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD CONSTRAINT "item_name_not_null" CHECK ("name" IS NOT NULL) NOT VALID;
COMMIT;

-- step 2.6 phase=backfill tx=own lock=ShareUpdateExclusive tables=item lock_timeout=none timeout=none
--   validate that item.name is never empty
-- operation: validate-constraint eb8c017a
BEGIN; SET LOCAL lock_timeout = '0ms'; SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."item" VALIDATE CONSTRAINT "item_name_not_null";
COMMIT;

-- step 2.7 phase=backfill tx=own lock=AccessExclusive tables=item columns=name lock_timeout=2s timeout=60s
--   make item.name required
-- operation: require-column d09128dd
-- done: SELECT attnotnull FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'name'
-- undo: ALTER TABLE "public"."item" ALTER COLUMN "name" DROP NOT NULL
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ALTER COLUMN "name" SET NOT NULL;
ALTER TABLE "public"."item" DROP CONSTRAINT "item_name_not_null";
COMMIT;

-- step 2.8 phase=contract tx=verify lock=None tables=item lock_timeout=2s timeout=none
--   verify Item.name
-- operation: verify 1e2e3611
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT "pk"::text, "title"::text FROM "public"."item"
WHERE "name" IS DISTINCT FROM "title"
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.8, verify Item.name: not so';
    END IF;
END
$strata$;

-- step 2.9 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   stop keeping item in step
-- operation: end-in-step e0021b82
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TRIGGER "0_strata_sync_before" ON "public"."item";
DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_item_before"();
COMMIT;

-- step 2.10 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 1.0.0
-- operation: record-history 9c17bc36
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"name": null, "title": "title"}}}}', '{"entities": {"Item": {"properties": {"name": {"column": "name", "was": ["title"]}, "title": null}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"name": {"column": "name", "was": ["title"]}, "title": null}}}}');
COMMIT;

-- step 2.11 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop column item.title
-- operation: drop-column d407c25b
-- note: drops item.title: its values are in item.name
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP COLUMN "title";
COMMIT;

-- step 2.12 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 33b030c1
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '0002_v1_v2.down');
COMMIT;

---- 0002_v1_v2.checks.sql
-- Checks of 0002_v1_v2. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M502
--   what this stage changes the type of, or drops, is used by objects of others
-- remedy: drop them before, and make them again after the stage; or do it in the stage, with .sql("DROP VIEW …", phase: .contract), and --allow M502
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."item"'::text, 'name'::text)) AS g (relation, name)
JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
    OR k.contype = 'f'
    OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
        'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)));

-- step 2.8
--   verify Item.title
SELECT "pk"::text, "name"::text FROM "public"."item"
WHERE "title" IS DISTINCT FROM "name";

-- step 2.8 way=down
--   verify Item.name
SELECT "pk"::text, "title"::text FROM "public"."item"
WHERE "name" IS DISTINCT FROM "title";
