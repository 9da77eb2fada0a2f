---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 19685c775016bb152cc5302d7a654ac13f4925fb68b39ea3a774ff8a21a04be1
-- to: 2.0.0 f71d7a178a15452dcbdbdf196331efa0560c672a9254d62122cd76033c881fd7
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: none
-- generated: none 376377b39c66afecb70a64fd9505df4aea4377223e19a741e6986a2d34115325

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', '19685c775016bb152cc5302d7a654ac13f4925fb68b39ea3a774ff8a21a04be1', '2.0.0');

-- step 2.1 phase=backfill tx=none lock=ShareUpdateExclusive tables=item lock_timeout=none timeout=none index=item_code_idx
--   build index item_code_idx
-- operation: build-index 9f23d4dd
-- done: SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('"public"."item_code_idx"') AND indisvalid)
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
CREATE INDEX CONCURRENTLY "item_code_idx" ON "public"."item" ("code");
RESET lock_timeout; RESET statement_timeout;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 8252239e
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'f71d7a178a15452dcbdbdf196331efa0560c672a9254d62122cd76033c881fd7', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', 'f71d7a178a15452dcbdbdf196331efa0560c672a9254d62122cd76033c881fd7', '1.0.0');

-- step 2.1 phase=contract tx=none lock=ShareUpdateExclusive tables=item lock_timeout=none timeout=none
--   drop index item_code_idx
-- operation: drop-index 1335d118
-- done: SELECT to_regclass('"public"."item_code_idx"') IS NULL
SET lock_timeout = '0ms'; SET statement_timeout = '0ms';
DROP INDEX CONCURRENTLY IF EXISTS "public"."item_code_idx";
RESET lock_timeout; RESET statement_timeout;

-- step 2.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 6f9ec7b4
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', '19685c775016bb152cc5302d7a654ac13f4925fb68b39ea3a774ff8a21a04be1', '0002_v1_v2.down');
COMMIT;
