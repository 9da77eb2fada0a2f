--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: strata; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA strata;


--
-- Name: strata_history_bucket_list_item(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.strata_history_bucket_list_item() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    is_touched boolean;
BEGIN
    IF current_setting('strata.history', true) = 'off' THEN
        IF TG_OP = 'INSERT' THEN
            is_touched := EXISTS (SELECT FROM n);
        ELSIF TG_OP IN ('UPDATE', 'DELETE') AND TG_WHEN = 'AFTER' THEN
            is_touched := EXISTS (SELECT FROM o);
        ELSE
            is_touched := TG_OP = 'TRUNCATE';
        END IF;
        IF "strata"."history_suspended"(TG_RELID, CASE WHEN is_touched THEN '{1}'::integer[] ELSE '{}' END) THEN
            RETURN NULL;
        END IF;
    END IF;
    IF TG_OP = 'INSERT' THEN
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "entity", "op")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), n."pk", 1, 'I'
            FROM n;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "props", "entity", "op")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), c."pk", c."props_0", c."entity_0", c."op"
        FROM (
            SELECT coalesce(n."pk", o."pk") AS "pk",
                CASE WHEN o."pk" IS NULL THEN 'I' WHEN n."pk" IS NULL THEN 'D' ELSE 'U' END::"char" AS "op",
                CASE WHEN n."pk" IS NULL OR o."pk" IS NULL THEN NULL ELSE
                        CASE WHEN n.details COLLATE "C" IS DISTINCT FROM o.details COLLATE "C" THEN 1::bigint ELSE 0::bigint END
                        + CASE WHEN n.has_reservation IS DISTINCT FROM o.has_reservation THEN 2::bigint ELSE 0::bigint END
                        + CASE WHEN n.is_in_plan IS DISTINCT FROM o.is_in_plan THEN 4::bigint ELSE 0::bigint END
                        + CASE WHEN n.title COLLATE "C" IS DISTINCT FROM o.title COLLATE "C" THEN 8::bigint ELSE 0::bigint END
                        + CASE WHEN n.trip IS DISTINCT FROM o.trip THEN 16::bigint ELSE 0::bigint END END AS "props_0",
                1 AS "entity_0"
            FROM n FULL JOIN o ON n."pk" = o."pk"
            OFFSET 0) AS c
        WHERE c."props_0" IS DISTINCT FROM 0;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "entity", "op")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), o."pk", 1, 'D'
            FROM o;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    ELSE
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "entity", "op")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), o."pk", 1, 'D'
            FROM public.bucket_list_item AS o;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    END IF;
    RETURN NULL;
END
$$;


--
-- Name: strata_history_living_accommodation(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.strata_history_living_accommodation() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    is_touched boolean;
BEGIN
    IF current_setting('strata.history', true) = 'off' THEN
        IF TG_OP = 'INSERT' THEN
            is_touched := EXISTS (SELECT FROM n);
        ELSIF TG_OP IN ('UPDATE', 'DELETE') AND TG_WHEN = 'AFTER' THEN
            is_touched := EXISTS (SELECT FROM o);
        ELSE
            is_touched := TG_OP = 'TRUNCATE';
        END IF;
        IF "strata"."history_suspended"(TG_RELID, CASE WHEN is_touched THEN '{2}'::integer[] ELSE '{}' END) THEN
            RETURN NULL;
        END IF;
    END IF;
    IF TG_OP = 'INSERT' THEN
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "entity", "op")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), n."pk", 2, 'I'
            FROM n;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "props", "entity", "op")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), c."pk", c."props_0", c."entity_0", c."op"
        FROM (
            SELECT coalesce(n."pk", o."pk") AS "pk",
                CASE WHEN o."pk" IS NULL THEN 'I' WHEN n."pk" IS NULL THEN 'D' ELSE 'U' END::"char" AS "op",
                CASE WHEN n."pk" IS NULL OR o."pk" IS NULL THEN NULL ELSE
                        CASE WHEN n.address COLLATE "C" IS DISTINCT FROM o.address COLLATE "C" THEN 1::bigint ELSE 0::bigint END
                        + CASE WHEN n.is_confirmed IS DISTINCT FROM o.is_confirmed THEN 2::bigint ELSE 0::bigint END
                        + CASE WHEN n.place_name COLLATE "C" IS DISTINCT FROM o.place_name COLLATE "C" THEN 4::bigint ELSE 0::bigint END
                        + CASE WHEN n.trip IS DISTINCT FROM o.trip THEN 8::bigint ELSE 0::bigint END END AS "props_0",
                2 AS "entity_0"
            FROM n FULL JOIN o ON n."pk" = o."pk"
            OFFSET 0) AS c
        WHERE c."props_0" IS DISTINCT FROM 0;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "entity", "op")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), o."pk", 2, 'D'
            FROM o;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    ELSE
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "entity", "op")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), o."pk", 2, 'D'
            FROM public.living_accommodation AS o;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    END IF;
    RETURN NULL;
END
$$;


--
-- Name: strata_history_trip(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.strata_history_trip() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    is_touched boolean;
BEGIN
    IF current_setting('strata.history', true) = 'off' THEN
        IF TG_OP = 'INSERT' THEN
            is_touched := EXISTS (SELECT FROM n);
        ELSIF TG_OP IN ('UPDATE', 'DELETE') AND TG_WHEN = 'AFTER' THEN
            is_touched := EXISTS (SELECT FROM o);
        ELSE
            is_touched := TG_OP = 'TRUNCATE';
        END IF;
        IF "strata"."history_suspended"(TG_RELID, CASE WHEN is_touched THEN '{3}'::integer[] ELSE '{}' END) THEN
            RETURN NULL;
        END IF;
    END IF;
    IF TG_OP = 'INSERT' THEN
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "entity", "op")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), n."pk", 3, 'I'
            FROM n;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "props", "entity", "op", "tomb")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), c."pk", c."props_0", c."entity_0", c."op", c."tomb"
        FROM (
            SELECT coalesce(n."pk", o."pk") AS "pk",
                CASE WHEN o."pk" IS NULL THEN 'I' WHEN n."pk" IS NULL THEN 'D' ELSE 'U' END::"char" AS "op",
                CASE WHEN n."pk" IS NULL OR o."pk" IS NULL THEN NULL ELSE
                        CASE WHEN n.destination COLLATE "C" IS DISTINCT FROM o.destination COLLATE "C" THEN 1::bigint ELSE 0::bigint END
                        + CASE WHEN n.end_date IS DISTINCT FROM o.end_date THEN 2::bigint ELSE 0::bigint END
                        + CASE WHEN n.name COLLATE "C" IS DISTINCT FROM o.name COLLATE "C" THEN 4::bigint ELSE 0::bigint END
                        + CASE WHEN n.start_date IS DISTINCT FROM o.start_date THEN 8::bigint ELSE 0::bigint END END AS "props_0",
                3 AS "entity_0",
                CASE WHEN n."pk" IS NULL THEN jsonb_build_object('1', o.end_date AT TIME ZONE 'UTC', '2', o.name, '3', o.start_date AT TIME ZONE 'UTC') END AS "tomb"
            FROM n FULL JOIN o ON n."pk" = o."pk"
            OFFSET 0) AS c
        WHERE c."props_0" IS DISTINCT FROM 0;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "entity", "op", "tomb")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), o."pk", 3, 'D', jsonb_build_object('1', o.end_date AT TIME ZONE 'UTC', '2', o.name, '3', o.start_date AT TIME ZONE 'UTC')
            FROM o;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    ELSE
        INSERT INTO "strata"."history_change" ("xid", "generation", "pk", "entity", "op", "tomb")
        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = 1), o."pk", 3, 'D', jsonb_build_object('1', o.end_date AT TIME ZONE 'UTC', '2', o.name, '3', o.start_date AT TIME ZONE 'UTC')
            FROM public.trip AS o;
        IF FOUND THEN
            INSERT INTO "strata"."history_transaction"
                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
            SELECT s."number", s."generation", pg_current_xact_id(),
                nullif(current_setting('strata.author', true), ''), session_user,
                nullif(current_setting('role'), 'none'), nullif(current_setting('application_name'), ''),
                nullif(current_setting('strata.process', true), ''),
                nullif(current_setting('strata.context', true), '')
            FROM "strata"."store" AS s WHERE s."number" = 1 ON CONFLICT DO NOTHING;
            IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
                PERFORM "strata"."history_wake"(1);
            END IF;
        END IF;
    END IF;
    RETURN NULL;
END
$$;


