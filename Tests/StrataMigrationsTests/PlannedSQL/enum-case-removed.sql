---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 0b0c668fb67e4aed7189879001558e3e7cb1ac8f3ca20700ce682fee750d594a
-- to: 2.0.0 f9bd2d9aa0c28d156ba19f3e1d17a49e4ff3e9a15fb06890825dd01664b7308c
-- schema: public
-- down: 0002_v1_v2.down.sql
-- checks: 0002_v1_v2.checks.sql
-- generated: none 8a878fc785c78e0469c09cc1e8991950a6eff56e58d9a111786925c05f734c9d

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', '0b0c668fb67e4aed7189879001558e3e7cb1ac8f3ca20700ce682fee750d594a', '2.0.0');

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT "pk"::text, "kind"::text FROM "public"."item" WHERE "kind" NOT IN ('plane'::text, 'train'::text)
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M205: Item.kind: rows hold cases that are gone: bus';
    END IF;
END
$strata$;

-- step 2.1 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 0885d8b4
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'f9bd2d9aa0c28d156ba19f3e1d17a49e4ff3e9a15fb06890825dd01664b7308c', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.down.sql
-- Migration 0002_v1_v2, the way back: from 2.0.0 to 1.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.down.sql

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '2.0.0', 'f9bd2d9aa0c28d156ba19f3e1d17a49e4ff3e9a15fb06890825dd01664b7308c', '1.0.0');

-- step 2.1 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 1.0.0
-- operation: record-version 389ecd39
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '1.0.0', '0b0c668fb67e4aed7189879001558e3e7cb1ac8f3ca20700ce682fee750d594a', '0002_v1_v2.down');
COMMIT;

---- 0002_v1_v2.checks.sql
-- Checks of 0002_v1_v2. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M205
--   Item.kind: rows hold cases that are gone: bus
-- remedy: change these rows, or say what becomes of them: .converted(\Item.kind, using: "CASE …")
SELECT "pk"::text, "kind"::text FROM "public"."item" WHERE "kind" NOT IN ('plane'::text, 'train'::text);
