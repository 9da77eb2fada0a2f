---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 24a741a100097786a6f5eb16ed9c39df8d9885b984b167b0c9e6b5f17e699646
-- to: 2.0.0 cdb125ca270f6c453af79ea567f057a25f4984a39ce2ea433c878f48c1dec7c5
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: none
-- generated: none c57b86593fdc5e72aa7f2d3d53d5ecfcb8ca654c0fdcad43269ba2b34208b023

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', '24a741a100097786a6f5eb16ed9c39df8d9885b984b167b0c9e6b5f17e699646', '2.0.0');

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   add column item.count with a default
-- operation: add-column b20fffc6
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'count' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."item" DROP COLUMN "count"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD COLUMN "count" bigint NOT NULL DEFAULT 3;
SELECT "strata"."history_expect"('public', '{"entities": {"Item": {"properties": {"count": "count"}}}}');
SELECT "strata"."history_reset"('public', 'Item');
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 2.0.0
-- operation: record-history 2cf6e49a
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"count": null}}}}', '{"entities": {"Item": {"properties": {"count": "count"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"count": "count"}}}}');
COMMIT;

-- step 2.3 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop the default of item.count
-- operation: set-default eb81219c
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ALTER COLUMN "count" DROP DEFAULT;
COMMIT;

-- step 2.4 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version f9dcf477
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'cdb125ca270f6c453af79ea567f057a25f4984a39ce2ea433c878f48c1dec7c5', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', 'cdb125ca270f6c453af79ea567f057a25f4984a39ce2ea433c878f48c1dec7c5', '1.0.0');

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   let new code leave out item.count
-- operation: omit-column 98e89fe5
-- undo: ALTER TABLE "public"."item" ALTER COLUMN "count" DROP DEFAULT
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ALTER COLUMN "count" SET DEFAULT 0;
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 1.0.0
-- operation: record-history 253ad5e7
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"count": "count"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"count": null}}}}');
COMMIT;

-- step 2.3 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop column item.count
-- operation: drop-column ea9d3f0e
-- note: drops item.count: version 1.0.0 does not have it
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP COLUMN "count";
COMMIT;

-- step 2.4 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 6e76eea1
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', '24a741a100097786a6f5eb16ed9c39df8d9885b984b167b0c9e6b5f17e699646', '0002_v1_v2.down');
COMMIT;
