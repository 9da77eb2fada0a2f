---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 19685c775016bb152cc5302d7a654ac13f4925fb68b39ea3a774ff8a21a04be1
-- to: 2.0.0 550315f9f38dd82ba52e6d3050298e38344ae62680b7f32c9450c1a12e782dee
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: 0002_v1_v2.checks.sql
-- generated: none b738cb798a6755c72850e670bb117da83761fbfb105b6b3e7d0182a029477624

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', '19685c775016bb152cc5302d7a654ac13f4925fb68b39ea3a774ff8a21a04be1', '2.0.0');

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT string_agg("pk"::text, ', ' ORDER BY "pk"), concat_ws(', ', v1::text)
FROM (SELECT "pk", "code" AS v1 FROM "public"."item") AS s
WHERE v1 IS NOT NULL
GROUP BY v1 HAVING count(*) > 1
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M203: Item: code must be unique, and rows share values';
    END IF;
END
$strata$;

-- step 2.1 phase=backfill tx=none lock=ShareUpdateExclusive tables=item lock_timeout=none timeout=none index=item_code_key
--   build unique index item_code_key
-- operation: build-unique-index 2ffa67b5
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."item_code_key"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE UNIQUE INDEX CONCURRENTLY "item_code_key" ON "public"."item" ("code");
RESET lock_timeout; RESET statement_timeout;

-- step 2.2 phase=backfill tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   make item_code_key a constraint
-- operation: add-unique 50c7c692
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('"public"."item"') AND conname = 'item_code_key')
-- undo: ALTER TABLE "public"."item" DROP CONSTRAINT "item_code_key"
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" ADD CONSTRAINT "item_code_key" UNIQUE USING INDEX "item_code_key";
COMMIT;

-- step 2.3 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version a37987a6
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', '550315f9f38dd82ba52e6d3050298e38344ae62680b7f32c9450c1a12e782dee', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', '550315f9f38dd82ba52e6d3050298e38344ae62680b7f32c9450c1a12e782dee', '1.0.0');

-- step 2.1 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop unique constraint item_code_key
-- operation: drop-constraint 7b445b1e
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP CONSTRAINT "item_code_key";
COMMIT;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 6f9ec7b4
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', '19685c775016bb152cc5302d7a654ac13f4925fb68b39ea3a774ff8a21a04be1', '0002_v1_v2.down');
COMMIT;

---- 0002_v1_v2.checks.sql
-- Checks of 0002_v1_v2. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M203
--   Item: code must be unique, and rows share values
-- remedy: remove the duplicates first, in the stage's willMigrate or by hand
SELECT string_agg("pk"::text, ', ' ORDER BY "pk"), concat_ws(', ', v1::text)
FROM (SELECT "pk", "code" AS v1 FROM "public"."item") AS s
WHERE v1 IS NOT NULL
GROUP BY v1 HAVING count(*) > 1;
