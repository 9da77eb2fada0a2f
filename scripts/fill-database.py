#!/usr/bin/env python3
"""Puts rows of made values into the tables of a database that have none, so that there is something to read.

    scripts/fill-database.py shop 5

Values are made by the types of the columns, and by the constants that checks name; foreign keys lead to rows that are there. Triggers and foreign keys do
not fire meanwhile (session_replication_role = replica), which takes a superuser: never run it on a database that somebody needs. A table that
refuses all rows stays empty and is named. The server is the one that libpq's variables name."""
import collections
import json
import re
import subprocess
import sys

DATABASE, ROWS = sys.argv[1], int(sys.argv[2])

CATALOG = """
SELECT json_build_object('table', c.relname, 'parent', c.relkind = 'r' AND c.relhassubclass, 'columns', (
    SELECT json_agg(json_build_object(
        'name', a.attname, 'type', format_type(coalesce(nullif(t.typbasetype, 0), t.oid), CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END),
        'kind', b.typtype, 'element', CASE WHEN b.typcategory = 'A' THEN format_type(b.typelem, NULL) END,
        'required', a.attnotnull OR t.typnotnull, 'generated', a.attgenerated <> '' OR a.attidentity = 'a', 'default', pg_get_expr(d.adbin, d.adrelid),
        'labels', (SELECT json_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = b.oid),
        'checks', (SELECT json_agg(pg_get_constraintdef(k.oid)) FROM pg_constraint k
                   WHERE k.contype = 'c' AND (k.conrelid = c.oid AND a.attnum = ANY (k.conkey) OR k.contypid = t.oid AND t.typtype = 'd'))
    ) ORDER BY a.attnum)
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    JOIN pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    'foreign', (SELECT json_agg(json_build_object(
        'to', k.confrelid::regclass::text,
        'columns', (SELECT json_agg(a.attname ORDER BY n) FROM unnest(k.conkey) WITH ORDINALITY u (m, n)
                    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.m),
        'referenced', (SELECT json_agg(a.attname ORDER BY n) FROM unnest(k.confkey) WITH ORDINALITY u (m, n)
                       JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.m)) ORDER BY k.conname)
        FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f'))
FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')
ORDER BY c.relname
"""


def psql(sql):
    result = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-d", DATABASE, "-f", "-"], input=sql, text=True, capture_output=True)
    return result.stdout, result.stderr


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def literal(text):
    return "'" + text.replace("'", "''") + "'"


def constants(column):
    """What checks compare the column with, and nothing else."""
    for check in column["checks"] or []:
        found = re.findall(r"'((?:[^']|'')*)'::(?:text|character varying|bpchar|character)", check)
        if found and ("ANY" in check or check.count("=") == len(found)) and "~" not in check and "<>" not in check:
            return [text.replace("''", "'") for text in found]
    return None


