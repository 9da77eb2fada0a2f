---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 d448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858
-- to: 2.0.0 dc3e9c3862396bd01c351289f2188458377814085e7d8c897ec82ffa14bc5fda
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: none
-- generated: none a1bee5f0d9acbf94080f5e3e9e75994eb48107892e360d6b03eb77c38dc55ab2
-- note: old code must be stopped before contract, new code starts after it: names change in the switch

DO $strata$
BEGIN
    IF (SELECT fingerprint FROM "strata"."schema_version" WHERE schema_name = 'public' ORDER BY number DESC LIMIT 1) IS DISTINCT FROM 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858' THEN
        RAISE EXCEPTION USING MESSAGE = '0002_v1_v2: the database is not at version 1.0.0';
    END IF;
END
$strata$;
SET strata.author = 'migration 1.0.0 -> 2.0.0';


-- step 2.1 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   switch to the names of version 2.0.0
-- operation: switch-names 9d6b87f3
-- undo: ALTER TABLE "public"."item" RENAME COLUMN "title" TO "name"
-- undo: SELECT "strata"."history_describe"('public', $history${"entities": [
--  |   {"classes":["Item"],"name":"Item","table":"item","properties":[
--  |     {"column":"name","name":"name"}, {"column":"note","name":"note"}]}
--  | ], "links": [
--  | ]}$history$)
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" RENAME COLUMN "name" TO "title";
SELECT "strata"."history_describe"('public', $history${"entities": [
  {"classes":["Item"],"name":"Item","table":"item","properties":[
    {"column":"note","name":"note"}, {"column":"title","name":"title","was":["name"]}]}
], "links": [
]}$history$);
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 9e6cd0e1
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'dc3e9c3862396bd01c351289f2188458377814085e7d8c897ec82ffa14bc5fda', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

DO $strata$
BEGIN
    IF (SELECT fingerprint FROM "strata"."schema_version" WHERE schema_name = 'public' ORDER BY number DESC LIMIT 1) IS DISTINCT FROM 'dc3e9c3862396bd01c351289f2188458377814085e7d8c897ec82ffa14bc5fda' THEN
        RAISE EXCEPTION USING MESSAGE = '0002_v1_v2: the database is not at version 2.0.0';
    END IF;
END
$strata$;
SET strata.author = 'migration 2.0.0 -> 1.0.0';


-- step 2.1 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   switch to the names of version 1.0.0
-- operation: switch-names fdbda527
-- undo: ALTER TABLE "public"."item" RENAME COLUMN "name" TO "title"
-- undo: SELECT "strata"."history_describe"('public', $history${"entities": [
--  |   {"classes":["Item"],"name":"Item","table":"item","properties":[
--  |     {"column":"note","name":"note"}, {"column":"title","name":"title"}]}
--  | ], "links": [
--  | ]}$history$)
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" RENAME COLUMN "title" TO "name";
SELECT "strata"."history_describe"('public', $history${"entities": [
  {"classes":["Item"],"name":"Item","table":"item","properties":[
    {"column":"name","name":"name","was":["title"]}, {"column":"note","name":"note"}]}
], "links": [
]}$history$);
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 301ef7d2
BEGIN;
SET LOCAL lock_timeout = '2000ms';
SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '0002_v1_v2.down');
COMMIT;
