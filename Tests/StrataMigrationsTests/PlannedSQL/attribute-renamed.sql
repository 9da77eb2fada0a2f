---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 d448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858
-- to: 2.0.0 dc3e9c3862396bd01c351289f2188458377814085e7d8c897ec82ffa14bc5fda
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: none
-- generated: none eb44ca882f0dd7dfc826ceb1f63e35c3edb983418e54d3bb7aa0a266890c1c40
-- note: old code must be stopped before contract, new code starts after it: names change in the switch

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '2.0.0');

-- step 2.1 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   switch to the names of version 2.0.0
-- operation: switch-names 924fba6e
-- undo: ALTER TABLE "public"."item" RENAME COLUMN "title" TO "name"
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"name": "name", "title": null}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" RENAME COLUMN "name" TO "title";
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"name": null, "title": {"column": "title", "was": ["name"]}}}}}');
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 9e6cd0e1
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'dc3e9c3862396bd01c351289f2188458377814085e7d8c897ec82ffa14bc5fda', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', 'dc3e9c3862396bd01c351289f2188458377814085e7d8c897ec82ffa14bc5fda', '1.0.0');

-- step 2.1 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   switch to the names of version 1.0.0
-- operation: switch-names d3ef47a3
-- undo: ALTER TABLE "public"."item" RENAME COLUMN "name" TO "title"
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"name": null, "title": "title"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" RENAME COLUMN "title" TO "name";
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"name": {"column": "name", "was": ["title"]}, "title": null}}}}');
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 301ef7d2
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '0002_v1_v2.down');
COMMIT;