--
-- Name: can_cast(text, text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.can_cast(value text, type text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    AS $_$
BEGIN
    EXECUTE format('SELECT CAST($1 AS %s)', type::regtype) USING value;
    RETURN true;
EXCEPTION WHEN data_exception OR numeric_value_out_of_range OR invalid_text_representation THEN
    RETURN false;
END
$_$;


--
-- Name: history_adopt(text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_adopt(schema_name text) RETURNS smallint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RETURN (
        SELECT "strata"."history_identify"(s."number", true) FROM "strata"."store" AS s
        WHERE s."schema_name" = history_adopt.schema_name);
END
$$;


--
-- Name: history_begin(integer); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_begin(store_number integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO "strata"."history_transaction"
        ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")
    SELECT s."number", s."generation", pg_current_xact_id(),
        nullif(current_setting('strata.author', true), ''), session_user, nullif(current_setting('role', true), 'none'),
        nullif(current_setting('application_name', true), ''), nullif(current_setting('strata.process', true), ''),
        nullif(current_setting('strata.context', true), '')
    FROM "strata"."store" AS s WHERE s."number" = store_number
    ON CONFLICT DO NOTHING;
    IF FOUND AND coalesce(current_setting('strata.process', true), '') = '' THEN
        PERFORM "strata"."history_wake"(store_number);
    END IF;
END
$$;


--
-- Name: history_class_expression(text, jsonb, integer, integer, text, text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_class_expression(schema_name text, tracked jsonb, entity_id integer, entity_word integer, row_name text, key text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    own integer;
    branches text;
    place record;
BEGIN
    SELECT h."id" INTO own FROM "strata"."history_entity" AS h WHERE h."base" = entity_id AND h."word" = entity_word;
    -- The root's table says which class an object has, if it does so in this moment.
    SELECT r ->> 'table' AS table_name, a.attname AS class_name INTO place
    FROM (VALUES (0, 'current'), (1, 'next')) AS v (number, version),
        jsonb_array_elements(tracked -> v.version -> 'entities') AS e,
        jsonb_array_elements(tracked -> v.version -> 'entities') AS r,
        pg_class AS c, pg_attribute AS a
    WHERE jsonb_typeof(tracked -> v.version) = 'object'
        AND (e ->> 'id')::integer = entity_id AND (r ->> 'id')::integer = (e ->> 'root')::integer
        AND c.relname = r ->> 'table'
        AND c.relnamespace = (SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = history_class_expression.schema_name)
        AND a.attrelid = c.oid AND a.attname = r ->> 'class' AND a.attnum > 0
    ORDER BY v.number LIMIT 1;
    IF NOT FOUND THEN
        RETURN own::text;
    END IF;

    WITH RECURSIVE family AS (
        SELECT v.number, v.version, e AS entity
        FROM (VALUES (0, 'current'), (1, 'next')) AS v (number, version),
            jsonb_array_elements(tracked -> v.version -> 'entities') AS e
        WHERE jsonb_typeof(tracked -> v.version) = 'object' AND (e ->> 'id')::integer = entity_id
        UNION ALL
        SELECT f.number, f.version, e
        FROM family AS f, jsonb_array_elements(tracked -> f.version -> 'entities') AS e
        WHERE e ->> 'parent' = f.entity ->> 'name'),
    named AS (
        SELECT DISTINCT ON (value) value, (f.entity ->> 'id')::integer AS id
        FROM family AS f, jsonb_array_elements_text(f.entity -> 'classes') AS value
        ORDER BY value, f.number)
    SELECT string_agg(format(' WHEN %L THEN %s', n.value, h."id"), '' ORDER BY n.value COLLATE "C") INTO branches
    FROM named AS n JOIN "strata"."history_entity" AS h ON h."base" = n.id AND h."word" = entity_word
    WHERE n.id <> entity_id;
    IF branches IS NULL THEN
        RETURN own::text;
    END IF;
    RETURN format('CASE %s%s ELSE %s END',
        CASE WHEN row_name IS NOT NULL THEN format('%s.%I', row_name, place.class_name)
        ELSE format('(SELECT r.%I FROM %I.%I AS r WHERE r."pk" = %s)', place.class_name, schema_name,
            place.table_name, key) END,
        branches, own);
END
$$;


--
-- Name: history_columns(jsonb, oid, integer); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_columns(tracked jsonb, relation oid, entity_id integer) RETURNS TABLE("bit" integer, name text, changed text, kept text, is_external boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT ON ((p ->> 'bit')::integer, a.attname)
        (p ->> 'bit')::integer, a.attname::text,
        "strata"."history_comparison"(a.attname::text, a.atttypid, a.attcollation),
        CASE WHEN (p ->> 'preserved')::boolean THEN
            CASE a.atttypid
                -- Texts that depend on no setting of the session.
                WHEN 'bytea'::regtype THEN format('encode(o.%I, ''hex'')', a.attname)
                WHEN 'timestamptz'::regtype THEN format('o.%I AT TIME ZONE ''UTC''', a.attname)
                ELSE format('o.%I', a.attname) END END,
        coalesce((p ->> 'external')::boolean, false)
    FROM (VALUES (0, 'current'), (1, 'next')) AS v (place, version),
        jsonb_array_elements(tracked -> v.version -> 'entities') AS e,
        jsonb_array_elements(e -> 'properties') AS p
    JOIN pg_attribute AS a ON a.attrelid = relation AND a.attname = p ->> 'column' AND a.attnum > 0
    WHERE jsonb_typeof(tracked -> v.version) = 'object' AND (e ->> 'id')::integer = entity_id
        AND e ->> 'table' = (SELECT c.relname FROM pg_class AS c WHERE c.oid = relation)
    ORDER BY (p ->> 'bit')::integer, a.attname, v.place;
END
$$;


--
-- Name: history_comparison(text, oid, oid); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_comparison(name text, type oid, "collation" oid) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
BEGIN
    RETURN (SELECT CASE
        -- These types have an equality in pg_catalog; arrays compare by that of their elements.
        WHEN t.typtype = 'e' OR coalesce(nullif(CASE WHEN t.typcategory = 'A' THEN t.typelem END, 0), t.oid) IN (
            'bool'::regtype, 'int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'float4'::regtype, 'float8'::regtype,
            'numeric'::regtype, 'text'::regtype, 'varchar'::regtype, 'bpchar'::regtype, 'bytea'::regtype,
            'date'::regtype, 'time'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype, 'interval'::regtype,
            'uuid'::regtype, 'jsonb'::regtype, 'oid'::regtype)
        THEN format('n.%1$I%2$s IS DISTINCT FROM o.%1$I%2$s', name,
            -- Under other collations texts that differ may count as equal.
            CASE WHEN "collation" <> 0 THEN ' COLLATE "C"' ELSE '' END)
        ELSE format('record_image_ne(ROW(n.%1$I), ROW(o.%1$I))', name) END
    FROM pg_type AS t WHERE t.oid = type);
END
$_$;


--
-- Name: history_context(text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_context(context text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RETURN context::jsonb;
EXCEPTION WHEN data_exception THEN
    RETURN NULL;
END
$$;


--
-- Name: history_cutoff(text, bigint); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_cutoff(schema_name text, keep bigint, OUT generation smallint, OUT xid xid8) RETURNS record
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    store_number integer := (
        SELECT s."number" FROM "strata"."store" AS s WHERE s."schema_name" = history_cutoff.schema_name);
    entities integer[] := ARRAY(SELECT e."id" FROM "strata"."history_entity" AS e WHERE e."store" = store_number);
    place smallint;
    remaining bigint := keep;
    counted bigint;
BEGIN
    IF keep IS NULL THEN
        RETURN;
    END IF;
    IF keep < 0 THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
            MESSAGE = format('The number of changes to keep is %s: it must not be negative.', keep),
            HINT = '0 keeps none, NULL keeps any number.';
    END IF;
    -- Of nothing that is kept everything is older.
    IF keep = 0 THEN
        generation := 32767; xid := '18446744073709551615';
        RETURN;
    END IF;
    FOR place IN
        SELECT DISTINCT t."generation" FROM "strata"."history_transaction" AS t
        WHERE t."store" = store_number ORDER BY 1 DESC
    LOOP
        SELECT count(*), min(k."xid") INTO counted, xid FROM (
            SELECT c."xid" FROM "strata"."history_change" AS c
            WHERE c."generation" = place AND c."entity" = ANY (entities)
            ORDER BY c."xid" DESC, c."seq" DESC LIMIT remaining) AS k;
        generation := place;
        remaining := remaining - counted;
        IF remaining <= 0 THEN
            RETURN;
        END IF;
    END LOOP;
    -- There are fewer.
    generation := NULL; xid := NULL;
END
$$;


--
-- Name: history_delete(text, xid8[], smallint[]); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_delete(schema_name text, xids xid8[], generations smallint[]) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    store record;
    deleted bigint;
    newest xid8;
BEGIN
    -- Whose transactions are over is said by their numbers only where these were given.
    PERFORM "strata"."history_identify"(s."number", true) FROM "strata"."store" AS s
    WHERE s."schema_name" = history_delete.schema_name;
    SELECT s."number", s."generation" INTO store FROM "strata"."store" AS s
    WHERE s."schema_name" = history_delete.schema_name FOR UPDATE;
    WITH headers AS (
        -- After a restore the same number may be given again, in another generation.
        DELETE FROM "strata"."history_transaction" AS t USING unnest(xids, generations) AS u ("xid", "generation")
        WHERE t."store" = store."number" AND t."generation" = u."generation" AND t."xid" = u."xid"
            -- A transaction that has not ended for everybody could still get more changes, or be read half.
            AND (t."generation" <> store."generation" OR t."xid" < pg_snapshot_xmin(pg_current_snapshot()))
        RETURNING t."xid", t."generation"),
    changes AS (
        DELETE FROM "strata"."history_change" AS c USING headers AS h, "strata"."history_entity" AS e
        WHERE c."xid" = h."xid" AND c."generation" = h."generation"
            AND e."id" = c."entity" AND e."store" = store."number")
    SELECT count(*), max(h."xid") FILTER (WHERE h."generation" = store."generation") INTO deleted, newest
    FROM headers AS h;
    IF deleted > 0 THEN
        UPDATE "strata"."store" AS s
        SET "deletions" = s."deletions" + 1,
            "deleted_below" = greatest(s."deleted_below", (newest::text::numeric + 1)::text::xid8)
        WHERE s."number" = store."number";
    END IF;
    RETURN deleted;
END
$$;


--
-- Name: history_describe(text, jsonb, jsonb); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_describe(schema_name text, current jsonb, next jsonb DEFAULT NULL::jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    store_number integer;
    before record;
    is_promotion boolean;
    tracked_now jsonb;
    tracked_next jsonb;
    kept integer[];
BEGIN
    SELECT s."number" INTO store_number FROM "strata"."store" AS s
    WHERE s."schema_name" = history_describe.schema_name FOR UPDATE;
    IF NOT FOUND THEN
        INSERT INTO "strata"."store" ("schema_name") VALUES (history_describe.schema_name) ON CONFLICT DO NOTHING;
        SELECT s."number" INTO store_number FROM "strata"."store" AS s
        WHERE s."schema_name" = history_describe.schema_name FOR UPDATE;
    END IF;
    SELECT d."current", d."next", d."tracked" INTO before
    FROM "strata"."history_description" AS d WHERE d."store" = store_number;
    IF NOT FOUND OR before."current" IS DISTINCT FROM history_describe.current
        OR before."next" IS DISTINCT FROM history_describe.next
    THEN
        is_promotion := before."current" IS DISTINCT FROM history_describe.current;
        tracked_now := "strata"."history_register"(
            store_number, history_describe.current, before."current", false, is_promotion);
        IF history_describe.next IS NOT NULL THEN
            tracked_next := "strata"."history_register"(
                store_number, history_describe.next, history_describe.current, true, false);
        END IF;

        -- What neither description names any more is kept for the changes that mention it.
        kept := ARRAY(
            SELECT (e ->> 'id')::integer FROM (VALUES (tracked_now), (tracked_next)) AS t (tracked),
                jsonb_array_elements(t.tracked -> 'entities') AS e);
        UPDATE "strata"."history_property" AS p SET "retired" = true, "next_name" = NULL
        FROM "strata"."history_entity" AS r
        WHERE r."id" = p."root" AND r."store" = store_number AND NOT p."retired" AND NOT EXISTS (
            SELECT FROM (VALUES (tracked_now), (tracked_next)) AS t (tracked),
                jsonb_array_elements(t.tracked -> 'entities') AS e, jsonb_array_elements(e -> 'properties') AS q
            WHERE (e ->> 'root')::integer = p."root" AND (q ->> 'bit')::integer = p."bit");
        UPDATE "strata"."history_entity" AS h SET "retired" = true, "next_name" = NULL
        WHERE h."store" = store_number AND NOT h."retired" AND h."base" <> ALL (kept);

        -- A mask has 63 bits: a wider hierarchy's classes have a number for each further word.
        INSERT INTO "strata"."history_entity" ("store", "name", "next_name", "root", "word", "base")
        SELECT h."store", h."name", h."next_name", h."root", w, h."id"
        FROM "strata"."history_entity" AS h
        JOIN (SELECT p."root", max(p."bit") / 63 AS last FROM "strata"."history_property" AS p GROUP BY p."root") AS m
            ON m."root" = h."root"
        CROSS JOIN generate_series(1, m.last) AS w
        WHERE h."store" = store_number AND h."word" = 0 AND NOT h."retired" AND NOT EXISTS (
            SELECT FROM "strata"."history_entity" AS x WHERE x."base" = h."id" AND x."word" = w)
        ORDER BY h."id", w;

        INSERT INTO "strata"."history_description" AS d ("store", "current", "next", "tracked")
        VALUES (store_number, history_describe.current, history_describe.next,
            jsonb_build_object('current', tracked_now, 'next', tracked_next))
        ON CONFLICT ("store") DO UPDATE
        SET "current" = excluded."current", "next" = excluded."next", "tracked" = excluded."tracked",
            "installed" = now();
    END IF;
    PERFORM "strata"."history_identify"(store_number, false);
    PERFORM "strata"."history_sync"(history_describe.schema_name);
END
$$;


--
-- Name: history_entity_part(text, integer, jsonb, oid, text, jsonb); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_entity_part(schema_name text, store_number integer, tracked jsonb, relation oid, table_name text, entity jsonb, OUT inserting text, OUT updating text, OUT deleting text, OUT truncating text, OUT wide text[]) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    entity_id integer := (entity ->> 'id')::integer;
    is_root boolean := entity -> 'id' = entity -> 'root';
    of_new text := "strata"."history_class_expression"(
        schema_name, tracked, entity_id, 0, CASE WHEN is_root THEN 'n' END, 'n."pk"');
    of_old text := "strata"."history_class_expression"(
        schema_name, tracked, entity_id, 0, CASE WHEN is_root THEN 'o' END, 'o."pk"');
    -- Looked up once: that takes longer than all the rest.
    columns jsonb := (
        SELECT jsonb_agg(to_jsonb(c)) FROM "strata"."history_columns"(tracked, relation, entity_id) AS c);
    of_both text;
    of_pair text;
    has_classes boolean := is_root AND of_new LIKE 'CASE %';
    tomb text;
    masks text[];
    words integer[];
    word integer;
    wide_flag text := format('(SELECT current_setting(''strata.history_wide_%s'', true)) = ''on'' AND ', entity_id);
    inserted text := CASE WHEN is_root THEN 'I' ELSE 'i' END;
    updated text := CASE WHEN is_root THEN 'U' ELSE 'u' END;
    deleted text := CASE WHEN is_root THEN 'D' ELSE 'd' END;
BEGIN
    SELECT coalesce(array_agg(DISTINCT c.name ORDER BY c.name) FILTER (WHERE c.is_external), '{}') INTO wide
    FROM jsonb_to_recordset(columns) AS c ("bit" integer, name text, changed text, kept text, is_external boolean);
    -- A function takes 100 arguments at most.
    SELECT string_agg(k.part, ' || ' ORDER BY k.place) INTO tomb
    FROM (
        SELECT p.place, 'jsonb_build_object(' || string_agg(p.pair, ', ' ORDER BY p.number) || ')' AS part
        FROM (
            SELECT row_number() OVER w AS number, (row_number() OVER w - 1) / 50 AS place,
                format('''%s'', %s', c.bit, c.kept) AS pair
            FROM jsonb_to_recordset(columns) AS c ("bit" integer, name text, changed text, kept text, is_external boolean) WHERE c.kept IS NOT NULL
            WINDOW w AS (ORDER BY c.bit, c.name)) AS p
        GROUP BY p.place) AS k;
    SELECT array_agg(m.word ORDER BY m.word), array_agg(m.mask ORDER BY m.word) INTO words, masks
    FROM (
        SELECT b.bit / 63 AS word, string_agg(
            format('CASE WHEN %s THEN %s::bigint ELSE 0::bigint END', b.changed, 1::bigint << (b.bit % 63)),
            E'\n                        + ' ORDER BY b.bit) AS mask
        FROM (
            -- Where two versions share the rows, one property may have a column of each.
            SELECT c.bit, string_agg(
                -- While two versions share the rows, triggers may write what a statement does not name.
                CASE WHEN c.is_external AND tracked ->> 'next' IS NULL THEN wide_flag ELSE '' END || c.changed, ' OR ' ORDER BY c.name) AS changed
            FROM jsonb_to_recordset(columns) AS c ("bit" integer, name text, changed text, kept text, is_external boolean) GROUP BY c.bit) AS b
        GROUP BY 1) AS m;

    inserting := "strata"."history_statement"(store_number, '"pk", "entity", "op"',
        format(E'n."pk", %s, %L\n            FROM n', of_new, inserted));
    deleting := format(E'o."pk", %s, %L%s\n            FROM ', of_old, deleted, ', ' || tomb);
    truncating := "strata"."history_statement"(store_number, '"pk", "entity", "op"' || CASE WHEN tomb IS NULL THEN '' ELSE ', "tomb"' END,
        deleting || format('%I.%I AS o', schema_name, table_name));
    deleting := "strata"."history_statement"(store_number, '"pk", "entity", "op"' || CASE WHEN tomb IS NULL THEN '' ELSE ', "tomb"' END,
        deleting || 'o');

    -- A FULL JOIN is never a nested loop, whatever the cached plan was made for, and sees a changed key as one row less
    -- and one more. OFFSET 0 keeps the mask from being computed twice. An object that changes its class leaves the old
    -- one first.
    of_pair := CASE WHEN has_classes THEN format(E'\n                AND %s\n                    = %s', of_new, of_old) ELSE '' END;
    updating := format(
        E'c."pk", %s, %s, c."op"%s\n'
        '        FROM (\n'
        '            SELECT coalesce(n."pk", o."pk") AS "pk",\n'
        '                CASE WHEN o."pk" IS NULL THEN %L WHEN n."pk" IS NULL THEN %L ELSE %L END::"char" AS "op"',
        CASE WHEN cardinality(words) > 1 OR words <> '{0}' THEN 'w."props"' ELSE 'c."props_0"' END,
        CASE WHEN cardinality(words) > 1 OR words <> '{0}' THEN 'w."entity"' ELSE 'c."entity_0"' END,
        CASE WHEN tomb IS NULL THEN '' ELSE ', c."tomb"' END, inserted, deleted, updated);
    IF words IS NULL OR words[1] <> 0 THEN
        words := 0 || words; masks := '0::bigint'::text || masks;
    END IF;
    FOR place IN 1 .. cardinality(words) LOOP
        word := words[place];
        of_new := "strata"."history_class_expression"(
            schema_name, tracked, entity_id, word, CASE WHEN is_root THEN 'n' END, 'coalesce(n."pk", o."pk")');
        of_old := "strata"."history_class_expression"(
            schema_name, tracked, entity_id, word, CASE WHEN is_root THEN 'o' END, 'o."pk"');
        of_both := CASE WHEN has_classes THEN format('CASE WHEN n."pk" IS NULL THEN %s ELSE %s END', of_old, of_new)
            ELSE of_new END;
        updating := updating || format(E',\n                CASE WHEN n."pk" IS NULL OR o."pk" IS NULL THEN NULL ELSE\n'
            '                        %s END AS "props_%s",\n                %s AS "entity_%s"',
            masks[place], word, of_both, word);
    END LOOP;
    updating := updating
        || CASE WHEN tomb IS NULL THEN '' ELSE format(E',\n                CASE WHEN n."pk" IS NULL THEN %s END AS "tomb"', tomb) END
        || E'\n            FROM n FULL JOIN o ON n."pk" = o."pk"' || of_pair || E'\n            OFFSET 0) AS c'
        || CASE WHEN words = '{0}' THEN E'\n        WHERE c."props_0" IS DISTINCT FROM 0'
            ELSE format(E'\n        CROSS JOIN LATERAL (VALUES %s) AS w ("word", "entity", "props")\n'
                '        WHERE w."props" <> 0 OR w."props" IS NULL AND w."word" = 0',
                (SELECT string_agg(format('(%s, c."entity_%s", c."props_%s")', u, u, u), ', ' ORDER BY u)
                 FROM unnest(words) AS u)) END
        || CASE WHEN has_classes THEN format(E'\n        ORDER BY c."op" <> %L', deleted) ELSE '' END;
    updating := "strata"."history_statement"(store_number,
        '"pk", "props", "entity", "op"' || CASE WHEN tomb IS NULL THEN '' ELSE ', "tomb"' END, updating);
END
$$;


--
-- Name: history_expected(text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_expected(schema_name text) RETURNS TABLE(relation oid, table_name text, function_name text, body text, wide text[])
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    store_number integer;
    tracked jsonb;
    family jsonb;
    link_tables text[];
    inserting text;
    updating text;
    deleting text;
    truncating text;
    concerned integer[];
    entity jsonb;
    link jsonb;
    part record;
BEGIN
    SELECT s."number", d."tracked" INTO store_number, tracked
    FROM "strata"."store" AS s JOIN "strata"."history_description" AS d ON d."store" = s."number"
    WHERE s."schema_name" = history_expected.schema_name;
    link_tables := ARRAY(
        SELECT l ->> 'table' FROM (VALUES ('current'), ('next')) AS v (version),
            jsonb_array_elements(tracked -> v.version -> 'links') AS l
        WHERE jsonb_typeof(tracked -> v.version) = 'object');
    FOR relation, table_name, entity, family IN
        WITH e AS MATERIALIZED (
            SELECT v.number, x.place, x.entity
            FROM (VALUES (0, 'current'), (1, 'next')) AS v (number, version),
                jsonb_array_elements(tracked -> v.version -> 'entities') WITH ORDINALITY AS x (entity, place)
            WHERE jsonb_typeof(tracked -> v.version) = 'object'),
        -- Of many classes a table has to know its own hierarchy only. A class has one root for ever.
        f AS MATERIALIZED (
            SELECT e.entity -> 'root' AS root, jsonb_build_object(
                'current', jsonb_build_object('entities',
                    coalesce(jsonb_agg(e.entity ORDER BY e.place) FILTER (WHERE e.number = 0), '[]')),
                'next', CASE WHEN jsonb_typeof(tracked -> 'next') = 'object' THEN jsonb_build_object('entities',
                    coalesce(jsonb_agg(e.entity ORDER BY e.place) FILTER (WHERE e.number = 1), '[]')) END) AS tracked
            FROM e GROUP BY e.entity -> 'root'),
        -- A table belongs to the class that has it now, else to the one that is going to have it.
        o AS MATERIALIZED (
            SELECT DISTINCT ON (e.entity ->> 'table') e.entity ->> 'table' AS name, e.entity, f.tracked
            FROM e JOIN f ON f.root = e.entity -> 'root' ORDER BY e.entity ->> 'table', e.number, e.place)
        SELECT c.oid, c.relname::text, o.entity, o.tracked
        FROM pg_class AS c LEFT JOIN o ON o.name = c.relname::text
        WHERE c.relnamespace = (SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = history_expected.schema_name)
            AND c.relkind IN ('r', 'p') AND (o.name IS NOT NULL OR c.relname::text = ANY (link_tables))
        ORDER BY c.relname
    LOOP
        inserting := ''; updating := ''; deleting := ''; truncating := ''; wide := '{}'; concerned := '{}';
        IF entity IS NOT NULL THEN
            SELECT * INTO part FROM "strata"."history_entity_part"(
                schema_name, store_number, family, relation, table_name, entity);
            inserting := part.inserting; updating := part.updating; deleting := part.deleting;
            truncating := part.truncating; wide := part.wide;
            concerned := concerned || (entity ->> 'id')::integer;
        END IF;
        FOR link IN
            SELECT DISTINCT ON (s -> 'column', s -> 'root', s -> 'bit') s
            FROM (VALUES (0, 'current'), (1, 'next')) AS v (number, version),
                jsonb_array_elements(tracked -> v.version -> 'links') AS l, jsonb_array_elements(l -> 'sides') AS s
            JOIN pg_attribute AS a ON a.attrelid = relation AND a.attname = s ->> 'column' AND a.attnum > 0
            WHERE table_name = ANY (link_tables) AND jsonb_typeof(tracked -> v.version) = 'object'
                AND l ->> 'table' = table_name
            ORDER BY s -> 'column', s -> 'root', s -> 'bit', v.number
        LOOP
            SELECT * INTO part FROM "strata"."history_link_part"(
                schema_name, store_number, tracked, relation, table_name, link);
            inserting := inserting || part.inserting; updating := updating || part.updating;
            deleting := deleting || part.deleting; truncating := truncating || part.truncating;
            concerned := concerned || (link ->> 'id')::integer;
        END LOOP;
        function_name := CASE WHEN octet_length(table_name) <= 48 THEN 'strata_history_' || table_name
            ELSE 'strata_history_' || md5(table_name) END;
        body := format(E'\nDECLARE\n    is_touched boolean;\nBEGIN\n'
            '    IF current_setting(''strata.history'', true) = ''off'' THEN\n'
            -- What touches no row leaves no trace.
            '        IF TG_OP = ''INSERT'' THEN\n            is_touched := EXISTS (SELECT FROM n);\n'
            '        ELSIF TG_OP IN (''UPDATE'', ''DELETE'') AND TG_WHEN = ''AFTER'' THEN\n'
            '            is_touched := EXISTS (SELECT FROM o);\n'
            '        ELSE\n            is_touched := TG_OP = ''TRUNCATE'';\n        END IF;\n'
            '        IF "strata"."history_suspended"(TG_RELID, CASE WHEN is_touched THEN %L::integer[] ELSE ''{}'' END) THEN\n'
            '            RETURN NULL;\n        END IF;\n    END IF;\n'
            '    IF TG_OP = ''INSERT'' THEN%s\n    ELSIF TG_OP = ''UPDATE'' THEN%s%s\n    ELSIF TG_OP = ''DELETE'' THEN%s\n'
            '    ELSE%s\n    END IF;\n    RETURN NULL;\nEND\n',
            concerned, inserting,
            CASE WHEN wide <> '{}' THEN format(E'\n        IF TG_WHEN = ''BEFORE'' THEN\n'
                '            PERFORM set_config(''strata.history_wide_%s'', ''on'', true);\n'
                '            RETURN NULL;\n        END IF;', entity ->> 'id') ELSE '' END,
            updating, deleting, truncating);
        RETURN NEXT;
    END LOOP;
END
$$;


--
-- Name: history_findings(text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_findings(schema_name text) RETURNS TABLE(relation text, name text, problem text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    namespace oid := (SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = schema_name);
    expected jsonb := (
        SELECT coalesce(jsonb_agg(to_jsonb(e)), '[]') FROM "strata"."history_expected"(schema_name) AS e);
BEGIN
    IF NOT EXISTS (
        SELECT FROM "strata"."store" AS s JOIN "strata"."history_description" AS d ON d."store" = s."number"
        WHERE s."schema_name" = history_findings.schema_name)
    THEN
        RETURN QUERY SELECT NULL::text, schema_name, 'undescribed'::text;
        RETURN;
    END IF;
    RETURN QUERY
    SELECT e ->> 'table_name', e ->> 'function_name', CASE
        WHEN p.oid IS NULL THEN 'missing'
        WHEN p.prosrc <> e ->> 'body' OR NOT p.prosecdef
            OR p.proconfig IS DISTINCT FROM ARRAY['search_path=pg_catalog, pg_temp'] THEN 'stale'
        WHEN NOT pg_has_role(p.proowner, c.relowner, 'USAGE') THEN 'foreign'
        ELSE 'powerless' END
    FROM jsonb_array_elements(expected) AS e
    JOIN pg_class AS c ON c.oid = (e ->> 'relation')::oid
    LEFT JOIN pg_proc AS p ON p.pronamespace = namespace AND p.proname = e ->> 'function_name'
    WHERE p.oid IS NULL OR p.prosrc <> e ->> 'body' OR NOT p.prosecdef
        OR p.proconfig IS DISTINCT FROM ARRAY['search_path=pg_catalog, pg_temp']
        OR NOT pg_has_role(p.proowner, c.relowner, 'USAGE')
        OR NOT has_table_privilege(p.proowner, 'strata.history_change', 'INSERT')
        OR NOT has_table_privilege(p.proowner, 'strata.history_transaction', 'INSERT')
        OR NOT has_sequence_privilege(p.proowner, 'strata.history_change_seq', 'USAGE');
    RETURN QUERY
    SELECT coalesce(t.table_name, g.table_name), coalesce(t.trigger_name, g.trigger_name), CASE
        WHEN t.trigger_name IS NULL THEN 'superfluous'
        WHEN g.trigger_name IS NULL THEN 'missing'
        WHEN g.enabled = 'D' THEN 'disabled'
        ELSE 'stale' END
    FROM "strata"."history_triggers"(schema_name, expected) AS t
    FULL JOIN "strata"."history_found"(namespace) AS g
        ON g.table_name = t.table_name AND g.trigger_name = t.trigger_name
    WHERE t.trigger_name IS NULL OR g.trigger_name IS NULL OR g.enabled <> 'O' OR g.function_name <> t.function_name
        OR g.type <> t.type OR to_jsonb(g.columns) <> t.columns OR NOT g.has_tables;
    RETURN QUERY
    SELECT NULL::text, 'history_change_seq'::text, 'cached'::text
    FROM pg_sequence AS s
    WHERE s.seqrelid = 'strata.history_change_seq'::regclass AND (s.seqcache <> 1 OR s.seqcycle OR s.seqincrement <> 1);
END
$$;


--
-- Name: history_forget(text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_forget(schema_name text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    store_number integer := (
        SELECT s."number" FROM "strata"."store" AS s WHERE s."schema_name" = history_forget.schema_name);
BEGIN
    DELETE FROM "strata"."history_change" AS c
    USING "strata"."history_transaction" AS t, "strata"."history_entity" AS e
    WHERE t."store" = store_number AND c."xid" = t."xid" AND c."generation" = t."generation"
        AND e."id" = c."entity" AND e."store" = store_number;
    DELETE FROM "strata"."history_transaction" AS t WHERE t."store" = store_number;
    DELETE FROM "strata"."history_consumer" AS c WHERE c."store" = store_number;
    DELETE FROM "strata"."history_property" AS p USING "strata"."history_entity" AS e
    WHERE e."id" = p."root" AND e."store" = store_number;
    DELETE FROM "strata"."history_entity" AS e WHERE e."store" = store_number;
    DELETE FROM "strata"."history_description" AS d WHERE d."store" = store_number;
END
$$;


--
-- Name: history_found(oid); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_found(namespace oid) RETURNS TABLE(relation oid, table_name text, trigger_name text, function_name text, type integer, columns text[], has_tables boolean, enabled text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RETURN QUERY
    SELECT c.oid, c.relname::text, t.tgname::text,
        CASE WHEN p.pronamespace = namespace THEN p.proname::text ELSE p.oid::regprocedure::text END, t.tgtype::integer,
        ARRAY(SELECT a.attname::text FROM pg_attribute AS a
            WHERE a.attrelid = c.oid AND a.attnum = ANY (t.tgattr) ORDER BY a.attname),
        t.tgqual IS NULL AND t.tgnargs = 0
            AND t.tgoldtable IS NOT DISTINCT FROM CASE WHEN t.tgtype IN (8, 16) THEN 'o'::name END
            AND t.tgnewtable IS NOT DISTINCT FROM CASE WHEN t.tgtype IN (4, 16) THEN 'n'::name END,
        t.tgenabled::text
    FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_proc AS p ON p.oid = t.tgfoid
    WHERE c.relnamespace = namespace AND t.tgname LIKE 'strata\_history\_%' AND NOT t.tgisinternal
        AND t.tgparentid = 0;
END
$$;


--
-- Name: history_grant(name, text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_grant(role name, what text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF what IS NULL OR what NOT IN ('read', 'write', 'prune', 'own') THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value',
            MESSAGE = format('history_grant: %L is none of read, write, prune, own', what);
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA "strata" TO %I', role);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA "strata" TO %I', role);
    EXECUTE format('GRANT EXECUTE ON FUNCTION "strata"."history_adopt"(text), "strata"."history_try_adopt"(text), '
        '"strata"."history_findings"(text), "strata"."history_context"(text) TO %I', role);
    IF what = 'write' THEN
        EXECUTE format('GRANT USAGE ON SEQUENCE "strata"."key_block" TO %I', role);
        EXECUTE format('GRANT INSERT, UPDATE ON "strata"."history_consumer" TO %I', role);
    ELSIF what = 'prune' THEN
        EXECUTE format('GRANT EXECUTE ON FUNCTION "strata"."history_delete"(text, xid8[], smallint[]), '
            '"strata"."history_cutoff"(text, bigint), '
            '"strata"."history_prune_below"(text, timestamptz, smallint, xid8, integer), '
            '"strata"."history_prune"(text, timestamptz, bigint, integer) TO %I', role);
    ELSIF what = 'own' THEN
        -- A second owner of tables in this database: its trigger functions write the history with its rights.
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "strata" TO %I', role);
        EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA "strata" TO %I', role);
        EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA "strata" TO %I', role);
    END IF;
END
$$;


--
-- Name: history_halt(); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_halt() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '200ms'
    AS $$
DECLARE
    change oid := 'strata.history_change'::regclass;
    writers text;
BEGIN
    IF EXISTS (
        SELECT FROM pg_locks AS l
        WHERE l.locktype = 'relation' AND l.relation = change AND l.pid = pg_backend_pid()
            AND l.mode = 'RowExclusiveLock' AND l.granted)
    THEN
        RAISE EXCEPTION USING ERRCODE = 'object_in_use', MESSAGE =
            'The history begins a new generation here, but not in a transaction that has written itself. End it, '
            'and open the store or read its history outside of a transaction first.';
    END IF;
    -- Whoever wants to write queues behind a lock that is waited for: that may never be long, and leaves pauses.
    FOR attempt IN 1..5 LOOP
        BEGIN
            LOCK TABLE "strata"."history_change" IN SHARE ROW EXCLUSIVE MODE;
            RETURN;
        EXCEPTION WHEN lock_not_available THEN
            NULL;
        END;
        SELECT string_agg(
            CASE WHEN l.pid IS NULL THEN 'prepared transaction ' || coalesce(quote_literal(p.gid), l.virtualtransaction)
                ELSE 'process ' || l.pid END, ', ' ORDER BY l.pid, p.gid)
        INTO writers
        FROM pg_locks AS l
        -- A prepared transaction has no process any more; its number is the one that it has locked.
        LEFT JOIN LATERAL (
            SELECT x.gid FROM pg_locks AS n JOIN pg_prepared_xacts AS x ON x.transaction = n.transactionid
            WHERE n.locktype = 'transactionid' AND n.virtualtransaction = l.virtualtransaction AND n.pid IS NULL
        ) AS p ON l.pid IS NULL
        WHERE l.locktype = 'relation' AND l.relation = change AND l.granted
            AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
            AND l.mode NOT IN ('AccessShareLock', 'RowShareLock', 'ShareUpdateExclusiveLock');
        -- Autovacuum gives way to whoever has waited for as long as deadlock_timeout says.
        PERFORM set_config('lock_timeout', CASE WHEN writers IS NULL THEN '3s' ELSE '200ms' END, true);
        PERFORM pg_sleep(0.05);
    END LOOP;
    RAISE EXCEPTION USING ERRCODE = 'object_in_use', MESSAGE = format(
        'The history comes from another server, timeline or database and begins a new generation here, but transactions '
        'are open that began to write before: %s. End them (COMMIT, ROLLBACK, COMMIT PREPARED or ROLLBACK PREPARED; '
        'pg_terminate_backend() ends a process), and try again.', coalesce(writers, 'maintenance of strata.history_change'));
END
$$;


--
-- Name: history_identify(integer, boolean); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_identify(store_number integer, is_adoption boolean) RETURNS smallint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    here record;
    there bigint;
    present smallint;
BEGIN
    -- Transaction numbers mean something within one server, timeline and database only. A standby has those of its primary.
    IF NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' THEN
        SELECT c.system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline, d.oid AS database_oid
        INTO here FROM pg_control_system() AS c, pg_database AS d WHERE d.datname = current_database();
        SELECT s."system_identifier" INTO there FROM "strata"."store" AS s
        WHERE s."number" = store_number AND (is_adoption OR s."system_identifier" IS NULL)
            AND (s."system_identifier", s."timeline", s."database_oid")
                IS DISTINCT FROM (here.system_identifier, here.timeline, here.database_oid);
        IF FOUND AND there IS NULL THEN
            UPDATE "strata"."store" AS s
            SET "system_identifier" = here.system_identifier, "timeline" = here.timeline,
                "database_oid" = here.database_oid
            WHERE s."number" = store_number AND s."system_identifier" IS NULL;
        ELSIF FOUND THEN
            -- A transaction that goes on writes on under the generation it has seen, where nobody would look for it.
            PERFORM "strata"."history_halt"();
            -- All stores have moved together: writers are stopped once.
            UPDATE "strata"."store" AS s
            SET "generation" = s."generation" + 1, "system_identifier" = here.system_identifier,
                "timeline" = here.timeline, "database_oid" = here.database_oid, "deleted_below" = '0'
            WHERE s."system_identifier" IS NOT NULL
                AND (s."system_identifier", s."timeline", s."database_oid")
                    IS DISTINCT FROM (here.system_identifier, here.timeline, here.database_oid);
        END IF;
    END IF;
    SELECT s."generation" INTO present FROM "strata"."store" AS s WHERE s."number" = store_number;
    RETURN present;
END
$$;


--
-- Name: history_link_part(text, integer, jsonb, oid, text, jsonb); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_link_part(schema_name text, store_number integer, tracked jsonb, relation oid, table_name text, side jsonb, OUT inserting text, OUT updating text, OUT deleting text, OUT truncating text) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
DECLARE
    number integer := (side ->> 'bit')::integer;
    entity text := "strata"."history_class_expression"(
        schema_name, tracked, (side ->> 'id')::integer, number / 63, NULL, 'l."pk"');
    heads text;
    columns text[];
BEGIN
    -- Which rows are a link: those of the table's primary key, and the column that leads to the object.
    columns := ARRAY(
        SELECT a.attname::text FROM pg_attribute AS a
        WHERE a.attrelid = relation AND a.attnum > 0 AND NOT a.attisdropped AND (a.attname = side ->> 'column' OR EXISTS (
            SELECT FROM pg_index AS x WHERE x.indrelid = relation AND x.indisprimary AND a.attnum = ANY (x.indkey)))
        ORDER BY a.attnum);
    heads := "strata"."history_statement"(store_number, '"pk", "props", "entity", "op"', format(
        E'l."pk", %s, %s, ''u''\n'
        '            FROM (SELECT DISTINCT x.%I AS "pk" FROM <rows> AS x WHERE x.%I IS NOT NULL) AS l',
        1::bigint << (number % 63), entity, side ->> 'column', side ->> 'column'));
    inserting := replace(heads, '<rows>', 'n');
    deleting := replace(heads, '<rows>', 'o');
    truncating := replace(heads, '<rows>', format('%I.%I', schema_name, table_name));
    updating := replace(heads, '<rows>', (
        SELECT format(E'(\n            (SELECT %1$s FROM n EXCEPT SELECT %1$s FROM o)\n'
            '            UNION ALL (SELECT %1$s FROM o EXCEPT SELECT %1$s FROM n))', string_agg(quote_ident(u), ', '))
        FROM unnest(columns) AS u));
END
$_$;


--
-- Name: history_prune(text, timestamp with time zone, bigint, integer); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_prune(schema_name text, before timestamp with time zone, keep bigint, slice integer DEFAULT 5000) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT "strata"."history_prune_below"(schema_name, before, c.generation, c.xid, slice)
    FROM "strata"."history_cutoff"(schema_name, keep) AS c
$$;


--
-- Name: history_prune_below(text, timestamp with time zone, smallint, xid8, integer); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_prune_below(schema_name text, before timestamp with time zone, below_generation smallint, below_xid xid8, slice integer DEFAULT 5000) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    store_number integer := (
        SELECT s."number" FROM "strata"."store" AS s WHERE s."schema_name" = history_prune_below.schema_name);
    oldest smallint := (
        SELECT min(t."generation") FROM "strata"."history_transaction" AS t WHERE t."store" = store_number);
    -- The oldest first, whether they may go or not: a call looks at one slice only.
    xids xid8[] := ARRAY(
        SELECT t."xid" FROM (
            SELECT x."xid", x."generation", x."at" FROM "strata"."history_transaction" AS x
            WHERE x."store" = store_number AND x."generation" = oldest ORDER BY x."xid" LIMIT slice) AS t
        WHERE t."at" < before OR (t."generation", t."xid") < (below_generation, below_xid));
BEGIN
    RETURN "strata"."history_delete"(schema_name, xids, array_fill(oldest, ARRAY[cardinality(xids)]));
END
$$;


--
-- Name: history_register(integer, jsonb, jsonb, boolean, boolean); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_register(store_number integer, description jsonb, previous jsonb, is_next boolean, is_promotion boolean) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    names text[] := ARRAY(SELECT e ->> 'name' FROM jsonb_array_elements(description -> 'entities') AS e);
    claimed text[];
    place record;
    hints text[];
    known record;
    entity_id integer;
    root_id integer;
    ids jsonb := '{}';
    taken integer[] := '{}';
    old_name text;
    old_entity jsonb;
    property jsonb;
    properties jsonb;
    property_names text[];
    property_claims text[];
    number smallint;
    taken_bits smallint[];
    moved_bits smallint[] := '{}';
    -- The classes by the names that `was` speaks of.
    former jsonb := (
        SELECT coalesce(jsonb_object_agg(h."id", h."name"), '{}') FROM "strata"."history_entity" AS h
        WHERE h."store" = store_number AND h."word" = 0 AND NOT h."retired");
    entities jsonb := '[]';
    links jsonb := '[]';
    link jsonb;
    side jsonb;
    sides jsonb;
BEGIN
    -- A former name counts once: when the description before did not have it for the same name.
    claimed := ARRAY(
        SELECT w FROM jsonb_array_elements(description -> 'entities') AS e,
            jsonb_array_elements_text(coalesce(e -> 'was', '[]')) AS w
        WHERE EXISTS (SELECT FROM jsonb_array_elements(previous -> 'entities') AS p WHERE p ->> 'name' = w)
            AND NOT EXISTS (
                SELECT FROM jsonb_array_elements(previous -> 'entities') AS p
                WHERE p ->> 'name' = e ->> 'name' AND coalesce(p -> 'was', '[]') ? w));
    FOR place IN
        WITH RECURSIVE tree AS (
            SELECT e AS entity, e ->> 'name' AS name, e ->> 'name' AS root, 0 AS depth
            FROM jsonb_array_elements(description -> 'entities') AS e WHERE e ->> 'parent' IS NULL
            UNION ALL
            SELECT e, e ->> 'name', t.root, t.depth + 1
            FROM jsonb_array_elements(description -> 'entities') AS e JOIN tree AS t ON e ->> 'parent' = t.name)
        SELECT t.entity, t.name, t.root, t.depth,
            ARRAY(SELECT jsonb_array_elements_text(coalesce(t.entity -> 'was', '[]'))) AS was
        FROM tree AS t ORDER BY t.depth, t.name COLLATE "C"
    LOOP
        root_id := (ids ->> place.root)::integer;
        hints := ARRAY(SELECT w FROM unnest(place.was) AS w WHERE w = ANY (claimed)
            AND NOT EXISTS (
                SELECT FROM jsonb_array_elements(previous -> 'entities') AS p
                WHERE p ->> 'name' = place.name AND coalesce(p -> 'was', '[]') ? w));
        SELECT h."id", h."name" INTO known
        FROM "strata"."history_entity" AS h,
            LATERAL (SELECT CASE
                WHEN is_promotion AND h."next_name" = place.name THEN 0
                WHEN is_promotion AND h."next_name" = ANY (names) THEN NULL
                WHEN h."name" = ANY (hints) THEN 1
                WHEN h."name" = place.name AND h."name" <> ALL (claimed) THEN 2
                WHEN h."name" = ANY (names) THEN NULL
                WHEN h."name" = ANY (place.was) THEN 3
                -- The way back: what is there now was renamed from this one.
                WHEN EXISTS (
                    SELECT FROM jsonb_array_elements(previous -> 'entities') AS p
                    WHERE p ->> 'name' = h."name" AND coalesce(p -> 'was', '[]') ? place.name) THEN 4
                END AS rank) AS r
        WHERE h."store" = store_number AND h."word" = 0 AND NOT h."retired" AND h."id" <> ALL (taken)
            AND h."root" = coalesce(root_id, h."id") AND r.rank IS NOT NULL
        ORDER BY r.rank, h."id" LIMIT 1;
        IF FOUND THEN
            entity_id := known."id";
            old_name := known."name";
            UPDATE "strata"."history_entity" AS h
            SET "name" = CASE WHEN is_next THEN h."name" ELSE place.name END,
                "next_name" = CASE WHEN is_next THEN nullif(place.name, h."name") END
            WHERE h."base" = entity_id;
        ELSE
            old_name := NULL;
            entity_id := nextval(pg_get_serial_sequence('strata.history_entity', 'id'));
            INSERT INTO "strata"."history_entity" ("id", "store", "name", "root", "base")
            VALUES (entity_id, store_number, place.name, coalesce(root_id, entity_id), entity_id);
        END IF;
        taken := taken || entity_id;
        ids := ids || jsonb_build_object(place.name, entity_id);
        root_id := coalesce(root_id, entity_id);

        old_entity := (SELECT e FROM jsonb_array_elements(previous -> 'entities') AS e WHERE e ->> 'name' = old_name);
        property_names := ARRAY(SELECT p ->> 'name' FROM jsonb_array_elements(place.entity -> 'properties') AS p);
        property_claims := ARRAY(
            SELECT w FROM jsonb_array_elements(place.entity -> 'properties') AS p,
                jsonb_array_elements_text(coalesce(p -> 'was', '[]')) AS w
            WHERE EXISTS (SELECT FROM jsonb_array_elements(old_entity -> 'properties') AS q WHERE q ->> 'name' = w)
                AND NOT EXISTS (
                    SELECT FROM jsonb_array_elements(old_entity -> 'properties') AS q
                    WHERE q ->> 'name' = p ->> 'name' AND coalesce(q -> 'was', '[]') ? w));
        properties := '[]';
        taken_bits := '{}';
        FOR property IN SELECT p FROM jsonb_array_elements(place.entity -> 'properties') AS p LOOP
            hints := ARRAY(
                SELECT w FROM jsonb_array_elements_text(coalesce(property -> 'was', '[]')) AS w
                WHERE w = ANY (property_claims) AND NOT EXISTS (
                    SELECT FROM jsonb_array_elements(old_entity -> 'properties') AS q
                    WHERE q ->> 'name' = property ->> 'name' AND coalesce(q -> 'was', '[]') ? w));
            SELECT h."bit" INTO number
            FROM "strata"."history_property" AS h,
                LATERAL (SELECT CASE
                    -- Another class of the hierarchy had it.
                    WHEN h."entity" <> entity_id THEN CASE
                        WHEN h."bit" <> ALL (moved_bits) AND coalesce(property -> 'was', '[]')
                            ? ((former ->> h."entity"::text) || '.' || h."name") THEN 5 END
                    WHEN is_promotion AND h."next_name" = property ->> 'name' THEN 0
                    WHEN is_promotion AND h."next_name" = ANY (property_names) THEN NULL
                    WHEN h."name" = ANY (hints) THEN 1
                    WHEN h."name" = property ->> 'name' AND h."name" <> ALL (property_claims) THEN 2
                    WHEN h."name" = ANY (property_names) THEN NULL
                    WHEN coalesce(property -> 'was', '[]') ? h."name" THEN 3
                    WHEN EXISTS (
                        SELECT FROM jsonb_array_elements(old_entity -> 'properties') AS q
                        WHERE q ->> 'name' = h."name" AND coalesce(q -> 'was', '[]') ? (property ->> 'name')) THEN 4
                    END AS rank) AS r
            WHERE h."root" = root_id AND NOT h."retired" AND h."bit" <> ALL (taken_bits)
                AND r.rank IS NOT NULL
            ORDER BY r.rank, h."bit" LIMIT 1;
            IF FOUND THEN
                moved_bits := moved_bits || number;
                UPDATE "strata"."history_property" AS h
                SET "entity" = CASE WHEN is_next THEN h."entity" ELSE entity_id END,
                    "name" = CASE WHEN is_next THEN h."name" ELSE property ->> 'name' END,
                    "next_name" = CASE WHEN is_next THEN nullif(property ->> 'name', h."name") END
                WHERE h."root" = root_id AND h."bit" = number;
            ELSE
                -- Bits are never used again: retired ones count.
                number := (SELECT coalesce(max(h."bit") + 1, 0) FROM "strata"."history_property" AS h
                    WHERE h."root" = root_id);
                INSERT INTO "strata"."history_property" ("root", "bit", "entity", "name")
                VALUES (root_id, number, entity_id, property ->> 'name');
            END IF;
            taken_bits := taken_bits || number;
            properties := properties || (property || jsonb_build_object('bit', number));
        END LOOP;
        entities := entities || (place.entity || jsonb_build_object(
            'id', entity_id, 'root', root_id, 'properties', properties));
    END LOOP;

    FOR link IN SELECT l FROM jsonb_array_elements(description -> 'links') AS l LOOP
        sides := '[]';
        FOR side IN SELECT s FROM jsonb_array_elements(link -> 'sides') AS s LOOP
            -- The relationship may be inherited: the nearest class upwards declares it.
            sides := sides || coalesce((
                WITH RECURSIVE chain AS (
                    SELECT e AS entity, 0 AS depth FROM jsonb_array_elements(entities) AS e
                    WHERE e ->> 'name' = side ->> 'entity'
                    UNION ALL
                    SELECT e, c.depth + 1 FROM jsonb_array_elements(entities) AS e
                    JOIN chain AS c ON e ->> 'name' = c.entity ->> 'parent')
                SELECT side || jsonb_build_object(
                    'id', (ids ->> (side ->> 'entity'))::integer, 'root', c.entity -> 'root', 'bit', p -> 'bit')
                FROM chain AS c, jsonb_array_elements(c.entity -> 'properties') AS p
                WHERE p ->> 'name' = side ->> 'property' ORDER BY c.depth LIMIT 1), '[]');
        END LOOP;
        links := links || (link || jsonb_build_object('sides', sides));
    END LOOP;
    RETURN jsonb_build_object('entities', entities, 'links', links);
END
$$;


--
-- Name: history_reset(text, text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_reset(schema_name text, entity text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    entities integer[] := ARRAY(
        SELECT e."id" FROM "strata"."history_entity" AS e JOIN "strata"."store" AS s ON s."number" = e."store"
        WHERE s."schema_name" = history_reset.schema_name AND e."name" = history_reset.entity
            AND e."word" = 0 AND NOT e."retired");
BEGIN
    IF entities = '{}' THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_object',
            MESSAGE = format('there is no history of %s in the schema %I', entity, schema_name);
    END IF;
    PERFORM "strata"."history_reset_entities"(entities);
END
$$;


--
-- Name: history_reset_entities(integer[]); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_reset_entities(entities integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO "strata"."history_change" ("xid", "entity", "generation", "op")
    SELECT pg_current_xact_id(), e."id", s."generation", 'R'
    FROM "strata"."history_entity" AS e JOIN "strata"."store" AS s ON s."number" = e."store"
    WHERE e."id" = ANY (entities) AND NOT EXISTS (
        SELECT FROM "strata"."history_change" AS c
        WHERE c."xid" = pg_current_xact_id() AND c."entity" = e."id" AND c."op" = 'R'
            AND c."generation" = s."generation")
    ORDER BY e."id";
    IF FOUND THEN
        PERFORM "strata"."history_begin"(e."store") FROM "strata"."history_entity" AS e
        WHERE e."id" = ANY (entities) GROUP BY e."store";
    END IF;
END
$$;


--
-- Name: history_statement(integer, text, text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_statement(store_number integer, columns text, selection text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
BEGIN
    -- The header comes only with a change, and only once. Each expression of the language has its price in each
    -- transaction: no variable says what FOUND says.
    RETURN format(E'\n'
        '        INSERT INTO "strata"."history_change" ("xid", "generation", %2$s)\n'
        '        SELECT pg_current_xact_id(), (SELECT x."generation" FROM "strata"."store" AS x WHERE x."number" = %1$s), %3$s;\n'
        '        IF FOUND THEN\n'
        '            INSERT INTO "strata"."history_transaction"\n'
        '                ("store", "generation", "xid", "author", "actor", "role", "application", "process", "context")\n'
        '            SELECT s."number", s."generation", pg_current_xact_id(),\n'
        '                nullif(current_setting(''strata.author'', true), ''''), session_user,\n'
        '                nullif(current_setting(''role''), ''none''), nullif(current_setting(''application_name''), ''''),\n'
        '                nullif(current_setting(''strata.process'', true), ''''),\n'
        '                nullif(current_setting(''strata.context'', true), '''')\n'
        '            FROM "strata"."store" AS s WHERE s."number" = %1$s ON CONFLICT DO NOTHING;\n'
        '            IF FOUND AND coalesce(current_setting(''strata.process'', true), '''') = '''' THEN\n'
        '                PERFORM "strata"."history_wake"(%1$s);\n'
        '            END IF;\n'
        '        END IF;',
        store_number, columns, selection);
END
$_$;


--
-- Name: history_suspended(oid, integer[]); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_suspended(relation oid, entities integer[]) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    -- Only who owns the table may write past the history, and not without a trace.
    IF NOT pg_has_role(session_user, (SELECT c.relowner FROM pg_class AS c WHERE c.oid = relation), 'USAGE') THEN
        RETURN false;
    END IF;
    PERFORM "strata"."history_reset_entities"(entities);
    RETURN true;
END
$$;


--
-- Name: history_sync(text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_sync(schema_name text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
DECLARE
    namespace oid := (SELECT n.oid FROM pg_namespace AS n WHERE n.nspname = schema_name);
    expected jsonb := (
        SELECT coalesce(jsonb_agg(to_jsonb(e)), '[]') FROM "strata"."history_expected"(schema_name) AS e);
    triggers jsonb := (
        SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM "strata"."history_triggers"(schema_name, expected) AS t);
    part record;
BEGIN
    -- A function that differs is replaced: that takes no lock on its table.
    FOR part IN
        SELECT e ->> 'function_name' AS name, e ->> 'body' AS body FROM jsonb_array_elements(expected) AS e
        WHERE NOT EXISTS (
            SELECT FROM pg_proc AS p WHERE p.pronamespace = namespace AND p.proname = e ->> 'function_name'
                AND p.prosrc = e ->> 'body' AND p.prosecdef
                AND p.proconfig = ARRAY['search_path=pg_catalog, pg_temp'])
    LOOP
        EXECUTE format(
            'CREATE OR REPLACE FUNCTION %1$I.%2$I() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER '
            'SET search_path = pg_catalog, pg_temp AS %3$L', schema_name, part.name, part.body);
        EXECUTE format('REVOKE ALL ON FUNCTION %I.%I() FROM PUBLIC', schema_name, part.name);
    END LOOP;

    -- Tables are locked only where a trigger is missing, or is not the one that is wanted, or is too much.
    FOR part IN
        SELECT t ->> 'trigger_name' AS name, t ->> 'clause' AS clause, t ->> 'function_name' AS function_name
        FROM jsonb_array_elements(triggers) AS t
        WHERE NOT EXISTS (
            SELECT FROM "strata"."history_found"(namespace) AS g
            WHERE g.table_name = t ->> 'table_name' AND g.trigger_name = t ->> 'trigger_name'
                AND g.function_name = t ->> 'function_name' AND g.type = (t ->> 'type')::integer
                AND to_jsonb(g.columns) = t -> 'columns' AND g.has_tables)
    LOOP
        EXECUTE format('CREATE OR REPLACE TRIGGER %I %s FOR EACH STATEMENT EXECUTE FUNCTION %I.%I()',
            part.name, part.clause, schema_name, part.function_name);
    END LOOP;
    FOR part IN
        SELECT g.table_name, g.trigger_name, EXISTS (
            SELECT FROM jsonb_array_elements(triggers) AS t
            WHERE t ->> 'table_name' = g.table_name AND t ->> 'trigger_name' = g.trigger_name) AS is_wanted
        FROM "strata"."history_found"(namespace) AS g
        WHERE g.enabled <> 'O' OR NOT EXISTS (
            SELECT FROM jsonb_array_elements(triggers) AS t
            WHERE t ->> 'table_name' = g.table_name AND t ->> 'trigger_name' = g.trigger_name)
    LOOP
        IF part.is_wanted THEN
            EXECUTE format('ALTER TABLE %I.%I ENABLE TRIGGER %I', schema_name, part.table_name, part.trigger_name);
        ELSE
            EXECUTE format('DROP TRIGGER %I ON %I.%I', part.trigger_name, schema_name, part.table_name);
        END IF;
    END LOOP;
    -- Functions of tables that are gone, were renamed, or are no longer described.
    FOR part IN
        SELECT p.proname AS name FROM pg_proc AS p
        WHERE p.pronamespace = namespace AND p.prorettype = 'trigger'::regtype AND p.proname LIKE 'strata\_history\_%'
            AND NOT EXISTS (
                SELECT FROM jsonb_array_elements(expected) AS e WHERE e ->> 'function_name' = p.proname)
    LOOP
        EXECUTE format('DROP FUNCTION %I.%I()', schema_name, part.name);
    END LOOP;
END
$_$;


--
-- Name: history_triggers(text, jsonb); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_triggers(schema_name text, expected jsonb) RETURNS TABLE(table_name text, trigger_name text, function_name text, clause text, type integer, columns jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    -- `type` is pg_trigger.tgtype: 2 before, 4 insert, 8 delete, 16 update, 32 truncate; 1 would be FOR EACH ROW.
    RETURN QUERY
    SELECT e ->> 'table_name', v.name, e ->> 'function_name',
        v.event || format(' ON %I.%I', schema_name, e ->> 'table_name') || v.tables, v.type, v.columns
    FROM jsonb_array_elements(expected) AS e
    CROSS JOIN LATERAL (VALUES
        ('strata_history_insert', 'AFTER INSERT', ' REFERENCING NEW TABLE AS n', 4, '[]'::jsonb),
        ('strata_history_update', 'AFTER UPDATE', ' REFERENCING OLD TABLE AS o NEW TABLE AS n', 16, '[]'),
        ('strata_history_delete', 'AFTER DELETE', ' REFERENCING OLD TABLE AS o', 8, '[]'),
        ('strata_history_truncate', 'BEFORE TRUNCATE', '', 34, '[]'),
        ('strata_history_wide', 'BEFORE UPDATE OF ' || (
            SELECT string_agg(quote_ident(w), ', ') FROM jsonb_array_elements_text(e -> 'wide') AS w),
            '', 18, e -> 'wide')
    ) AS v (name, event, tables, type, columns)
    WHERE v.event IS NOT NULL;
END
$$;


--
-- Name: history_try_adopt(text); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_try_adopt(schema_name text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM "strata"."history_adopt"(schema_name);
    RETURN NULL;
EXCEPTION WHEN object_in_use THEN
    RETURN sqlerrm;
END
$$;


--
-- Name: history_version(); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_version() RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$SELECT 1$$;


--
-- Name: history_wake(integer); Type: FUNCTION; Schema: strata; Owner: -
--

CREATE FUNCTION strata.history_wake(store_number integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    -- One transaction at a time wakes the listeners: NOTIFY makes commits queue up. A transaction with a NOTIFY cannot be
    -- prepared, so where two-phase commit is in use it has to be asked for.
    IF coalesce(current_setting('strata.notify', true), '') <> 'off'
        AND (current_setting('strata.notify', true) = 'on' OR current_setting('max_prepared_transactions') = '0')
        AND pg_try_advisory_xact_lock(1400140385, store_number)
    THEN
        PERFORM pg_notify('strata_history_' || store_number, '');
    END IF;
END
$$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: bucket_list_item; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.bucket_list_item (
    pk bigint NOT NULL,
    title text NOT NULL COLLATE pg_catalog."C",
    details text NOT NULL COLLATE pg_catalog."C",
    has_reservation boolean NOT NULL,
    is_in_plan boolean NOT NULL,
    trip bigint
);


--
-- Name: bucket_list_item_pk_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.bucket_list_item ALTER COLUMN pk ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.bucket_list_item_pk_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    MAXVALUE 1099511627775
    CACHE 1
);


--
-- Name: living_accommodation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.living_accommodation (
    pk bigint NOT NULL,
    place_name text NOT NULL COLLATE pg_catalog."C",
    address text NOT NULL COLLATE pg_catalog."C",
    is_confirmed boolean NOT NULL,
    trip bigint
);


--
-- Name: living_accommodation_pk_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.living_accommodation ALTER COLUMN pk ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.living_accommodation_pk_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    MAXVALUE 1099511627775
    CACHE 1
);


--
-- Name: trip; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.trip (
    pk bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    destination text NOT NULL COLLATE pg_catalog."C",
    start_date timestamp with time zone NOT NULL,
    end_date timestamp with time zone NOT NULL
);


--
-- Name: trip_pk_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.trip ALTER COLUMN pk ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.trip_pk_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    MAXVALUE 1099511627775
    CACHE 1
);


--
-- Name: history_change_seq; Type: SEQUENCE; Schema: strata; Owner: -
--

CREATE SEQUENCE strata.history_change_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: history_change; Type: TABLE; Schema: strata; Owner: -
--

CREATE TABLE strata.history_change (
    xid xid8 NOT NULL,
    seq bigint DEFAULT nextval('strata.history_change_seq'::regclass) NOT NULL,
    pk bigint,
    props bigint,
    entity integer NOT NULL,
    generation smallint NOT NULL,
    op "char" NOT NULL,
    tomb jsonb
);


--
-- Name: history_consumer; Type: TABLE; Schema: strata; Owner: -
--

CREATE TABLE strata.history_consumer (
    store integer NOT NULL,
    name text NOT NULL,
    token text NOT NULL,
    updated timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: history_description; Type: TABLE; Schema: strata; Owner: -
--

CREATE TABLE strata.history_description (
    store integer NOT NULL,
    current jsonb NOT NULL,
    next jsonb,
    tracked jsonb NOT NULL,
    installed timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: history_entity; Type: TABLE; Schema: strata; Owner: -
--

CREATE TABLE strata.history_entity (
    id integer NOT NULL,
    store integer NOT NULL,
    name text NOT NULL,
    next_name text,
    root integer NOT NULL,
    word smallint DEFAULT 0 NOT NULL,
    base integer NOT NULL,
    retired boolean DEFAULT false NOT NULL
);


--
-- Name: history_entity_id_seq; Type: SEQUENCE; Schema: strata; Owner: -
--

ALTER TABLE strata.history_entity ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME strata.history_entity_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: history_property; Type: TABLE; Schema: strata; Owner: -
--

CREATE TABLE strata.history_property (
    root integer NOT NULL,
    "bit" smallint NOT NULL,
    entity integer NOT NULL,
    name text NOT NULL,
    next_name text,
    retired boolean DEFAULT false NOT NULL
);


--
-- Name: history_transaction; Type: TABLE; Schema: strata; Owner: -
--

CREATE TABLE strata.history_transaction (
    store integer NOT NULL,
    generation smallint NOT NULL,
    xid xid8 NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    author text,
    actor text NOT NULL,
    role text,
    application text,
    process text,
    context text
);


--
-- Name: key_block; Type: SEQUENCE; Schema: strata; Owner: -
--

CREATE SEQUENCE strata.key_block
    START WITH 16777216
    INCREMENT BY 1
    MINVALUE 16777216
    MAXVALUE 140737488355327
    CACHE 1;


--
-- Name: migration_step; Type: TABLE; Schema: strata; Owner: -
--

CREATE TABLE strata.migration_step (
    schema_name text NOT NULL,
    stage text NOT NULL,
    step text NOT NULL,
    checksum text NOT NULL,
    state text NOT NULL,
    checkpoint bigint,
    rows_done bigint DEFAULT 0 NOT NULL,
    rows_total bigint,
    started timestamp with time zone DEFAULT now() NOT NULL,
    finished timestamp with time zone,
    content text[],
    CONSTRAINT migration_step_state_check CHECK ((state = ANY (ARRAY['started'::text, 'done'::text])))
);


--
-- Name: schema_version; Type: TABLE; Schema: strata; Owner: -
--

CREATE TABLE strata.schema_version (
    number bigint NOT NULL,
    schema_name text NOT NULL,
    version text NOT NULL,
    fingerprint text NOT NULL,
    stage text NOT NULL,
    applied timestamp with time zone DEFAULT now() NOT NULL,
    applied_by text DEFAULT SESSION_USER NOT NULL,
    description jsonb
);


--
-- Name: schema_version_number_seq; Type: SEQUENCE; Schema: strata; Owner: -
--

ALTER TABLE strata.schema_version ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME strata.schema_version_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: store; Type: TABLE; Schema: strata; Owner: -
--

CREATE TABLE strata.store (
    schema_name text NOT NULL,
    identifier uuid DEFAULT gen_random_uuid() NOT NULL,
    created timestamp with time zone DEFAULT now() NOT NULL,
    number integer NOT NULL,
    generation smallint DEFAULT 1 NOT NULL,
    system_identifier bigint,
    timeline text,
    database_oid oid,
    deleted_below xid8 DEFAULT '0'::xid8 NOT NULL,
    deletions bigint DEFAULT 0 NOT NULL
);


--
-- Name: store_number_seq; Type: SEQUENCE; Schema: strata; Owner: -
--

ALTER TABLE strata.store ALTER COLUMN number ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME strata.store_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Data for Name: bucket_list_item; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.bucket_list_item (pk, title, details, has_reservation, is_in_plan, trip) FROM stdin;
1	See the Matterhorn	from the lake	f	t	1
\.


--
-- Data for Name: living_accommodation; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.living_accommodation (pk, place_name, address, is_confirmed, trip) FROM stdin;
1	Hut	Up 1	t	1
\.


--
-- Data for Name: trip; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.trip (pk, name, destination, start_date, end_date) FROM stdin;
2	Coast	Brighton	2026-08-01 00:00:00+00	2026-08-05 00:00:00+00
1	Alps	Zermatt, Valais	2026-07-01 00:00:00+00	2026-07-10 00:00:00+00
\.


--
-- Data for Name: history_change; Type: TABLE DATA; Schema: strata; Owner: -
--

COPY strata.history_change (xid, seq, pk, props, entity, generation, op, tomb) FROM stdin;
839	1	1	\N	3	1	I	\N
839	2	2	\N	3	1	I	\N
839	3	3	\N	3	1	I	\N
840	4	1	\N	1	1	I	\N
841	5	1	\N	2	1	I	\N
864	6	1	1	3	1	U	\N
865	7	3	\N	3	1	D	{"1": "2026-09-02T00:00:00", "2": "Nowhere", "3": "2026-09-01T00:00:00"}
\.


--
-- Data for Name: history_consumer; Type: TABLE DATA; Schema: strata; Owner: -
--

COPY strata.history_consumer (store, name, token, updated) FROM stdin;
\.


--
-- Data for Name: history_description; Type: TABLE DATA; Schema: strata; Owner: -
--

COPY strata.history_description (store, current, next, tracked, installed) FROM stdin;
1	{"links": [], "entities": [{"name": "BucketListItem", "table": "bucket_list_item", "classes": ["BucketListItem"], "properties": [{"name": "details", "column": "details"}, {"name": "hasReservation", "column": "has_reservation"}, {"name": "isInPlan", "column": "is_in_plan"}, {"name": "title", "column": "title"}, {"name": "trip", "column": "trip"}]}, {"name": "LivingAccommodation", "table": "living_accommodation", "classes": ["LivingAccommodation"], "properties": [{"name": "address", "column": "address"}, {"name": "isConfirmed", "column": "is_confirmed"}, {"name": "placeName", "column": "place_name"}, {"name": "trip", "column": "trip"}]}, {"name": "Trip", "table": "trip", "classes": ["Trip"], "properties": [{"name": "destination", "column": "destination"}, {"name": "endDate", "column": "end_date", "preserved": true}, {"name": "name", "column": "name", "preserved": true}, {"name": "startDate", "column": "start_date", "preserved": true}]}]}	\N	{"next": null, "current": {"links": [], "entities": [{"id": 1, "name": "BucketListItem", "root": 1, "table": "bucket_list_item", "classes": ["BucketListItem"], "properties": [{"bit": 0, "name": "details", "column": "details"}, {"bit": 1, "name": "hasReservation", "column": "has_reservation"}, {"bit": 2, "name": "isInPlan", "column": "is_in_plan"}, {"bit": 3, "name": "title", "column": "title"}, {"bit": 4, "name": "trip", "column": "trip"}]}, {"id": 2, "name": "LivingAccommodation", "root": 2, "table": "living_accommodation", "classes": ["LivingAccommodation"], "properties": [{"bit": 0, "name": "address", "column": "address"}, {"bit": 1, "name": "isConfirmed", "column": "is_confirmed"}, {"bit": 2, "name": "placeName", "column": "place_name"}, {"bit": 3, "name": "trip", "column": "trip"}]}, {"id": 3, "name": "Trip", "root": 3, "table": "trip", "classes": ["Trip"], "properties": [{"bit": 0, "name": "destination", "column": "destination"}, {"bit": 1, "name": "endDate", "column": "end_date", "preserved": true}, {"bit": 2, "name": "name", "column": "name", "preserved": true}, {"bit": 3, "name": "startDate", "column": "start_date", "preserved": true}]}]}}	2026-11-24 20:20:13.639116+00
\.


--
-- Data for Name: history_entity; Type: TABLE DATA; Schema: strata; Owner: -
--

COPY strata.history_entity (id, store, name, next_name, root, word, base, retired) FROM stdin;
1	1	BucketListItem	\N	1	0	1	f
2	1	LivingAccommodation	\N	2	0	2	f
3	1	Trip	\N	3	0	3	f
\.


--
-- Data for Name: history_property; Type: TABLE DATA; Schema: strata; Owner: -
--

COPY strata.history_property (root, "bit", entity, name, next_name, retired) FROM stdin;
1	0	1	details	\N	f
1	1	1	hasReservation	\N	f
1	2	1	isInPlan	\N	f
1	3	1	title	\N	f
1	4	1	trip	\N	f
2	0	2	address	\N	f
2	1	2	isConfirmed	\N	f
2	2	2	placeName	\N	f
2	3	2	trip	\N	f
3	0	3	destination	\N	f
3	1	3	endDate	\N	f
3	2	3	name	\N	f
3	3	3	startDate	\N	f
\.


--
-- Data for Name: history_transaction; Type: TABLE DATA; Schema: strata; Owner: -
--

COPY strata.history_transaction (store, generation, xid, at, author, actor, role, application, process, context) FROM stdin;
1	1	839	2026-11-24 20:20:13.201967+00	importer	postgres	\N	psql	\N	\N
1	1	840	2026-11-24 20:20:13.208725+00	importer	postgres	\N	psql	\N	\N
1	1	841	2026-11-24 20:20:13.21087+00	importer	postgres	\N	psql	\N	\N
1	1	864	2026-11-24 20:20:13.973075+00	clerk	postgres	\N	psql	\N	\N
1	1	865	2026-11-24 20:20:13.9828+00	clerk	postgres	\N	psql	\N	\N
\.


--
-- Data for Name: migration_step; Type: TABLE DATA; Schema: strata; Owner: -
--

COPY strata.migration_step (schema_name, stage, step, checksum, state, checkpoint, rows_done, rows_total, started, finished, content) FROM stdin;
public	0001_v1	1.2	8ecefc3cfa6c469acf68b090ebbb9b9b4796f24806789ad89898e04a556b2c9b	done	\N	0	\N	2026-11-24 20:19:47.874042+00	2026-11-24 20:19:48.874042+00	{"step 1.2 phase=contract tx=own lock=None lock_timeout=2s timeout=60s","INSERT INTO \\"strata\\".\\"schema_version\\" (schema_name, version, fingerprint, stage)\nVALUES ('public', '1.0.0', 'f0a91676864b98a5b7281b654986b14e55009b2df6fd63204245dd5a1ed32f82', '0001_v1')"}
public	0001_v1	1.1	57dfedf3ff62490106dff22f6709eacae820fef1605ec813d0a554b111694992	done	\N	0	\N	2026-11-24 20:19:47.874042+00	2026-11-24 20:19:48.874042+00	{"step 1.1 phase=expand tx=own lock=None lock_timeout=2s timeout=60s","CREATE SCHEMA IF NOT EXISTS \\"public\\"","CREATE TABLE \\"public\\".\\"bucket_list_item\\" (\n    \\"pk\\" bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY (MINVALUE 1 MAXVALUE 1099511627775),\n    \\"title\\" text COLLATE \\"C\\" NOT NULL,\n    \\"details\\" text COLLATE \\"C\\" NOT NULL,\n    \\"has_reservation\\" boolean NOT NULL,\n    \\"is_in_plan\\" boolean NOT NULL,\n    \\"trip\\" bigint,\n    CONSTRAINT \\"bucket_list_item_pkey\\" PRIMARY KEY (\\"pk\\")\n)","CREATE TABLE \\"public\\".\\"living_accommodation\\" (\n    \\"pk\\" bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY (MINVALUE 1 MAXVALUE 1099511627775),\n    \\"place_name\\" text COLLATE \\"C\\" NOT NULL,\n    \\"address\\" text COLLATE \\"C\\" NOT NULL,\n    \\"is_confirmed\\" boolean NOT NULL,\n    \\"trip\\" bigint,\n    CONSTRAINT \\"living_accommodation_pkey\\" PRIMARY KEY (\\"pk\\"),\n    CONSTRAINT \\"living_accommodation_trip_key\\" UNIQUE (\\"trip\\") DEFERRABLE\n)","CREATE TABLE \\"public\\".\\"trip\\" (\n    \\"pk\\" bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY (MINVALUE 1 MAXVALUE 1099511627775),\n    \\"name\\" text COLLATE \\"C\\" NOT NULL,\n    \\"destination\\" text COLLATE \\"C\\" NOT NULL,\n    \\"start_date\\" timestamptz NOT NULL,\n    \\"end_date\\" timestamptz NOT NULL,\n    CONSTRAINT \\"trip_pkey\\" PRIMARY KEY (\\"pk\\")\n)","ALTER TABLE \\"public\\".\\"bucket_list_item\\" ADD CONSTRAINT \\"bucket_list_item_trip_fkey\\" FOREIGN KEY (\\"trip\\") REFERENCES \\"public\\".\\"trip\\" (\\"pk\\") ON DELETE CASCADE","ALTER TABLE \\"public\\".\\"living_accommodation\\" ADD CONSTRAINT \\"living_accommodation_trip_fkey\\" FOREIGN KEY (\\"trip\\") REFERENCES \\"public\\".\\"trip\\" (\\"pk\\") ON DELETE CASCADE","CREATE INDEX \\"bucket_list_item_trip_idx\\" ON \\"public\\".\\"bucket_list_item\\" (\\"trip\\")","INSERT INTO \\"strata\\".\\"store\\" (\\"schema_name\\") VALUES ('public') ON CONFLICT DO NOTHING","SELECT \\"strata\\".\\"history_describe\\"('public', $history${\\"entities\\": [\n  {\\"classes\\":[\\"BucketListItem\\"],\\"name\\":\\"BucketListItem\\",\\"table\\":\\"bucket_list_item\\",\\"properties\\":[\n    {\\"column\\":\\"details\\",\\"name\\":\\"details\\"}, {\\"column\\":\\"has_reservation\\",\\"name\\":\\"hasReservation\\"},\n    {\\"column\\":\\"is_in_plan\\",\\"name\\":\\"isInPlan\\"}, {\\"column\\":\\"title\\",\\"name\\":\\"title\\"},\n    {\\"column\\":\\"trip\\",\\"name\\":\\"trip\\"}]},\n  {\\"classes\\":[\\"LivingAccommodation\\"],\\"name\\":\\"LivingAccommodation\\",\\"table\\":\\"living_accommodation\\",\\"properties\\":[\n    {\\"column\\":\\"address\\",\\"name\\":\\"address\\"}, {\\"column\\":\\"is_confirmed\\",\\"name\\":\\"isConfirmed\\"},\n    {\\"column\\":\\"place_name\\",\\"name\\":\\"placeName\\"}, {\\"column\\":\\"trip\\",\\"name\\":\\"trip\\"}]},\n  {\\"classes\\":[\\"Trip\\"],\\"name\\":\\"Trip\\",\\"table\\":\\"trip\\",\\"properties\\":[\n    {\\"column\\":\\"destination\\",\\"name\\":\\"destination\\"}, {\\"column\\":\\"end_date\\",\\"name\\":\\"end_date\\"},\n    {\\"column\\":\\"name\\",\\"name\\":\\"name\\"}, {\\"column\\":\\"start_date\\",\\"name\\":\\"start_date\\"}]}\n], \\"links\\": [\n]}$history$)"}
public	0002_v1_v2	2.5	220888cf3966f8c345bb25d1c5c8ff0a2cf153d1438beb6f34bad7598629d496	done	\N	0	\N	2026-11-24 20:20:12.527668+00	2026-11-24 20:20:13.527668+00	{"step 2.5 phase=contract tx=own lock=None lock_timeout=2s timeout=60s","INSERT INTO \\"strata\\".\\"schema_version\\" (schema_name, version, fingerprint, stage)\nVALUES ('public', '2.0.0', 'a9ea9b157bb9a02e83a5348e2b483d22f512a697174aa7f0fd482ca30c377221', '0002_v1_v2')"}
public	0002_v1_v2	2.4	f419fd29ffe3bbd00f03ec16269f0e8aaa1ae227435bcd68ee1b57b61d5ef190	done	\N	0	\N	2026-11-24 20:20:12.527668+00	2026-11-24 20:20:13.527668+00	{"step 2.4 phase=contract tx=own lock=None lock_timeout=2s timeout=60s","SELECT \\"strata\\".\\"history_describe\\"('public', $history${\\"entities\\": [\n  {\\"classes\\":[\\"BucketListItem\\"],\\"name\\":\\"BucketListItem\\",\\"table\\":\\"bucket_list_item\\",\\"properties\\":[\n    {\\"column\\":\\"details\\",\\"name\\":\\"details\\"}, {\\"column\\":\\"has_reservation\\",\\"name\\":\\"hasReservation\\"},\n    {\\"column\\":\\"is_in_plan\\",\\"name\\":\\"isInPlan\\"}, {\\"column\\":\\"title\\",\\"name\\":\\"title\\"},\n    {\\"column\\":\\"trip\\",\\"name\\":\\"trip\\"}]},\n  {\\"classes\\":[\\"LivingAccommodation\\"],\\"name\\":\\"LivingAccommodation\\",\\"table\\":\\"living_accommodation\\",\\"properties\\":[\n    {\\"column\\":\\"address\\",\\"name\\":\\"address\\"}, {\\"column\\":\\"is_confirmed\\",\\"name\\":\\"isConfirmed\\"},\n    {\\"column\\":\\"place_name\\",\\"name\\":\\"placeName\\"}, {\\"column\\":\\"trip\\",\\"name\\":\\"trip\\"}]},\n  {\\"classes\\":[\\"Trip\\"],\\"name\\":\\"Trip\\",\\"table\\":\\"trip\\",\\"properties\\":[\n    {\\"column\\":\\"destination\\",\\"name\\":\\"destination\\"}, {\\"column\\":\\"end_date\\",\\"name\\":\\"endDate\\",\\"was\\":[\\"end_date\\"]},\n    {\\"column\\":\\"name\\",\\"name\\":\\"name\\"}, {\\"column\\":\\"start_date\\",\\"name\\":\\"startDate\\",\\"was\\":[\\"start_date\\"]}]}\n], \\"links\\": [\n]}$history$)","undo SELECT \\"strata\\".\\"history_describe\\"('public', $history${\\"entities\\": [\n  {\\"classes\\":[\\"BucketListItem\\"],\\"name\\":\\"BucketListItem\\",\\"table\\":\\"bucket_list_item\\",\\"properties\\":[\n    {\\"column\\":\\"details\\",\\"name\\":\\"details\\"}, {\\"column\\":\\"has_reservation\\",\\"name\\":\\"hasReservation\\"},\n    {\\"column\\":\\"is_in_plan\\",\\"name\\":\\"isInPlan\\"}, {\\"column\\":\\"title\\",\\"name\\":\\"title\\"},\n    {\\"column\\":\\"trip\\",\\"name\\":\\"trip\\"}]},\n  {\\"classes\\":[\\"LivingAccommodation\\"],\\"name\\":\\"LivingAccommodation\\",\\"table\\":\\"living_accommodation\\",\\"properties\\":[\n    {\\"column\\":\\"address\\",\\"name\\":\\"address\\"}, {\\"column\\":\\"is_confirmed\\",\\"name\\":\\"isConfirmed\\"},\n    {\\"column\\":\\"place_name\\",\\"name\\":\\"placeName\\"}, {\\"column\\":\\"trip\\",\\"name\\":\\"trip\\"}]},\n  {\\"classes\\":[\\"Trip\\"],\\"name\\":\\"Trip\\",\\"table\\":\\"trip\\",\\"properties\\":[\n    {\\"column\\":\\"destination\\",\\"name\\":\\"destination\\"}, {\\"column\\":\\"end_date\\",\\"name\\":\\"end_date\\"},\n    {\\"column\\":\\"name\\",\\"name\\":\\"name\\"}, {\\"column\\":\\"start_date\\",\\"name\\":\\"start_date\\"}]}\n], \\"links\\": [\n]}$history$)"}
public	0002_v1_v2	2.3	48a9215e9ed865b5e94c856242e5ca30d7a6b3130e875271412a1e5aa0843f74	done	\N	0	\N	2026-11-24 20:20:12.527668+00	2026-11-24 20:20:13.527668+00	{"step 2.3 phase=backfill tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s","ALTER TABLE \\"public\\".\\"trip\\" ADD CONSTRAINT \\"trip_name_key\\" UNIQUE USING INDEX \\"trip_name_key\\"","done SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('\\"public\\".\\"trip\\"') AND conname = 'trip_name_key')","undo ALTER TABLE \\"public\\".\\"trip\\" DROP CONSTRAINT \\"trip_name_key\\""}
public	0002_v1_v2	2.2	b48d6f61c425f885e72c25be82ab0392b1c2b7e66c28a8f49d08b894aad5bb07	done	\N	0	\N	2026-11-24 20:20:12.527668+00	2026-11-24 20:20:13.527668+00	{"step 2.2 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_name_key","CREATE UNIQUE INDEX CONCURRENTLY \\"trip_name_key\\" ON \\"public\\".\\"trip\\" (\\"name\\")","done SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('\\"public\\".\\"trip_name_key\\"') AND indisvalid)"}
public	0002_v1_v2	2.1	49f960de1b94e905026077c125f4e3da81ecd24e57e3072f3133546d1624aff0	done	\N	0	\N	2026-11-24 20:20:12.527668+00	2026-11-24 20:20:13.527668+00	{"step 2.1 phase=expand tx=closure(willMigrate) lock=None lock_timeout=2s timeout=none"}
public	0003_v2_v3	3.9	bfba1cdb997e2ede0514bd871f0e7e179d9f3b5d0ffeae388415bb47d6fe2948	done	\N	0	\N	2026-11-24 20:20:12.765302+00	2026-11-24 20:20:13.765302+00	{"step 3.9 phase=contract tx=own lock=None lock_timeout=2s timeout=60s","INSERT INTO \\"strata\\".\\"schema_version\\" (schema_name, version, fingerprint, stage)\nVALUES ('public', '3.0.0', '92119dfb6abd0187dabaf102de27349de986c5ec71409151467d2a2a61f3e386', '0003_v2_v3')"}
public	0003_v2_v3	3.8	a6d6a29debf1fc639b1427e7dbe38eed5819f564eec9f578609be4c3f91c642b	done	\N	0	\N	2026-11-24 20:20:12.765302+00	2026-11-24 20:20:13.765302+00	{"step 3.8 phase=contract tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s","ALTER TABLE \\"public\\".\\"trip\\" DROP CONSTRAINT \\"trip_name_key\\""}
public	0003_v2_v3	3.7	33df0577d88fce23d91d75303b6a81a8b285aebd6c9f4e018c1539da44b29114	done	\N	0	\N	2026-11-24 20:20:12.765302+00	2026-11-24 20:20:13.765302+00	{"step 3.7 phase=contract tx=own lock=None lock_timeout=2s timeout=60s","SELECT \\"strata\\".\\"history_describe\\"('public', $history${\\"entities\\": [\n  {\\"classes\\":[\\"BucketListItem\\"],\\"name\\":\\"BucketListItem\\",\\"table\\":\\"bucket_list_item\\",\\"properties\\":[\n    {\\"column\\":\\"details\\",\\"name\\":\\"details\\"}, {\\"column\\":\\"has_reservation\\",\\"name\\":\\"hasReservation\\"},\n    {\\"column\\":\\"is_in_plan\\",\\"name\\":\\"isInPlan\\"}, {\\"column\\":\\"title\\",\\"name\\":\\"title\\"},\n    {\\"column\\":\\"trip\\",\\"name\\":\\"trip\\"}]},\n  {\\"classes\\":[\\"LivingAccommodation\\"],\\"name\\":\\"LivingAccommodation\\",\\"table\\":\\"living_accommodation\\",\\"properties\\":[\n    {\\"column\\":\\"address\\",\\"name\\":\\"address\\"}, {\\"column\\":\\"is_confirmed\\",\\"name\\":\\"isConfirmed\\"},\n    {\\"column\\":\\"place_name\\",\\"name\\":\\"placeName\\"}, {\\"column\\":\\"trip\\",\\"name\\":\\"trip\\"}]},\n  {\\"classes\\":[\\"Trip\\"],\\"name\\":\\"Trip\\",\\"table\\":\\"trip\\",\\"properties\\":[\n    {\\"column\\":\\"destination\\",\\"name\\":\\"destination\\"}, {\\"column\\":\\"end_date\\",\\"name\\":\\"endDate\\",\\"preserved\\":true},\n    {\\"column\\":\\"name\\",\\"name\\":\\"name\\",\\"preserved\\":true},\n    {\\"column\\":\\"start_date\\",\\"name\\":\\"startDate\\",\\"preserved\\":true}]}\n], \\"links\\": [\n]}$history$)","undo SELECT \\"strata\\".\\"history_describe\\"('public', $history${\\"entities\\": [\n  {\\"classes\\":[\\"BucketListItem\\"],\\"name\\":\\"BucketListItem\\",\\"table\\":\\"bucket_list_item\\",\\"properties\\":[\n    {\\"column\\":\\"details\\",\\"name\\":\\"details\\"}, {\\"column\\":\\"has_reservation\\",\\"name\\":\\"hasReservation\\"},\n    {\\"column\\":\\"is_in_plan\\",\\"name\\":\\"isInPlan\\"}, {\\"column\\":\\"title\\",\\"name\\":\\"title\\"},\n    {\\"column\\":\\"trip\\",\\"name\\":\\"trip\\"}]},\n  {\\"classes\\":[\\"LivingAccommodation\\"],\\"name\\":\\"LivingAccommodation\\",\\"table\\":\\"living_accommodation\\",\\"properties\\":[\n    {\\"column\\":\\"address\\",\\"name\\":\\"address\\"}, {\\"column\\":\\"is_confirmed\\",\\"name\\":\\"isConfirmed\\"},\n    {\\"column\\":\\"place_name\\",\\"name\\":\\"placeName\\"}, {\\"column\\":\\"trip\\",\\"name\\":\\"trip\\"}]},\n  {\\"classes\\":[\\"Trip\\"],\\"name\\":\\"Trip\\",\\"table\\":\\"trip\\",\\"properties\\":[\n    {\\"column\\":\\"destination\\",\\"name\\":\\"destination\\"}, {\\"column\\":\\"end_date\\",\\"name\\":\\"endDate\\"},\n    {\\"column\\":\\"name\\",\\"name\\":\\"name\\"}, {\\"column\\":\\"start_date\\",\\"name\\":\\"startDate\\"}]}\n], \\"links\\": [\n]}$history$)"}
public	0003_v2_v3	3.6	4ca83f395ddb2fe51d40b04e23c934524cf03539dbcce9a91311892844959de0	done	\N	0	\N	2026-11-24 20:20:12.765302+00	2026-11-24 20:20:13.765302+00	{"step 3.6 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_start_date_idx","CREATE INDEX CONCURRENTLY \\"trip_start_date_idx\\" ON \\"public\\".\\"trip\\" (\\"start_date\\")","done SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('\\"public\\".\\"trip_start_date_idx\\"') AND indisvalid)"}
public	0003_v2_v3	3.5	b4006ad80fb67cf15d4f02306e6f1040a94dced5b5603c71bd7deda973460d24	done	\N	0	\N	2026-11-24 20:20:12.765302+00	2026-11-24 20:20:13.765302+00	{"step 3.5 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_name_idx","CREATE INDEX CONCURRENTLY \\"trip_name_idx\\" ON \\"public\\".\\"trip\\" (\\"name\\")","done SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('\\"public\\".\\"trip_name_idx\\"') AND indisvalid)"}
public	0003_v2_v3	3.4	e0147677eddca1bb6658ba4dd2f355468fe3ac2a39e098c07762e49d46e27001	done	\N	0	\N	2026-11-24 20:20:12.765302+00	2026-11-24 20:20:13.765302+00	{"step 3.4 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_end_date_idx","CREATE INDEX CONCURRENTLY \\"trip_end_date_idx\\" ON \\"public\\".\\"trip\\" (\\"end_date\\")","done SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('\\"public\\".\\"trip_end_date_idx\\"') AND indisvalid)"}
public	0003_v2_v3	3.3	233d8c22f4f50c4cfaea61de4a0253de4c37329175f6df05d0ed9aa0f29de25b	done	\N	0	\N	2026-11-24 20:20:12.765302+00	2026-11-24 20:20:13.765302+00	{"step 3.3 phase=backfill tx=own lock=AccessExclusive tables=trip lock_timeout=2s timeout=60s","ALTER TABLE \\"public\\".\\"trip\\" ADD CONSTRAINT \\"trip_name_start_date_end_date_key\\" UNIQUE USING INDEX \\"trip_name_start_date_end_date_key\\"","done SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = to_regclass('\\"public\\".\\"trip\\"') AND conname = 'trip_name_start_date_end_date_key')","undo ALTER TABLE \\"public\\".\\"trip\\" DROP CONSTRAINT \\"trip_name_start_date_end_date_key\\""}
public	0003_v2_v3	3.2	5ddfe4c3c87270a6ce460363430c474a578ffbacdce7169e7c08d2fc5865f9f6	done	\N	0	\N	2026-11-24 20:20:12.765302+00	2026-11-24 20:20:13.765302+00	{"step 3.2 phase=backfill tx=none lock=ShareUpdateExclusive tables=trip lock_timeout=none timeout=none index=trip_name_start_date_end_date_key","CREATE UNIQUE INDEX CONCURRENTLY \\"trip_name_start_date_end_date_key\\" ON \\"public\\".\\"trip\\" (\\"name\\", \\"start_date\\", \\"end_date\\")","done SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index WHERE indexrelid = to_regclass('\\"public\\".\\"trip_name_start_date_end_date_key\\"') AND indisvalid)"}
public	0003_v2_v3	3.1	b1053fd961b32361be7b41ef4449b45a5d395e262e27ce2bc99dc0b214d7aba3	done	\N	0	\N	2026-11-24 20:20:12.765302+00	2026-11-24 20:20:13.765302+00	{"step 3.1 phase=expand tx=closure(willMigrate) lock=None lock_timeout=2s timeout=none"}
\.


--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: strata; Owner: -
--

COPY strata.schema_version (number, schema_name, version, fingerprint, stage, applied, applied_by, description) FROM stdin;
1	public	1.0.0	f0a91676864b98a5b7281b654986b14e55009b2df6fd63204245dd5a1ed32f82	0001_v1	2026-11-24 20:19:48.874042+00	postgres	{"version": "1.0.0", "database": {"tables": [{"name": "bucket_list_item", "checks": [], "columns": [{"name": "pk", "type": "bigint", "identity": {"maximum": 1099511627775, "minimum": 1, "isAlways": false}, "isNullable": false, "isGenerated": false}, {"name": "title", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "details", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "has_reservation", "type": "boolean", "isNullable": false, "isGenerated": false}, {"name": "is_in_plan", "type": "boolean", "isNullable": false, "isGenerated": false}, {"name": "trip", "type": "bigint", "isNullable": true, "isGenerated": false}], "indexes": [{"name": "bucket_list_item_trip_idx", "method": "btree", "columns": ["trip"], "isUnique": false}], "uniques": [], "primaryKey": {"name": "bucket_list_item_pkey", "columns": ["pk"]}, "foreignKeys": [{"name": "bucket_list_item_trip_fkey", "columns": ["trip"], "onDelete": "CASCADE", "referencedTable": "trip", "referencedColumns": ["pk"]}]}, {"name": "living_accommodation", "checks": [], "columns": [{"name": "pk", "type": "bigint", "identity": {"maximum": 1099511627775, "minimum": 1, "isAlways": false}, "isNullable": false, "isGenerated": false}, {"name": "place_name", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "address", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "is_confirmed", "type": "boolean", "isNullable": false, "isGenerated": false}, {"name": "trip", "type": "bigint", "isNullable": true, "isGenerated": false}], "indexes": [], "uniques": [{"name": "living_accommodation_trip_key", "columns": ["trip"], "isDeferrable": true}], "primaryKey": {"name": "living_accommodation_pkey", "columns": ["pk"]}, "foreignKeys": [{"name": "living_accommodation_trip_fkey", "columns": ["trip"], "onDelete": "CASCADE", "referencedTable": "trip", "referencedColumns": ["pk"]}]}, {"name": "trip", "checks": [], "columns": [{"name": "pk", "type": "bigint", "identity": {"maximum": 1099511627775, "minimum": 1, "isAlways": false}, "isNullable": false, "isGenerated": false}, {"name": "name", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "destination", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "start_date", "type": "timestamptz", "isNullable": false, "isGenerated": false}, {"name": "end_date", "type": "timestamptz", "isNullable": false, "isGenerated": false}], "indexes": [], "uniques": [], "primaryKey": {"name": "trip_pkey", "columns": ["pk"]}, "foreignKeys": []}], "sequences": []}, "entities": [{"name": "BucketListItem", "table": "bucket_list_item", "indexes": [], "uniques": [], "attributes": [{"name": "title", "type": "text", "column": "title", "options": [], "valueType": "String", "isOptional": false}, {"name": "details", "type": "text", "column": "details", "options": [], "valueType": "String", "isOptional": false, "defaultExpression": "''::text"}, {"name": "hasReservation", "type": "boolean", "column": "has_reservation", "options": [], "valueType": "Bool", "isOptional": false, "defaultExpression": "false"}, {"name": "isInPlan", "type": "boolean", "column": "is_in_plan", "options": [], "valueType": "Bool", "isOptional": false, "defaultExpression": "false"}], "discriminator": "BucketListItem", "relationships": [{"name": "trip", "inverse": "bucketList", "isToOne": true, "storage": {"foreignKey": {"table": "bucket_list_item", "column": "trip"}}, "deleteRule": "nullify", "isOptional": true, "destination": "Trip", "maximumCount": 0, "minimumCount": 0}]}, {"name": "LivingAccommodation", "table": "living_accommodation", "indexes": [], "uniques": [], "attributes": [{"name": "placeName", "type": "text", "column": "place_name", "options": [], "valueType": "String", "isOptional": false}, {"name": "address", "type": "text", "column": "address", "options": [], "valueType": "String", "isOptional": false}, {"name": "isConfirmed", "type": "boolean", "column": "is_confirmed", "options": [], "valueType": "Bool", "isOptional": false, "defaultExpression": "false"}], "discriminator": "LivingAccommodation", "relationships": [{"name": "trip", "inverse": "livingAccommodation", "isToOne": true, "storage": {"foreignKey": {"table": "living_accommodation", "column": "trip"}}, "deleteRule": "nullify", "isOptional": true, "destination": "Trip", "maximumCount": 0, "minimumCount": 0}]}, {"name": "Trip", "table": "trip", "indexes": [], "uniques": [], "attributes": [{"name": "name", "type": "text", "column": "name", "options": [], "valueType": "String", "isOptional": false}, {"name": "destination", "type": "text", "column": "destination", "options": [], "valueType": "String", "isOptional": false}, {"name": "start_date", "type": "timestamptz", "column": "start_date", "options": [], "valueType": "Date", "isOptional": false}, {"name": "end_date", "type": "timestamptz", "column": "end_date", "options": [], "valueType": "Date", "isOptional": false}], "discriminator": "Trip", "relationships": [{"name": "bucketList", "inverse": "trip", "isToOne": false, "storage": {"inverseForeignKey": {"table": "bucket_list_item", "column": "trip"}}, "deleteRule": "cascade", "isOptional": false, "destination": "BucketListItem", "maximumCount": 0, "minimumCount": 0}, {"name": "livingAccommodation", "inverse": "trip", "isToOne": true, "storage": {"inverseForeignKey": {"table": "living_accommodation", "column": "trip"}}, "deleteRule": "cascade", "isOptional": true, "destination": "LivingAccommodation", "maximumCount": 0, "minimumCount": 0}]}]}
2	public	2.0.0	a9ea9b157bb9a02e83a5348e2b483d22f512a697174aa7f0fd482ca30c377221	0002_v1_v2	2026-11-24 20:20:13.527668+00	postgres	{"version": "2.0.0", "database": {"tables": [{"name": "bucket_list_item", "checks": [], "columns": [{"name": "pk", "type": "bigint", "identity": {"maximum": 1099511627775, "minimum": 1, "isAlways": false}, "isNullable": false, "isGenerated": false}, {"name": "title", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "details", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "has_reservation", "type": "boolean", "isNullable": false, "isGenerated": false}, {"name": "is_in_plan", "type": "boolean", "isNullable": false, "isGenerated": false}, {"name": "trip", "type": "bigint", "isNullable": true, "isGenerated": false}], "indexes": [{"name": "bucket_list_item_trip_idx", "method": "btree", "columns": ["trip"], "isUnique": false}], "uniques": [], "primaryKey": {"name": "bucket_list_item_pkey", "columns": ["pk"]}, "foreignKeys": [{"name": "bucket_list_item_trip_fkey", "columns": ["trip"], "onDelete": "CASCADE", "referencedTable": "trip", "referencedColumns": ["pk"]}]}, {"name": "living_accommodation", "checks": [], "columns": [{"name": "pk", "type": "bigint", "identity": {"maximum": 1099511627775, "minimum": 1, "isAlways": false}, "isNullable": false, "isGenerated": false}, {"name": "place_name", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "address", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "is_confirmed", "type": "boolean", "isNullable": false, "isGenerated": false}, {"name": "trip", "type": "bigint", "isNullable": true, "isGenerated": false}], "indexes": [], "uniques": [{"name": "living_accommodation_trip_key", "columns": ["trip"], "isDeferrable": true}], "primaryKey": {"name": "living_accommodation_pkey", "columns": ["pk"]}, "foreignKeys": [{"name": "living_accommodation_trip_fkey", "columns": ["trip"], "onDelete": "CASCADE", "referencedTable": "trip", "referencedColumns": ["pk"]}]}, {"name": "trip", "checks": [], "columns": [{"name": "pk", "type": "bigint", "identity": {"maximum": 1099511627775, "minimum": 1, "isAlways": false}, "isNullable": false, "isGenerated": false}, {"name": "name", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "destination", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "start_date", "type": "timestamptz", "isNullable": false, "isGenerated": false}, {"name": "end_date", "type": "timestamptz", "isNullable": false, "isGenerated": false}], "indexes": [], "uniques": [{"name": "trip_name_key", "columns": ["name"], "isDeferrable": false}], "primaryKey": {"name": "trip_pkey", "columns": ["pk"]}, "foreignKeys": []}], "sequences": []}, "entities": [{"name": "BucketListItem", "table": "bucket_list_item", "indexes": [], "uniques": [], "attributes": [{"name": "title", "type": "text", "column": "title", "options": [], "valueType": "String", "isOptional": false}, {"name": "details", "type": "text", "column": "details", "options": [], "valueType": "String", "isOptional": false, "defaultExpression": "''::text"}, {"name": "hasReservation", "type": "boolean", "column": "has_reservation", "options": [], "valueType": "Bool", "isOptional": false, "defaultExpression": "false"}, {"name": "isInPlan", "type": "boolean", "column": "is_in_plan", "options": [], "valueType": "Bool", "isOptional": false, "defaultExpression": "false"}], "discriminator": "BucketListItem", "relationships": [{"name": "trip", "inverse": "bucketList", "isToOne": true, "storage": {"foreignKey": {"table": "bucket_list_item", "column": "trip"}}, "deleteRule": "nullify", "isOptional": true, "destination": "Trip", "maximumCount": 0, "minimumCount": 0}]}, {"name": "LivingAccommodation", "table": "living_accommodation", "indexes": [], "uniques": [], "attributes": [{"name": "placeName", "type": "text", "column": "place_name", "options": [], "valueType": "String", "isOptional": false}, {"name": "address", "type": "text", "column": "address", "options": [], "valueType": "String", "isOptional": false}, {"name": "isConfirmed", "type": "boolean", "column": "is_confirmed", "options": [], "valueType": "Bool", "isOptional": false, "defaultExpression": "false"}], "discriminator": "LivingAccommodation", "relationships": [{"name": "trip", "inverse": "livingAccommodation", "isToOne": true, "storage": {"foreignKey": {"table": "living_accommodation", "column": "trip"}}, "deleteRule": "nullify", "isOptional": true, "destination": "Trip", "maximumCount": 0, "minimumCount": 0}]}, {"name": "Trip", "table": "trip", "indexes": [], "uniques": [["name"]], "attributes": [{"name": "name", "type": "text", "column": "name", "options": ["unique"], "valueType": "String", "isOptional": false}, {"name": "destination", "type": "text", "column": "destination", "options": [], "valueType": "String", "isOptional": false}, {"name": "startDate", "type": "timestamptz", "column": "start_date", "options": [], "valueType": "Date", "isOptional": false, "originalName": "start_date"}, {"name": "endDate", "type": "timestamptz", "column": "end_date", "options": [], "valueType": "Date", "isOptional": false, "originalName": "end_date"}], "discriminator": "Trip", "relationships": [{"name": "bucketList", "inverse": "trip", "isToOne": false, "storage": {"inverseForeignKey": {"table": "bucket_list_item", "column": "trip"}}, "deleteRule": "cascade", "isOptional": false, "destination": "BucketListItem", "maximumCount": 0, "minimumCount": 0}, {"name": "livingAccommodation", "inverse": "trip", "isToOne": true, "storage": {"inverseForeignKey": {"table": "living_accommodation", "column": "trip"}}, "deleteRule": "cascade", "isOptional": true, "destination": "LivingAccommodation", "maximumCount": 0, "minimumCount": 0}]}]}
3	public	3.0.0	92119dfb6abd0187dabaf102de27349de986c5ec71409151467d2a2a61f3e386	0003_v2_v3	2026-11-24 20:20:13.765302+00	postgres	{"version": "3.0.0", "database": {"tables": [{"name": "bucket_list_item", "checks": [], "columns": [{"name": "pk", "type": "bigint", "identity": {"maximum": 1099511627775, "minimum": 1, "isAlways": false}, "isNullable": false, "isGenerated": false}, {"name": "title", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "details", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "has_reservation", "type": "boolean", "isNullable": false, "isGenerated": false}, {"name": "is_in_plan", "type": "boolean", "isNullable": false, "isGenerated": false}, {"name": "trip", "type": "bigint", "isNullable": true, "isGenerated": false}], "indexes": [{"name": "bucket_list_item_trip_idx", "method": "btree", "columns": ["trip"], "isUnique": false}], "uniques": [], "primaryKey": {"name": "bucket_list_item_pkey", "columns": ["pk"]}, "foreignKeys": [{"name": "bucket_list_item_trip_fkey", "columns": ["trip"], "onDelete": "CASCADE", "referencedTable": "trip", "referencedColumns": ["pk"]}]}, {"name": "living_accommodation", "checks": [], "columns": [{"name": "pk", "type": "bigint", "identity": {"maximum": 1099511627775, "minimum": 1, "isAlways": false}, "isNullable": false, "isGenerated": false}, {"name": "place_name", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "address", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "is_confirmed", "type": "boolean", "isNullable": false, "isGenerated": false}, {"name": "trip", "type": "bigint", "isNullable": true, "isGenerated": false}], "indexes": [], "uniques": [{"name": "living_accommodation_trip_key", "columns": ["trip"], "isDeferrable": true}], "primaryKey": {"name": "living_accommodation_pkey", "columns": ["pk"]}, "foreignKeys": [{"name": "living_accommodation_trip_fkey", "columns": ["trip"], "onDelete": "CASCADE", "referencedTable": "trip", "referencedColumns": ["pk"]}]}, {"name": "trip", "checks": [], "columns": [{"name": "pk", "type": "bigint", "identity": {"maximum": 1099511627775, "minimum": 1, "isAlways": false}, "isNullable": false, "isGenerated": false}, {"name": "name", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "destination", "type": "text", "collation": "C", "isNullable": false, "isGenerated": false}, {"name": "start_date", "type": "timestamptz", "isNullable": false, "isGenerated": false}, {"name": "end_date", "type": "timestamptz", "isNullable": false, "isGenerated": false}], "indexes": [{"name": "trip_end_date_idx", "method": "btree", "columns": ["end_date"], "isUnique": false}, {"name": "trip_name_idx", "method": "btree", "columns": ["name"], "isUnique": false}, {"name": "trip_start_date_idx", "method": "btree", "columns": ["start_date"], "isUnique": false}], "uniques": [{"name": "trip_name_start_date_end_date_key", "columns": ["name", "start_date", "end_date"], "isDeferrable": false}], "primaryKey": {"name": "trip_pkey", "columns": ["pk"]}, "foreignKeys": []}], "sequences": []}, "entities": [{"name": "BucketListItem", "table": "bucket_list_item", "indexes": [], "uniques": [], "attributes": [{"name": "title", "type": "text", "column": "title", "options": [], "valueType": "String", "isOptional": false}, {"name": "details", "type": "text", "column": "details", "options": [], "valueType": "String", "isOptional": false, "defaultExpression": "''::text"}, {"name": "hasReservation", "type": "boolean", "column": "has_reservation", "options": [], "valueType": "Bool", "isOptional": false, "defaultExpression": "false"}, {"name": "isInPlan", "type": "boolean", "column": "is_in_plan", "options": [], "valueType": "Bool", "isOptional": false, "defaultExpression": "false"}], "discriminator": "BucketListItem", "relationships": [{"name": "trip", "inverse": "bucketList", "isToOne": true, "storage": {"foreignKey": {"table": "bucket_list_item", "column": "trip"}}, "deleteRule": "nullify", "isOptional": true, "destination": "Trip", "maximumCount": 0, "minimumCount": 0}]}, {"name": "LivingAccommodation", "table": "living_accommodation", "indexes": [], "uniques": [], "attributes": [{"name": "placeName", "type": "text", "column": "place_name", "options": [], "valueType": "String", "isOptional": false}, {"name": "address", "type": "text", "column": "address", "options": [], "valueType": "String", "isOptional": false}, {"name": "isConfirmed", "type": "boolean", "column": "is_confirmed", "options": [], "valueType": "Bool", "isOptional": false, "defaultExpression": "false"}], "discriminator": "LivingAccommodation", "relationships": [{"name": "trip", "inverse": "livingAccommodation", "isToOne": true, "storage": {"foreignKey": {"table": "living_accommodation", "column": "trip"}}, "deleteRule": "nullify", "isOptional": true, "destination": "Trip", "maximumCount": 0, "minimumCount": 0}]}, {"name": "Trip", "table": "trip", "indexes": [{"method": "btree", "properties": ["name"]}, {"method": "btree", "properties": ["startDate"]}, {"method": "btree", "properties": ["endDate"]}, {"method": "btree", "properties": ["name", "startDate", "endDate"]}], "uniques": [["name", "startDate", "endDate"]], "attributes": [{"name": "name", "type": "text", "column": "name", "options": ["preserveValueOnDeletion"], "valueType": "String", "isOptional": false}, {"name": "destination", "type": "text", "column": "destination", "options": [], "valueType": "String", "isOptional": false, "hashModifier": "v3"}, {"name": "startDate", "type": "timestamptz", "column": "start_date", "options": ["preserveValueOnDeletion"], "valueType": "Date", "isOptional": false, "originalName": "start_date"}, {"name": "endDate", "type": "timestamptz", "column": "end_date", "options": ["preserveValueOnDeletion"], "valueType": "Date", "isOptional": false, "originalName": "end_date"}], "discriminator": "Trip", "relationships": [{"name": "bucketList", "inverse": "trip", "isToOne": false, "storage": {"inverseForeignKey": {"table": "bucket_list_item", "column": "trip"}}, "deleteRule": "cascade", "isOptional": false, "destination": "BucketListItem", "maximumCount": 0, "minimumCount": 0}, {"name": "livingAccommodation", "inverse": "trip", "isToOne": true, "storage": {"inverseForeignKey": {"table": "living_accommodation", "column": "trip"}}, "deleteRule": "cascade", "isOptional": true, "destination": "LivingAccommodation", "maximumCount": 0, "minimumCount": 0}]}]}
\.


--
-- Data for Name: store; Type: TABLE DATA; Schema: strata; Owner: -
--

COPY strata.store (schema_name, identifier, created, number, generation, system_identifier, timeline, database_oid, deleted_below, deletions) FROM stdin;
public	eee3c8cf-4e0c-46bf-8019-a720279d52a5	2026-11-24 20:19:48.556518+00	1	1	7711835276654095299	00000001	16563	0	0
\.


--
-- Name: bucket_list_item_pk_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.bucket_list_item_pk_seq', 1, true);


--
-- Name: living_accommodation_pk_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.living_accommodation_pk_seq', 1, true);


--
-- Name: trip_pk_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.trip_pk_seq', 3, true);


--
-- Name: history_change_seq; Type: SEQUENCE SET; Schema: strata; Owner: -
--

SELECT pg_catalog.setval('strata.history_change_seq', 7, true);


--
-- Name: history_entity_id_seq; Type: SEQUENCE SET; Schema: strata; Owner: -
--

SELECT pg_catalog.setval('strata.history_entity_id_seq', 3, true);


--
-- Name: key_block; Type: SEQUENCE SET; Schema: strata; Owner: -
--

SELECT pg_catalog.setval('strata.key_block', 16777216, false);


--
-- Name: schema_version_number_seq; Type: SEQUENCE SET; Schema: strata; Owner: -
--

SELECT pg_catalog.setval('strata.schema_version_number_seq', 3, true);


--
-- Name: store_number_seq; Type: SEQUENCE SET; Schema: strata; Owner: -
--

SELECT pg_catalog.setval('strata.store_number_seq', 1, true);


--
-- Name: bucket_list_item bucket_list_item_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bucket_list_item
    ADD CONSTRAINT bucket_list_item_pkey PRIMARY KEY (pk);


--
-- Name: living_accommodation living_accommodation_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.living_accommodation
    ADD CONSTRAINT living_accommodation_pkey PRIMARY KEY (pk);


--
-- Name: living_accommodation living_accommodation_trip_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.living_accommodation
    ADD CONSTRAINT living_accommodation_trip_key UNIQUE (trip) DEFERRABLE;


--
-- Name: trip trip_name_start_date_end_date_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trip
    ADD CONSTRAINT trip_name_start_date_end_date_key UNIQUE (name, start_date, end_date);


--
-- Name: trip trip_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.trip
    ADD CONSTRAINT trip_pkey PRIMARY KEY (pk);


--
-- Name: history_change history_change_pkey; Type: CONSTRAINT; Schema: strata; Owner: -
--

ALTER TABLE ONLY strata.history_change
    ADD CONSTRAINT history_change_pkey PRIMARY KEY (xid, seq);


--
-- Name: history_consumer history_consumer_pkey; Type: CONSTRAINT; Schema: strata; Owner: -
--

ALTER TABLE ONLY strata.history_consumer
    ADD CONSTRAINT history_consumer_pkey PRIMARY KEY (store, name);


--
-- Name: history_description history_description_pkey; Type: CONSTRAINT; Schema: strata; Owner: -
--

ALTER TABLE ONLY strata.history_description
    ADD CONSTRAINT history_description_pkey PRIMARY KEY (store);


--
-- Name: history_entity history_entity_pkey; Type: CONSTRAINT; Schema: strata; Owner: -
--

ALTER TABLE ONLY strata.history_entity
    ADD CONSTRAINT history_entity_pkey PRIMARY KEY (id);


--
-- Name: history_property history_property_pkey; Type: CONSTRAINT; Schema: strata; Owner: -
--

ALTER TABLE ONLY strata.history_property
    ADD CONSTRAINT history_property_pkey PRIMARY KEY (root, "bit");


--
-- Name: history_transaction history_transaction_pkey; Type: CONSTRAINT; Schema: strata; Owner: -
--

ALTER TABLE ONLY strata.history_transaction
    ADD CONSTRAINT history_transaction_pkey PRIMARY KEY (store, generation, xid);


--
-- Name: migration_step migration_step_pkey; Type: CONSTRAINT; Schema: strata; Owner: -
--

ALTER TABLE ONLY strata.migration_step
    ADD CONSTRAINT migration_step_pkey PRIMARY KEY (schema_name, stage, step);


--
-- Name: schema_version schema_version_pkey; Type: CONSTRAINT; Schema: strata; Owner: -
--

ALTER TABLE ONLY strata.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (number);


--
-- Name: store store_number_key; Type: CONSTRAINT; Schema: strata; Owner: -
--

ALTER TABLE ONLY strata.store
    ADD CONSTRAINT store_number_key UNIQUE (number);


--
-- Name: store store_pkey; Type: CONSTRAINT; Schema: strata; Owner: -
--

ALTER TABLE ONLY strata.store
    ADD CONSTRAINT store_pkey PRIMARY KEY (schema_name);


--
-- Name: bucket_list_item_trip_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX bucket_list_item_trip_idx ON public.bucket_list_item USING btree (trip);


--
-- Name: trip_end_date_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX trip_end_date_idx ON public.trip USING btree (end_date);


--
-- Name: trip_name_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX trip_name_idx ON public.trip USING btree (name);


--
-- Name: trip_start_date_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX trip_start_date_idx ON public.trip USING btree (start_date);


--
-- Name: bucket_list_item strata_history_delete; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_delete AFTER DELETE ON public.bucket_list_item REFERENCING OLD TABLE AS o FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_bucket_list_item();


--
-- Name: living_accommodation strata_history_delete; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_delete AFTER DELETE ON public.living_accommodation REFERENCING OLD TABLE AS o FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_living_accommodation();


--
-- Name: trip strata_history_delete; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_delete AFTER DELETE ON public.trip REFERENCING OLD TABLE AS o FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_trip();


--
-- Name: bucket_list_item strata_history_insert; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_insert AFTER INSERT ON public.bucket_list_item REFERENCING NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_bucket_list_item();


--
-- Name: living_accommodation strata_history_insert; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_insert AFTER INSERT ON public.living_accommodation REFERENCING NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_living_accommodation();


--
-- Name: trip strata_history_insert; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_insert AFTER INSERT ON public.trip REFERENCING NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_trip();


--
-- Name: bucket_list_item strata_history_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_truncate BEFORE TRUNCATE ON public.bucket_list_item FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_bucket_list_item();


--
-- Name: living_accommodation strata_history_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_truncate BEFORE TRUNCATE ON public.living_accommodation FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_living_accommodation();


--
-- Name: trip strata_history_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_truncate BEFORE TRUNCATE ON public.trip FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_trip();


--
-- Name: bucket_list_item strata_history_update; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_update AFTER UPDATE ON public.bucket_list_item REFERENCING OLD TABLE AS o NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_bucket_list_item();


--
-- Name: living_accommodation strata_history_update; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_update AFTER UPDATE ON public.living_accommodation REFERENCING OLD TABLE AS o NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_living_accommodation();


--
-- Name: trip strata_history_update; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER strata_history_update AFTER UPDATE ON public.trip REFERENCING OLD TABLE AS o NEW TABLE AS n FOR EACH STATEMENT EXECUTE FUNCTION public.strata_history_trip();


--
-- Name: bucket_list_item bucket_list_item_trip_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.bucket_list_item
    ADD CONSTRAINT bucket_list_item_trip_fkey FOREIGN KEY (trip) REFERENCES public.trip(pk) ON DELETE CASCADE;


--
-- Name: living_accommodation living_accommodation_trip_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.living_accommodation
    ADD CONSTRAINT living_accommodation_trip_fkey FOREIGN KEY (trip) REFERENCES public.trip(pk) ON DELETE CASCADE;


--
-- Name: FUNCTION strata_history_bucket_list_item(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.strata_history_bucket_list_item() FROM PUBLIC;


--
-- Name: FUNCTION strata_history_living_accommodation(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.strata_history_living_accommodation() FROM PUBLIC;


--
-- Name: FUNCTION strata_history_trip(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.strata_history_trip() FROM PUBLIC;


--
-- Name: FUNCTION history_adopt(schema_name text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_adopt(schema_name text) FROM PUBLIC;


--
-- Name: FUNCTION history_begin(store_number integer); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_begin(store_number integer) FROM PUBLIC;


--
-- Name: FUNCTION history_class_expression(schema_name text, tracked jsonb, entity_id integer, entity_word integer, row_name text, key text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_class_expression(schema_name text, tracked jsonb, entity_id integer, entity_word integer, row_name text, key text) FROM PUBLIC;


--
-- Name: FUNCTION history_columns(tracked jsonb, relation oid, entity_id integer); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_columns(tracked jsonb, relation oid, entity_id integer) FROM PUBLIC;


--
-- Name: FUNCTION history_comparison(name text, type oid, "collation" oid); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_comparison(name text, type oid, "collation" oid) FROM PUBLIC;


--
-- Name: FUNCTION history_context(context text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_context(context text) FROM PUBLIC;


--
-- Name: FUNCTION history_cutoff(schema_name text, keep bigint, OUT generation smallint, OUT xid xid8); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_cutoff(schema_name text, keep bigint, OUT generation smallint, OUT xid xid8) FROM PUBLIC;


--
-- Name: FUNCTION history_delete(schema_name text, xids xid8[], generations smallint[]); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_delete(schema_name text, xids xid8[], generations smallint[]) FROM PUBLIC;


--
-- Name: FUNCTION history_describe(schema_name text, current jsonb, next jsonb); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_describe(schema_name text, current jsonb, next jsonb) FROM PUBLIC;


--
-- Name: FUNCTION history_entity_part(schema_name text, store_number integer, tracked jsonb, relation oid, table_name text, entity jsonb, OUT inserting text, OUT updating text, OUT deleting text, OUT truncating text, OUT wide text[]); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_entity_part(schema_name text, store_number integer, tracked jsonb, relation oid, table_name text, entity jsonb, OUT inserting text, OUT updating text, OUT deleting text, OUT truncating text, OUT wide text[]) FROM PUBLIC;


--
-- Name: FUNCTION history_expected(schema_name text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_expected(schema_name text) FROM PUBLIC;


--
-- Name: FUNCTION history_findings(schema_name text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_findings(schema_name text) FROM PUBLIC;


--
-- Name: FUNCTION history_forget(schema_name text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_forget(schema_name text) FROM PUBLIC;


--
-- Name: FUNCTION history_found(namespace oid); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_found(namespace oid) FROM PUBLIC;


--
-- Name: FUNCTION history_grant(role name, what text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_grant(role name, what text) FROM PUBLIC;


--
-- Name: FUNCTION history_halt(); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_halt() FROM PUBLIC;


--
-- Name: FUNCTION history_identify(store_number integer, is_adoption boolean); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_identify(store_number integer, is_adoption boolean) FROM PUBLIC;


--
-- Name: FUNCTION history_link_part(schema_name text, store_number integer, tracked jsonb, relation oid, table_name text, side jsonb, OUT inserting text, OUT updating text, OUT deleting text, OUT truncating text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_link_part(schema_name text, store_number integer, tracked jsonb, relation oid, table_name text, side jsonb, OUT inserting text, OUT updating text, OUT deleting text, OUT truncating text) FROM PUBLIC;


--
-- Name: FUNCTION history_prune(schema_name text, before timestamp with time zone, keep bigint, slice integer); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_prune(schema_name text, before timestamp with time zone, keep bigint, slice integer) FROM PUBLIC;


--
-- Name: FUNCTION history_prune_below(schema_name text, before timestamp with time zone, below_generation smallint, below_xid xid8, slice integer); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_prune_below(schema_name text, before timestamp with time zone, below_generation smallint, below_xid xid8, slice integer) FROM PUBLIC;


--
-- Name: FUNCTION history_register(store_number integer, description jsonb, previous jsonb, is_next boolean, is_promotion boolean); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_register(store_number integer, description jsonb, previous jsonb, is_next boolean, is_promotion boolean) FROM PUBLIC;


--
-- Name: FUNCTION history_reset(schema_name text, entity text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_reset(schema_name text, entity text) FROM PUBLIC;


--
-- Name: FUNCTION history_reset_entities(entities integer[]); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_reset_entities(entities integer[]) FROM PUBLIC;


--
-- Name: FUNCTION history_statement(store_number integer, columns text, selection text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_statement(store_number integer, columns text, selection text) FROM PUBLIC;


--
-- Name: FUNCTION history_suspended(relation oid, entities integer[]); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_suspended(relation oid, entities integer[]) FROM PUBLIC;


--
-- Name: FUNCTION history_sync(schema_name text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_sync(schema_name text) FROM PUBLIC;


--
-- Name: FUNCTION history_triggers(schema_name text, expected jsonb); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_triggers(schema_name text, expected jsonb) FROM PUBLIC;


--
-- Name: FUNCTION history_try_adopt(schema_name text); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_try_adopt(schema_name text) FROM PUBLIC;


--
-- Name: FUNCTION history_version(); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_version() FROM PUBLIC;


--
-- Name: FUNCTION history_wake(store_number integer); Type: ACL; Schema: strata; Owner: -
--

REVOKE ALL ON FUNCTION strata.history_wake(store_number integer) FROM PUBLIC;


--
-- PostgreSQL database dump complete
--


