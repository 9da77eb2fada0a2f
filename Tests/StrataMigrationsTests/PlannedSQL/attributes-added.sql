---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a
-- to: 2.0.0 aa70c4e9a5abd83cdb038db0e857a9c37cea53a0970902f45e798cac7e33b823
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: none
-- generated: none 9838a1fa916ed5f2509d8fb393bb5c98b7b7f5c32f58803211f3e5924ba14cf8

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', 'e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a', '2.0.0');

-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   add columns item.note, item.colour, item.height, item.width, item.weight, item.is_fragile, item.count, item.arrival
-- operation: add-column 24ae564b
-- done: SELECT count(*) = 8 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname IN ('note', 'colour', 'height', 'width', 'weight', 'is_fragile', 'count', 'arrival') AND NOT attisdropped
-- undo: ALTER TABLE "public"."item" DROP COLUMN "note", DROP COLUMN "colour", DROP COLUMN "height", DROP COLUMN "width", DROP COLUMN "weight", DROP COLUMN "is_fragile", DROP COLUMN "count", DROP COLUMN "arrival"
-- undo: SELECT "strata"."history_expect"('public')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD COLUMN "note" text COLLATE "C", ADD COLUMN "colour" text COLLATE "C",
    ADD COLUMN "height" double precision, ADD COLUMN "width" double precision,
    ADD COLUMN "weight" double precision, ADD COLUMN "is_fragile" boolean, ADD COLUMN "count" bigint,
    ADD COLUMN "arrival" timestamptz;
SELECT "strata"."history_expect"('public', $history${"entities": {"Item": {"properties": {
  "arrival": "arrival", "colour": "colour", "count": "count", "height": "height",
  "isFragile": "is_fragile", "note": "note", "weight": "weight", "width": "width"}}}}$history$);
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 26e84531
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', $history${"entities": {"Item": {"properties": {
  "arrival": "arrival", "colour": "colour", "count": "count", "height": "height",
  "isFragile": "is_fragile", "note": "note", "weight": "weight", "width": "width"}}}}$history$);
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'aa70c4e9a5abd83cdb038db0e857a9c37cea53a0970902f45e798cac7e33b823', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', 'aa70c4e9a5abd83cdb038db0e857a9c37cea53a0970902f45e798cac7e33b823', '1.0.0');

-- step 2.1 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 1.0.0
-- operation: record-history 7ff37ccd
-- undo: SELECT "strata"."history_follow"('public', $history${"entities": {"Item": {"properties": {
--  |   "arrival": "arrival", "colour": "colour", "count": "count", "height": "height",
--  |   "isFragile": "is_fragile", "note": "note", "weight": "weight", "width": "width"}}}}$history$)
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', $history${"entities": {"Item": {"properties": {
  "arrival": null, "colour": null, "count": null, "height": null, "isFragile": null, "note": null,
  "weight": null, "width": null}}}}$history$);
COMMIT;

-- step 2.2 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop columns item.note, item.colour, item.height, item.width, item.weight, item.is_fragile, item.count, item.arrival
-- operation: drop-column 79b27554
-- note: drops item.note: version 1.0.0 does not have it
-- note: drops item.colour: version 1.0.0 does not have it
-- note: drops item.height: version 1.0.0 does not have it
-- note: drops item.width: version 1.0.0 does not have it
-- note: drops item.weight: version 1.0.0 does not have it
-- note: drops item.is_fragile: version 1.0.0 does not have it
-- note: drops item.count: version 1.0.0 does not have it
-- note: drops item.arrival: version 1.0.0 does not have it
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP COLUMN "note", DROP COLUMN "colour", DROP COLUMN "height",
    DROP COLUMN "width", DROP COLUMN "weight", DROP COLUMN "is_fragile", DROP COLUMN "count",
    DROP COLUMN "arrival";
COMMIT;

-- step 2.3 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 213cab74
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', 'e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a', '0002_v1_v2.down');
COMMIT;
