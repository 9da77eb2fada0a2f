---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a
-- to: 2.0.0 d448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: none
-- generated: none b1b89c02c11cc8108b2466ad3672043c00b963a4ef53f96d311d6a58db28253d

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', 'e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a', '2.0.0');

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   add column item.note
-- operation: add-column a4f829ca
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'note' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."item" DROP COLUMN "note"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD COLUMN "note" text COLLATE "C";
SELECT "strata"."history_expect"('public', '{"entities": {"Item": {"properties": {"note": "note"}}}}');
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 1b3bd621
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"note": "note"}}}}');
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '1.0.0');

-- step 2.1 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 1.0.0
-- operation: record-history f2b5aaa9
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"note": "note"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"note": null}}}}');
COMMIT;

-- step 2.2 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop column item.note
-- operation: drop-column a38a3d4b
-- note: drops item.note: version 1.0.0 does not have it
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP COLUMN "note";
COMMIT;

-- step 2.3 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 213cab74
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', 'e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a', '0002_v1_v2.down');
COMMIT;