def value(column, n, style):
    """A value of the column for the row n, as SQL; styles differ in what texts are."""
    type_, kind = column["type"], column["kind"]
    limit = re.search(r"\((\d+)", type_)
    limit = int(limit.group(1)) if limit else 1000
    base = re.sub(r"\(.*?\)", "", type_).strip()
    if column["element"]:
        inner = dict(column, type=column["element"], element=None, checks=None)
        one, other = value(inner, n, style), value(inner, n + 1, style)
        return f"ARRAY[{one}, {other}]::{type_}" if one else f"'{{}}'::{type_}"
    if kind == "e":
        return literal(column["labels"][n % len(column["labels"])]) if column["labels"] else None
    if base in ("text", "character varying", "character", "citext", "bpchar", "name", '"char"'):
        known = constants(column)
        if known:
            return literal(known[n % len(known)])
        text = {
            "word": f"{column['name'][:20]} {n} é" if limit > 30 else f"{chr(97 + n % 26)}{n}"[:limit],
            "long": f"abcdefghijklmnop_{n:04}"[:limit],
            "letters": "".join(chr(97 + (n // 26 ** place) % 26) for place in range(min(limit, 12))),
            "digits": str(10 ** (min(limit, 12) - 1) + n),
            "lower": f"v{n}"[:limit],
            "uuid": f"00000000-0000-4000-8000-{n:012}",
            "url": f"https://example.org/{n}",
        }[style]
        return literal(text[:limit])
    if base in ("smallint", "integer", "bigint", "oid"):
        bounded = any(re.search(r">= \(?1\b.*<= ", check) for check in column["checks"] or [])
        return str(n % 2 + 1 if bounded else n if style != "lower" else n % 2)
    if base in ("numeric", "real", "double precision"):
        return f"({n} + 0.25)" if base != "numeric" or "," in type_ or "(" not in type_ else str(n)
    if base == "boolean":
        return "true" if n % 2 else "false"
    if base in ("timestamp with time zone", "timestamp without time zone"):
        return f"(timestamp '2024-01-15 12:34:56.789' + {n} * interval '1 day')"
    return {
        "date": f"(date '2024-01-15' + {n})",
        "time without time zone": f"(time '01:02:03' + {n} * interval '1 minute')",
        "time with time zone": "'01:02:03+02'",
        "interval": f"({n} * interval '1 hour 1 microsecond')",
        "uuid": f"'00000000-0000-4000-8000-{n:012}'::uuid",
        "bytea": f"decode('{n:08x}', 'hex')",
        "json": f"""'{{"n": {n}, "list": [1, null]}}'::json""",
        "jsonb": f"""'{{"n": {n}, "list": [1, null]}}'::jsonb""",
        "inet": f"'10.0.0.{n % 250}'", "cidr": f"'10.{n % 250}.0.0/16'", "macaddr": f"'08:00:2b:01:02:{n % 99:02}'",
        "tsvector": f"to_tsvector('simple', 'word{n}')", "int4range": f"int4range({n}, {n + 5})", "int8range": f"int8range({n}, {n + 5})",
        "numrange": f"numrange({n}, {n + 5})", "daterange": f"daterange(date '2024-01-15' + {n}, NULL)",
        "tstzrange": f"tstzrange(timestamptz '2024-01-15 12:00+00' + {n} * interval '1 day', NULL)",
        "tsrange": f"tsrange(timestamp '2024-01-15 12:00' + {n} * interval '1 day', NULL)",
        "point": f"point({n}, {n})", "cube": f"cube({n})" if False else f"'({n})'::cube", "xml": f"'<a>{n}</a>'::xml",
        "bit": f"B'{'1' * limit}'", "money": f"{n}::money", "hstore": f"'a=>{n}'::hstore",
    }.get(base)


def insert(table, n, style, bare):
    """One INSERT; bare leaves NULL what may be."""
    columns = {column["name"]: column for column in table["columns"] if not column["generated"]}
    chosen, sources = {}, []
    for place, key in enumerate(table["foreign"] or []):
        if key["to"] == table["name"] and (n == 1 or bare) or not all(name in columns for name in key["columns"]):
            continue
        is_required = any(columns[name]["required"] for name in key["columns"])
        if bare and not is_required:
            continue
        alias = f"f{place}"
        shared = [f"r.{quoted(other)} = {chosen[name]}" for name, other in zip(key["columns"], key["referenced"]) if name in chosen]
        where = f" WHERE {' AND '.join(shared)}" if shared else ""
        query = (f"(SELECT * FROM {key['to']} r{where} ORDER BY 1 "
                 f"OFFSET greatest({n - 1 + place} % greatest((SELECT count(*) FROM {key['to']} r{where}), 1), 0) LIMIT 1) {alias}")
        sources.append(("JOIN" if is_required else "LEFT JOIN") + f" LATERAL {query} ON true")
        for name, other in zip(key["columns"], key["referenced"]):
            chosen.setdefault(name, f"{alias}.{quoted(other)}")
    for name, column in columns.items():
        if name in chosen or bare and not column["required"]:
            continue
        if column["default"] and ("nextval" in column["default"] or bare):
            continue
        made = value(column, n, style)
        if made is None:
            if column["required"] and not column["default"]:
                return None
            continue
        chosen[name] = made
    if not chosen:
        return f"INSERT INTO {table['name']} DEFAULT VALUES"
    names = ", ".join(quoted(name) for name in chosen)
    return (f"INSERT INTO {table['name']} ({names}) OVERRIDING SYSTEM VALUE SELECT {', '.join(chosen.values())} "
            f"FROM (SELECT) s {' '.join(sources)}")


def main():
    tables = [json.loads(line) for line in psql(CATALOG)[0].splitlines()]
    for table in tables:
        table["name"] = quoted(table["table"]) if not re.fullmatch(r"[a-z_][a-z0-9_]*", table["table"]) else table["table"]
    counts = {}

    def count():
        sql = "".join(f"SELECT {literal(table['table'])} || '|' || count(*) FROM {'ONLY ' if table['parent'] else ''}{quoted(table['table'])};\n" for table in tables)
        counts.update(line.rsplit("|", 1) for line in psql(sql)[0].splitlines())
    count()
    empty = [table for table in tables if counts.get(table["table"]) == "0"]
    reasons = {}
    # What foreign keys need comes with an earlier round.
    for round_ in range(6):
        for style in ("word", "long", "lower", "letters", "digits", "uuid", "url"):
            todo = [table for table in empty if counts.get(table["table"]) == "0"]
            if not todo or style != "word" and round_ < 1:
                continue
            statements = ["SET session_replication_role = replica;"]
            for table in todo:
                for n in range(1, ROWS + 1):
                    # Every other row has NULL where it may.
                    statement = insert(table, n, style, bare=n % 2 == 0)
                    if statement:
                        statements.append(f"\\echo {table['table']}\n{statement};")
            errors = psql("\n".join(statements))[1]
            count()
            for table in todo:
                if counts.get(table["table"]) == "0":
                    reasons[table["table"]] = errors
    filled = [table for table in empty if counts.get(table["table"]) != "0"]
    rest = sorted(table["table"] for table in empty if counts.get(table["table"]) == "0")
    print(f"{DATABASE}: {len(tables) - len(empty)} tables had rows, {len(filled)} were filled with "
          f"{sum(int(counts[table['table']]) for table in filled)} rows, {len(rest)} stay empty" + (": " + ", ".join(rest) if rest else ""))


main()
