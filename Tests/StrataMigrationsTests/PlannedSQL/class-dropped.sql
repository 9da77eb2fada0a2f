---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 731d5e0454b3592d17231829e56ec676cadc6e96355b41bd525f61a73ee57d44
-- to: 2.0.0 d448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858
-- schema: public
-- down: none
-- because: dropped values cannot come back: Thing
-- checks: 0002_v1_v2.checks.sql
-- generated: c6753bd041b87ea562812e5bd2a6ef1530cd9a2637abf834380ef6de603dd5fd 23d6ecb3ebb76f6ced850c040ff44db8fe59b67a411d4e7eb98a20aa83684a42
-- note: drops Thing with its rows (acknowledged)
-- ! step 2.2 drops table thing: acknowledged

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', '731d5e0454b3592d17231829e56ec676cadc6e96355b41bd525f61a73ee57d44', '2.0.0');

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."thing"'::text, NULL::text)) AS g (relation, name)
JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
    OR k.contype = 'f'
    OR g.name IS NULL AND EXISTS (SELECT FROM pg_catalog.pg_policy AS p WHERE d.classid = 'pg_policy'::regclass AND p.oid = d.objid AND (p.polrelid = ANY (ARRAY[to_regclass('"public"."thing"')]::oid[])) IS NOT TRUE)
    OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
        'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)))
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M502: what this stage changes the type of, or drops, is used by objects of others';
    END IF;
END
$strata$;

-- step 2.1 phase=contract tx=own lock=AccessExclusive tables=thing lock_timeout=2s timeout=60s
--   record history by version 2.0.0
-- operation: record-history 4bfb5e86
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Thing": {"table": "thing", "classes": ["Thing"], "properties": {"name": "name", "note": "note"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_reset"('public', 'Thing');
SELECT "strata"."history_follow"('public', '{"entities": {"Thing": null}}');
COMMIT;

-- step 2.2 phase=contract tx=own lock=AccessExclusive tables=thing lock_timeout=2s timeout=60s
--   drop thing
-- operation: drop-tables caefe5db
-- note: drops table thing: acknowledged
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
DROP TABLE "public"."thing";
COMMIT;

-- step 2.3 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version d92566c8
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.checks.sql
-- Checks of 0002_v1_v2. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M502
--   what this stage changes the type of, or drops, is used by objects of others
-- remedy: drop them before, and make them again after the stage; or do it in the stage, with .sql("DROP VIEW …", phase: .contract), and --allow M502
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."thing"'::text, NULL::text)) AS g (relation, name)
JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
    OR k.contype = 'f'
    OR g.name IS NULL AND EXISTS (SELECT FROM pg_catalog.pg_policy AS p WHERE d.classid = 'pg_policy'::regclass AND p.oid = d.objid AND (p.polrelid = ANY (ARRAY[to_regclass('"public"."thing"')]::oid[])) IS NOT TRUE)
    OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
        'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)));
