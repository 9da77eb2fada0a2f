---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 d448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858
-- to: 2.0.0 289b6f2f8f65ff4a3fe9acd2608b2164b34d1f64770e7fe6128c83a3981c8d83
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: none
-- generated: d6ff8df4e3a500c93065663542ff2fa51905de6038ba15f714b21f05d89a1aaa 27c108e809bba081a8a484e5af178677bb6702e7555bac3f2d54f3f0908849fb
-- note: old code must be stopped before contract, new code starts after it: names change in the switch

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '2.0.0');

-- step 2.1 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   switch to the names of version 2.0.0
-- operation: switch-names 13eed6c2
-- undo: ALTER SEQUENCE IF EXISTS "public"."thing_pk_seq" RENAME TO "item_pk_seq"
-- undo: ALTER TABLE "public"."thing" RENAME TO "item"
-- undo: ALTER TABLE "public"."item" RENAME CONSTRAINT "thing_pkey" TO "item_pkey"
-- undo: SELECT "strata"."history_follow"('public', $history${"entities": {
--  |   "Item": {"table": "item", "classes": ["Item"], "properties": {"name": "name", "note": "note"}},
--  |   "Thing": null}}$history$)
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" RENAME CONSTRAINT "item_pkey" TO "thing_pkey";
ALTER TABLE "public"."item" RENAME TO "thing";
ALTER SEQUENCE IF EXISTS "public"."item_pk_seq" RENAME TO "thing_pk_seq";
SELECT "strata"."history_follow"('public', $history${"entities": {
  "Item": null,
  "Thing": {
    "was": ["Item"], "table": "thing", "classes": ["Item","Thing"],
    "properties": {"name": "name", "note": "note"}}}}$history$);
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version b4c21829
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Thing": {"classes": ["Thing"]}}}');
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', '289b6f2f8f65ff4a3fe9acd2608b2164b34d1f64770e7fe6128c83a3981c8d83', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', '289b6f2f8f65ff4a3fe9acd2608b2164b34d1f64770e7fe6128c83a3981c8d83', '1.0.0');

-- step 2.1 phase=contract tx=own lock=AccessExclusive tables=thing lock_timeout=2s timeout=60s
--   switch to the names of version 1.0.0
-- operation: switch-names e4b2bc14
-- undo: ALTER SEQUENCE IF EXISTS "public"."item_pk_seq" RENAME TO "thing_pk_seq"
-- undo: ALTER TABLE "public"."item" RENAME TO "thing"
-- undo: ALTER TABLE "public"."thing" RENAME CONSTRAINT "item_pkey" TO "thing_pkey"
-- undo: SELECT "strata"."history_follow"('public', $history${"entities": {
--  |   "Item": null,
--  |   "Thing": {"table": "thing", "classes": ["Thing"], "properties": {"name": "name", "note": "note"}}}}$history$)
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."thing" RENAME CONSTRAINT "thing_pkey" TO "item_pkey";
ALTER TABLE "public"."thing" RENAME TO "item";
ALTER SEQUENCE IF EXISTS "public"."thing_pk_seq" RENAME TO "item_pk_seq";
SELECT "strata"."history_follow"('public', $history${"entities": {
  "Item": {
    "was": ["Thing"], "table": "item", "classes": ["Item","Thing"],
    "properties": {"name": "name", "note": "note"}},
  "Thing": null}}$history$);
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 29fe3d62
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"classes": ["Item"]}}}');
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '0002_v1_v2.down');
COMMIT;
