---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a
-- to: 2.0.0 d448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: none
-- generated: none 59126b32fb671b9476c2210a81a39efc64e37b21099b8210bdf9965d9c10888a

DO $strata$
BEGIN
    IF (SELECT fingerprint FROM "strata"."schema_version" WHERE schema_name = 'public' ORDER BY number DESC LIMIT 1) IS DISTINCT FROM 'e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a' THEN
        RAISE EXCEPTION USING MESSAGE = '0002_v1_v2: the database is not at version 1.0.0';
    END IF;
END
$strata$;
SET strata.author = 'migration 1.0.0 -> 2.0.0';


-- step 2.1 phase=expand tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   add column item.note
-- operation: add-column 322f6b42
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass('"public"."item"') AND attname = 'note' AND NOT attisdropped)
-- undo: ALTER TABLE "public"."item" DROP COLUMN "note"
-- undo: SELECT "strata"."history_describe"('public', $history${"entities": [
--  |   {"classes":["Item"],"name":"Item","table":"item","properties":[
--  |     {"column":"name","name":"name"}]}
--  | ], "links": [
--  | ]}$history$)
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD COLUMN "note" text COLLATE "C";
SELECT "strata"."history_describe"('public', $history${"entities": [
  {"classes":["Item"],"name":"Item","table":"item","properties":[
    {"column":"name","name":"name"}]}
], "links": [
]}$history$, $history${"entities": [
  {"classes":["Item"],"name":"Item","table":"item","properties":[
    {"column":"name","name":"name"}, {"column":"note","name":"note"}]}
], "links": [
]}$history$);
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 2.0.0
-- operation: record-history 3810d3a1
-- undo: SELECT "strata"."history_describe"('public', $history${"entities": [
--  |   {"classes":["Item"],"name":"Item","table":"item","properties":[
--  |     {"column":"name","name":"name"}]}
--  | ], "links": [
--  | ]}$history$, $history${"entities": [
--  |   {"classes":["Item"],"name":"Item","table":"item","properties":[
--  |     {"column":"name","name":"name"}, {"column":"note","name":"note"}]}
--  | ], "links": [
--  | ]}$history$)
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_describe"('public', $history${"entities": [
  {"classes":["Item"],"name":"Item","table":"item","properties":[
    {"column":"name","name":"name"}, {"column":"note","name":"note"}]}
], "links": [
]}$history$);
COMMIT;

-- step 2.3 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version d92566c8
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

DO $strata$
BEGIN
    IF (SELECT fingerprint FROM "strata"."schema_version" WHERE schema_name = 'public' ORDER BY number DESC LIMIT 1) IS DISTINCT FROM 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858' THEN
        RAISE EXCEPTION USING MESSAGE = '0002_v1_v2: the database is not at version 2.0.0';
    END IF;
END
$strata$;
SET strata.author = 'migration 2.0.0 -> 1.0.0';


-- step 2.1 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 1.0.0
-- operation: record-history d4cb57ce
-- undo: SELECT "strata"."history_describe"('public', $history${"entities": [
--  |   {"classes":["Item"],"name":"Item","table":"item","properties":[
--  |     {"column":"name","name":"name"}, {"column":"note","name":"note"}]}
--  | ], "links": [
--  | ]}$history$)
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_describe"('public', $history${"entities": [
  {"classes":["Item"],"name":"Item","table":"item","properties":[
    {"column":"name","name":"name"}]}
], "links": [
]}$history$);
COMMIT;

-- step 2.2 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop column item.note
-- operation: drop-column a38a3d4b
-- note: drops item.note: version 1.0.0 does not have it
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP COLUMN "note";
COMMIT;

-- step 2.3 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 213cab74
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', 'e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a', '0002_v1_v2.down');
COMMIT;
