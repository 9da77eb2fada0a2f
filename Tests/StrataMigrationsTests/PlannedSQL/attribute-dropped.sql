---- 0002_v1_v2.sql
-- Migration 0002_v1_v2: from 1.0.0 to 2.0.0.
-- By hand, after what the tool's command library prints: psql -v ON_ERROR_STOP=1 -f 0002_v1_v2.sql
-- from: 1.0.0 d448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858
-- to: 2.0.0 e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a
-- schema: public
-- down: none
-- because: dropped values cannot come back: Item.note
-- checks: 0002_v1_v2.checks.sql
-- generated: 72a5512c6fc8a2ec439a297670bb714d24418a427b3fc85d5501aaa9677f4a25 7898038816fea335cf48f5ace9ed7e71c3422ae3aa5a3dcf9f7b4681ec9bd0f5
-- note: drops Item.note (acknowledged)
-- ! step 2.2 drops item.note: acknowledged

SELECT "strata"."migration_begin"(11, 'public', '0002_v1_v2', '1.0.0', 'd448dbea35c2b6f392baa9c7fbfde042dd93eea79c665bc05c0806fff8b2b858', '2.0.0');

-- The queries of 0002_v1_v2.checks.sql; here they stop psql before anything is changed.
DO $strata$
BEGIN
    IF EXISTS (
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."item"'::text, 'note'::text)) AS g (relation, name)
JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
    OR k.contype = 'f'
    OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
        'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)))
    ) THEN
        RAISE EXCEPTION USING MESSAGE = 'M502: what this stage changes the type of, or drops, is used by objects of others';
    END IF;
END
$strata$;

-- step 2.1 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record history by version 2.0.0
-- operation: record-history f2b5aaa9
-- undo: SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"note": "note"}}}}')
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
SELECT "strata"."history_follow"('public', '{"entities": {"Item": {"properties": {"note": null}}}}');
COMMIT;

-- step 2.2 phase=contract tx=own lock=AccessExclusive tables=item lock_timeout=2s timeout=60s
--   drop column item.note
-- operation: drop-column a38a3d4b
-- note: drops item.note: acknowledged
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
ALTER TABLE "public"."item" DROP COLUMN "note";
COMMIT;

-- step 2.3 phase=contract tx=own lock=None lock_timeout=2s timeout=60s
--   record version 2.0.0
-- operation: record-version 2f21c9aa
BEGIN; SET LOCAL lock_timeout = '2000ms'; SET LOCAL statement_timeout = '60000ms';
INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage)
VALUES ('public', '2.0.0', 'e91e67f7aa7b85b6a3524af751dceb161160a932d610bb8e38bb0093f858693a', '0002_v1_v2');
COMMIT;

---- 0002_v1_v2.checks.sql
-- Checks of 0002_v1_v2. Each query lists what is wrong; nothing is changed while one of them finds rows.

-- check M502
--   what this stage changes the type of, or drops, is used by objects of others
-- remedy: drop them before, and make them again after the stage; or do it in the stage, with .sql("DROP VIEW …", phase: .contract), and --allow M502
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid), 'uses ' || concat_ws('.', g.relation, quote_ident(g.name))
FROM (VALUES ('"public"."item"'::text, 'note'::text)) AS g (relation, name)
JOIN pg_catalog.pg_depend AS d ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, to_regclass(g.relation))
LEFT JOIN pg_catalog.pg_attribute AS a ON (a.attrelid, a.attnum) = (d.refobjid, d.refobjsubid)
LEFT JOIN pg_catalog.pg_constraint AS k ON (d.classid, d.objid) = ('pg_constraint'::regclass, k.oid)
LEFT JOIN pg_catalog.pg_trigger AS t ON (d.classid, d.objid) = ('pg_trigger'::regclass, t.oid)
WHERE d.deptype = 'n' AND (g.name IS NULL OR g.name = a.attname) AND (d.classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
    OR k.contype = 'f'
    OR g.name IS NOT NULL AND (t.tgfoid::regproc::text !~ '(^|[."])strata_' OR d.classid IN ('pg_policy'::regclass,
        'pg_attrdef'::regclass, 'pg_class'::regclass, 'pg_publication_rel'::regclass)));
