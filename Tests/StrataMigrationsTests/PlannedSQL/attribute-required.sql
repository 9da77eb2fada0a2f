---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 d448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858
-- to: 2.0.0 fc11d6025de8697a1398c19b4873c14cb133b076ef99dbf2c6c4aba953496fb2
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: none
-- generated: a1eb24245149c5b7e6dd735d1946117f0682afa29d5bae06364b34ea2dfacac0 215c4895afb2205c8d4286da7685d5e28355566a623790732721661c6559041e

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '2.0.0');
SET strata.batch_first = '-9223372036854775808';
SET strata.batch_last = '9223372036854775807';

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   add column item.code
-- operation: add-column 56c3d59c
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'code' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."item" DROP COLUMN "code"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD COLUMN "code" text COLLATE "C";
SELECT "strata"."history_expect"('public', '{"entities": {"Item": {"properties": {"code": "code"}}}}');
COMMIT;

-- step 2.2 phase=expand tx=own lock=ShareRowExclusive tables=item lock_timeout=2s timeout=60s
--   keep what old and new code write to item in step (before)
-- operation: keep-in-step 14cd51e8
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass('"public"."item"') AND tgname = '0_strata_sync_before')
-- undo: DROP TRIGGER "0_strata_sync_before" ON "public"."item"
-- undo: DROP FUNCTION "public"."strata_sync_0002_v1_v2_item_before"()
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
CREATE OR REPLACE FUNCTION "public"."strata_sync_0002_v1_v2_item_before"() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $strata_sync$
BEGIN
    IF NEW."code" IS NULL THEN
        SELECT upper(name) INTO NEW."code" FROM (SELECT NEW.*) AS s;
    END IF;
    RETURN NEW;
END
$strata_sync$;
CREATE TRIGGER "0_strata_sync_before" BEFORE INSERT OR UPDATE ON "public"."item"
FOR EACH ROW WHEN (pg_catalog.current_setting('strata.sync', true) IS DISTINCT FROM 'off') EXECUTE FUNCTION "public"."strata_sync_0002_v1_v2_item_before"();
REVOKE ALL ON FUNCTION "public"."strata_sync_0002_v1_v2_item_before"() FROM PUBLIC;
COMMIT;

-- step 2.3 phase=backfill tx=batches(item,pk,10000) lock=RowExclusive tables=item lock_timeout=2s timeout=10min history=off
--   fill item.code
-- operation: fill-column b2e1a1d2
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '0ms'; SET LOCAL strata.history = 'off'; SET LOCAL strata.sync = 'off';
UPDATE "public"."item" SET "code" = upper(name) WHERE "pk" BETWEEN current_setting('strata.batch_first')::bigint AND current_setting('strata.batch_last')::bigint AND "code" IS NULL;
COMMIT;

-- step 2.4 phase=backfill tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   forbid empty item.code in new rows
-- operation: forbid-empty fbc164b0
-- undo: ALTER TABLE "public"."item" DROP CONSTRAINT IF EXISTS "item_code_not_null"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD CONSTRAINT "item_code_not_null" CHECK ("code" IS NOT NULL) NOT VALID;
COMMIT;

-- step 2.5 phase=backfill tx=own lock=ShareUpdateExclusive tables=item lock_timeout=none timeout=none
--   validate that item.code is never empty
-- operation: validate-constraint 373c1ca6
BEGIN; SET LOCAL lock_timeout = '0ms'; SET LOCAL statement_timeout = '0ms';
ALTER TABLE "public"."item" VALIDATE CONSTRAINT "item_code_not_null";
COMMIT;

-- step 2.6 phase=backfill tx=own lock=AccessExclusive tables=item columns=code lock_timeout=2s timeout=60s
--   make item.code required
-- operation: require-column 2fc24b89
-- done: SELECT attnotnull FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'code'
-- undo: ALTER TABLE "public"."item" ALTER COLUMN "code" DROP NOT NULL
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ALTER COLUMN "code" SET NOT NULL;
ALTER TABLE "public"."item" DROP CONSTRAINT "item_code_not_null";
COMMIT;

-- step 2.7 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   stop keeping item in step
-- operation: end-in-step 5cca19f3
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TRIGGER "0_strata_sync_before" ON "public"."item";
DROP FUNCTION "public"."strata_sync_0002_v1_v2_item_before"();
COMMIT;

-- step 2.8 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 2.0.0
-- operation: record-history 621821cc
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"code": null}}}}', '{"entities": {"Item": {"properties": {"code": "code"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"code": "code"}}}}');
COMMIT;

-- step 2.9 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 3b8c0f6f
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'fc11d6025de8697a1398c19b4873c14cb133b076ef99dbf2c6c4aba953496fb2', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', 'fc11d6025de8697a1398c19b4873c14cb133b076ef99dbf2c6c4aba953496fb2', '1.0.0');

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   let new code leave out item.code
-- operation: omit-column 2b3a66f6
-- undo: ALTER TABLE "public"."item" ALTER COLUMN "code" DROP DEFAULT
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ALTER COLUMN "code" SET DEFAULT '';
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 1.0.0
-- operation: record-history b4b4cdbe
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"code": "code"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"code": null}}}}');
COMMIT;

-- step 2.3 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop column item.code
-- operation: drop-column 45770a46
-- note: drops item.code: version 1.0.0 does not have it
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP COLUMN "code";
COMMIT;

-- step 2.4 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 372164bd
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '0002_v1_v2.down');
COMMIT;
