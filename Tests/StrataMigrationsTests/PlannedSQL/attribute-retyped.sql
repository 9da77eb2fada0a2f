---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 87db2cea08d57e240f027d6481c3461809504fa222bb27805245c4eb03b9ddae
-- to: 2.0.0 38e872a07f8bf68bcc01c3e56deedb2d5a6224d43c5fb93ec009b431d924b315
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: 0002_v1_v2.checks.sql
-- generated: none c458cc3426c88375b5c5a6b7d116fad7963b0a4669549be638dcea0095e87462
-- note: old code must be stopped before contract, new code starts after it: names change in the switch
-- note: going back, Item.value is converted from bigint: what was written in another form than PostgreSQL writes comes back in that one
-- ! step 2.7 drops item.value__old: its values are in item.value

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', '87db2cea08d57e240f027d6481c3461809504fa222bb27805245c4eb03b9ddae', '2.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT "pk"::text, "value"::text FROM "public"."item" WHERE "value" IS NOT NULL AND (("value" !~ '^-?[0-9]{1,18}$' AND NOT strata.can_cast("value", 'bigint')))
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M204: Item.value: text → bigint would fail';
    END IF;
END
$strata$;
DO $strata$
BEGIN
    IF EXISTS (
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."item"'::text, 'value'::text)) AS g (relation, name)
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
--   add column item.value__new
-- operation: add-column 302b4c0d
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'value__new' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."item" DROP COLUMN "value__new"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD COLUMN "value__new" bigint;
SELECT "strata"."history_expect"('public', '{"entities": {"Item": {"properties": {"value": "value__new"}}}}');
COMMIT;

-- step 2.2 phase=expand tx=own lock=ShareRowExclusive tables=item lock_timeout=2s timeout=60s
--   keep what old and new code write to item in step (before)
-- operation: keep-in-step c2bd38a2
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."item"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."item"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_item_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_item_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' OR NEW."value__new" IS NULL OR NEW."value" IS DISTINCT FROM OLD."value" THEN
        SELECT CASE WHEN ("value" !~ '^-?[0-9]{1,18}$' AND NOT strata.can_cast("value", 'bigint')) THEN NULL ELSE "value"::bigint END INTO NEW."value__new" FROM (SELECT NEW.* OFFSET 0) AS s;
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."item"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_item_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_item_before"() FROM PUBLIC;
COMMIT;

-- step 2.3 phase=backfill tx=batches(item,pk,10000) lock=RowExclusive tables=item lock_timeout=2s timeout=10min history=off
--   convert item.value to bigint
-- operation: convert-column 935983e5
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
UPDATE "public"."item" SET "value__new" = CASE WHEN ("value" !~ '^-?[0-9]{1,18}$' AND NOT strata.can_cast("value", 'bigint')) THEN NULL ELSE "value"::bigint END
WHERE "pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND "value__new" IS NULL AND "value" IS NOT NULL;
COMMIT;

-- step 2.4 phase=contract tx=verify lock=None tables=item lock_timeout=2s timeout=none
--   verify Item.value
-- operation: verify 77a57a01
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT "pk"::text, "value"::text FROM "public"."item"
WHERE "value" IS NOT NULL AND (("value" !~ '^-?[0-9]{1,18}$' AND NOT strata.can_cast("value", 'bigint'))) OR "value__new" IS DISTINCT FROM CASE WHEN ("value" !~ '^-?[0-9]{1,18}$' AND NOT strata.can_cast("value", 'bigint')) THEN NULL ELSE "value"::bigint END
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.4, verify Item.value: not so';
    END IF;
END
$strata$;

-- step 2.5 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   stop keeping item in step
-- operation: end-in-step bd2cc2d3
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TRIGGER "0_strata_sync_before" ON "public"."item";
DROP FUNCTION "public"."strata_sync_0002_v1_v2_item_before"();
COMMIT;

-- step 2.6 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   switch to the names of version 2.0.0
-- operation: switch-names 00aff175
-- undo: ALTER TABLE "public"."item" RENAME COLUMN "value" TO "value__new"
-- undo: ALTER TABLE "public"."item" RENAME COLUMN "value__old" TO "value"
-- undo: SELECT "strata"."history_follow"('public', '{}', '{"entities": {"Item": {"properties": {"value": "value__new"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" RENAME COLUMN "value" TO "value__old";
ALTER TABLE "public"."item" RENAME COLUMN "value__new" TO "value";
SELECT "strata"."history_follow"('public', '{}');
COMMIT;

-- step 2.7 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop column item.value__old
-- operation: drop-column f1907183
-- note: drops item.value__old: its values are in item.value
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP COLUMN "value__old";
COMMIT;

-- step 2.8 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version bcee3656
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', '38e872a07f8bf68bcc01c3e56deedb2d5a6224d43c5fb93ec009b431d924b315', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', '38e872a07f8bf68bcc01c3e56deedb2d5a6224d43c5fb93ec009b431d924b315', '1.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   add column item.value__new
-- operation: add-column 4f057dd1
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'value__new' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."item" DROP COLUMN "value__new"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD COLUMN "value__new" text COLLATE "C";
SELECT "strata"."history_expect"('public', '{"entities": {"Item": {"properties": {"value": "value__new"}}}}');
COMMIT;

-- step 2.2 phase=expand tx=own lock=ShareRowExclusive tables=item lock_timeout=2s timeout=60s
--   keep what old and new code write to item in step (before)
-- operation: keep-in-step 688a44f8
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."item"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."item"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_item_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2.down_item_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF TG_OP = 'INSERT' OR NEW."value__new" IS NULL OR NEW."value" IS DISTINCT FROM OLD."value" THEN
        SELECT "value"::text INTO NEW."value__new" FROM (SELECT NEW.*) AS s;
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."item"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2.down_item_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2.down_item_before"() FROM PUBLIC;
COMMIT;

-- step 2.3 phase=backfill tx=batches(item,pk,10000) lock=RowExclusive tables=item lock_timeout=2s timeout=10min history=off
--   convert item.value to text
-- operation: convert-column fdfd1bfe
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
UPDATE "public"."item" SET "value__new" = "value"::text
WHERE "pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND "value__new" IS NULL AND "value" IS NOT NULL;
COMMIT;

-- step 2.4 phase=contract tx=verify lock=None tables=item lock_timeout=2s timeout=none
--   verify Item.value
-- operation: verify e47170bb
-- The queries stand in 0002_v1_v2.checks.sql; here they stop psql.
DO $strata$
BEGIN
    IF EXISTS (
SELECT "pk"::text, "value"::text FROM "public"."item"
WHERE "value__new" IS DISTINCT FROM "value"::text
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'step 2.4, verify Item.value: not so';
    END IF;
END
$strata$;

-- step 2.5 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   stop keeping item in step
-- operation: end-in-step d59283d3
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TRIGGER "0_strata_sync_before" ON "public"."item";
DROP FUNCTION "public"."strata_sync_0002_v1_v2.down_item_before"();
COMMIT;

-- step 2.6 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   switch to the names of version 1.0.0
-- operation: switch-names 00aff175
-- undo: ALTER TABLE "public"."item" RENAME COLUMN "value" TO "value__new"
-- undo: ALTER TABLE "public"."item" RENAME COLUMN "value__old" TO "value"
-- undo: SELECT "strata"."history_follow"('public', '{}', '{"entities": {"Item": {"properties": {"value": "value__new"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" RENAME COLUMN "value" TO "value__old";
ALTER TABLE "public"."item" RENAME COLUMN "value__new" TO "value";
SELECT "strata"."history_follow"('public', '{}');
COMMIT;

-- step 2.7 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop column item.value__old
-- operation: drop-column f1907183
-- note: drops item.value__old: its values are in item.value
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP COLUMN "value__old";
COMMIT;

-- step 2.8 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version a98fef2e
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', '87db2cea08d57e240f027d6481c3461809504fa222bb27805245c4eb03b9ddae', '0002_v1_v2.down');
COMMIT;

---- 0002_v1_v2.checks.sql
-- Checks of 0002_v1_v2. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M204
--   Item.value: text → bigint would fail
-- remedy: correct these rows, or say how: .converted(\Item.value, using: "…")
SELECT "pk"::text, "value"::text FROM "public"."item" WHERE "value" IS NOT NULL AND (("value" !~ '^-?[0-9]{1,18}$' AND NOT strata.can_cast("value", 'bigint')));

-- check M502
--   what this stage changes the type of, or drops, is used by objects of others
-- remedy: drop them before, and make them again after the stage; or do it in the stage, with .sql("DROP VIEW …", phase: .contract), and --allow M502
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."item"'::text, 'value'::text)) AS g (relation, name)
JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
    OR k.contype = 'f'
    OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
        'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)));

-- step 2.4
--   verify Item.value
SELECT "pk"::text, "value"::text FROM "public"."item"
WHERE "value" IS NOT NULL AND (("value" !~ '^-?[0-9]{1,18}$' AND NOT strata.can_cast("value", 'bigint'))) OR "value__new" IS DISTINCT FROM CASE WHEN ("value" !~ '^-?[0-9]{1,18}$' AND NOT strata.can_cast("value", 'bigint')) THEN NULL ELSE "value"::bigint END;

-- step 2.4 way=down
--   verify Item.value
SELECT "pk"::text, "value"::text FROM "public"."item"
WHERE "value__new" IS DISTINCT FROM "value"::text;
