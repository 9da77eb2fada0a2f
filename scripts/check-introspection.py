#!/usr/bin/env python3
"""Makes model classes of databases that others have made, and looks what they are worth: for each the share of tables, columns and
constraints that the classes express, whether they compile without edits, whether a container opens on the tables, and whether every row that
is read through objects is what SQL reads, column by column.

    scripts/check-introspection.py chinook=/tmp/Chinook_PostgreSql.sql northwind=/tmp/northwind.sql

Each argument is a name and a dump for psql; several files of one database are separated by commas. Databases are made and dropped on the
server that libpq's variables (PGHOST, PGUSER ...) name. Dumps are not part of this repository. Needs a build (make build): the classes are
compiled beside its objects. --only-classes stops behind the classes. Exits with 1 when a statement of a dump fails, when there are no classes,
or they do not compile, do not open, or read something else than SQL. How much they express is printed and not judged: a database of keys of
text cannot have more."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PACKAGE = """// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "IntrospectionCheck",
    platforms: [.macOS(.v15)],
    dependencies: [.package(path: "{root}")],
    targets: [
        .target(name: "CheckedModels", dependencies: [.product(name: "Strata", package: "{identity}")]),
        .executableTarget(
            name: "IntrospectionCheck", dependencies: ["CheckedModels", .product(name: "Strata", package: "{identity}")]),
    ],
    swiftLanguageModes: [.v6]
)
"""

PROGRAM = """import CheckedModels
import Foundation
import Strata

typealias Text = String
func text(_ value: Swift.String) -> Text { value }
func text(_ value: Int) -> Text { "\\(value)" }
func text(_ value: Int16) -> Text { "\\(value)" }
func text(_ value: Int32) -> Text { "\\(value)" }
func text(_ value: Bool) -> Text { "\\(value)" }
func text(_ value: Decimal) -> Text { "\\(value)" }
func text(_ value: Double) -> Text { "\\(value.bitPattern)" }
func text(_ value: Float) -> Text { "\\(value.bitPattern)" }
func text(_ value: UUID) -> Text { value.uuidString.lowercased() }
func text(_ value: Data) -> Text { value.map { byte in (byte < 16 ? "0" : "") + Swift.String(byte, radix: 16) }.joined() }
func text(_ value: Date) -> Text { "\\(Int((value.timeIntervalSinceReferenceDate * 1_000_000).rounded()) + 978_307_200_000_000)" }
func text(_ value: CalendarDate) -> Text { value.description }
func text(_ value: TimeOfDay) -> Text { value.description }
func text(_ value: CalendarInterval) -> Text { "\\(value.months) \\(value.days) \\(value.microseconds)" }
func text<Value: RawRepresentable<Swift.String> & Encodable>(_ value: Value) -> Text { value.rawValue }
func text(_ value: some PersistentModel) -> Text {
    Swift.String(value.persistentModelID.description.split(separator: "/").last ?? "")
}
func text(_ value: some Encodable) -> Text {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { Text(decoding: $0, as: UTF8.self) } ?? "?"
}
func text<Value>(_ value: [Value], _ element: (Value) -> Text) -> Text { "[" + value.map(element).joined(separator: "\\u{1}") + "]" }

@main struct Check {
    static func emit(_ row: [[Swift.String?]]) throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(row) + Data("\\n".utf8))
    }

    static func main() async throws {
        var configuration = ModelConfiguration(url: URL(string: CommandLine.arguments[1])!)
        configuration.tables = .external
        let container = try await ModelContainer(
            for: Schema(versionedSchema: CheckSchema.self), configurations: [configuration])
READ
        await container.close()
    }
}
"""

CLASS = """        do {
            let context = ModelContext(container)
            for object in try await context.fetch(FetchDescriptor<CLASS>()) where type(of: object) == CLASS.self {
                try emit([["CLASS", text(object)], [VALUES]])
            }
        }
"""


def run(*command, **options):
    return subprocess.run(command, text=True, capture_output=True, cwd=ROOT, **options)


def query(database, sql):
    result = run("psql", "-X", "-q", "-A", "-t", "-d", database, "-v", "ON_ERROR_STOP=1", "-c", sql)
    if result.returncode:
        sys.exit(f"{database}: {result.stderr}")
    return result.stdout


def load(name, files):
    """The database, and whether every statement of the dump went through."""
    database, is_whole = f"introspected_{name}", True
    run("dropdb", "--if-exists", "--force", database)
    run("createdb", database, check=True)
    for file in files:
        sql = Path(file).read_text(encoding="utf-8", errors="replace").lstrip("\ufeff")
        # Dumps that make a database of their own go to this one; owners need not be there.
        sql = re.sub(r"(?m)^\s*(DROP|CREATE) DATABASE\b[^;]*;|^\\(c|connect)\b.*$|^ALTER \w+.*OWNER TO.*;$", "", sql)
        result = run("psql", "-X", "-q", "-d", database, input=sql)
        errors = [line for line in result.stderr.splitlines() if "ERROR" in line]
        if errors:
            is_whole = False
            print(f"{name}: {len(errors)} statements of {Path(file).name} failed, the first with: {errors[0]}")
    return database, is_whole


def url(database):
    user = os.environ.get("PGUSER", "postgres")
    host, port = os.environ.get("PGHOST", "localhost"), os.environ.get("PGPORT", "5432")
    return f"postgres://{user}@/{database}?host={host}&port={port}"


def columns_of(text):
    """Class, superclass, table, key column, and its own properties with types, as the file has them."""
    header = re.search(r"^@Model(?:\((.*)\))?\n(?:public )?(?:final )?class (\w+)(?:: (\w+))?", text, re.M)
    if not header:
        return None
    arguments = dict(re.findall(r'(\w+): "((?:[^"\\]|\\.)*)"', header.group(1) or ""))
    properties = []
    for match in re.finditer(r"(?:@(Attribute|Relationship)\(((?:[^()]|\([^)]*\))*)\)\s+)?public var (\w+): ([^\n=]+)", text):
        kind, options, name, type_ = match.groups()
        is_list_of_objects = type_.strip().startswith("[") and type_.strip(" []?") not in SCALARS
        if "inverse:" in (options or "") or is_list_of_objects:
            continue
        column = re.search(r'\bcolumn: "((?:[^"\\]|\\.)*)"', options or "")
        if ".primaryKey" in (options or ""):
            arguments["keyColumn"] = column.group(1) if column else snake(name)
        properties.append((name, type_.strip(), column.group(1) if column else None))
    return {"name": header.group(2), "superclass": header.group(3), "arguments": arguments, "properties": properties}


def snake(name):
    return re.sub(r"(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


SCALARS = {"String", "Int", "Int16", "Int32", "Bool", "Decimal", "Double", "Float", "UUID", "Data", "Date", "JSONValue",
           "CalendarDate", "TimeOfDay", "CalendarInterval"}


def expression(name, type_):
    """How a value of a property is written as text in Swift."""
    base = type_.rstrip("?")
    if base.startswith("["):
        make = lambda value: f"text({value}, {{ text($0) }})"
    else:
        make = lambda value: f"text({value})"
    if type_.endswith("?"):
        return f"object.{name}.map {{ {make('$0')} }}"
    return make(f"object.{name}")


def sql_text(column, type_):
    """The same text in SQL."""
    quoted = '"' + column.replace('"', '""') + '"'
    base = type_.rstrip("?")
    def scalar(value, base):
        return {
            "Data": f"encode({value}, 'hex')",
            # The session is in UTC.
            "Date": f"((extract(epoch FROM ({value})::timestamptz) * 1000000)::bigint)::text",
            "CalendarInterval": f"(extract(year FROM {value}) * 12 + extract(month FROM {value}))::int || ' ' || extract(day FROM {value})::int "
                                f"|| ' ' || (extract(hour FROM {value}) * 3600000000 + extract(minute FROM {value}) * 60000000 "
                                f"+ extract(microseconds FROM {value}))::bigint",
            "Decimal": f"trim_scale({value})::text",
            "Double": f"(('x' || encode(float8send({value}), 'hex'))::bit(64)::bigint)::text",
            "Float": f"(('x' || encode(float4send({value}), 'hex'))::bit(32)::bigint & 4294967295)::text",
            "Bool": f"({value})::text",
        }.get(base, f"({value})::text")
    if base.startswith("["):
        element = base.strip("[]")
        return (f"CASE WHEN {quoted} IS NULL THEN NULL ELSE '[' || coalesce((SELECT string_agg({scalar('u.v', element)}, E'\\x01' ORDER BY u.n) "
                f"FROM unnest({quoted}) WITH ORDINALITY AS u (v, n)), '') || ']' END")
    if base == "String":
        # A cast of char(n) to text takes blanks away, which concat leaves.
        return f"CASE WHEN {quoted} IS NULL THEN NULL ELSE concat({quoted}) END"
    return scalar(quoted, base)


def same(mine, theirs, type_):
    if mine is None or theirs is None:
        return mine is theirs
    base = type_.rstrip("?")
    if base == "JSONValue":
        return json.loads(mine, parse_float=Decimal) == json.loads(theirs, parse_float=Decimal)
    if base == "Double":
        return int(mine) == int(theirs) % (1 << 64)
    if base == "Decimal":
        return Decimal(mine) == Decimal(theirs)
    return mine == theirs


def check(name, files, only_classes):
    """Whether the classes are there, compile, open and read what SQL reads."""
    database, is_whole = load(name, files)
    folder = Path(tempfile.mkdtemp())
    try:
        models = folder / "Sources/CheckedModels"
        command = [str(ROOT / ".build/debug/strata"), "introspect", "--database-url", url(database), "--name", "CheckSchema", "--out",
                   str(models), "--json"]
        made = run(*command)
        if made.returncode:
            print(f"{name}: no classes: {made.stderr.strip()}")
            return False
        outcome = json.loads(made.stdout)
        shares = ", ".join(
            f"{part['expressed']} of {part['total']} {what} ({100 * part['expressed'] / max(part['total'], 1):.1f} %)"
            for what, part in ((what, outcome["coverage"][what]) for what in ("tables", "columns", "constraints")))
        print(f"{name}: {shares}; {len(outcome['gaps'])} remarks")
        again = json.loads(run(*command).stdout)
        changed = len(again["written"]) + len(again["removed"]) + len(again["left"])
        print(f"{name}: a second run changes {changed} files")
        if only_classes:
            return is_whole and changed == 0
        for path in models.glob("*.swift"):
            SCALARS.update(re.findall(r"^public enum (\w+): String", path.read_text(), re.M))
        classes = [found for found in (columns_of(path.read_text()) for path in sorted(models.glob("*.swift"))) if found]
        by_name = {found["name"]: found for found in classes}
        reads = ""
        for found in classes:
            chain, ancestor = [found], found
            while ancestor["superclass"]:
                ancestor = by_name[ancestor["superclass"]]
                chain.insert(0, ancestor)
            found["chain"] = chain
            values = ", ".join(expression(p, t) for part in chain for p, t, _ in part["properties"])
            reads += CLASS.replace("CLASS", found["name"]).replace("VALUES", values)
        (folder / "Package.swift").write_text(PACKAGE.format(root=ROOT, identity=ROOT.name))
        target = folder / "Sources/IntrospectionCheck"
        target.mkdir(parents=True)
        (target / "Check.swift").write_text(PROGRAM.replace("READ", reads.rstrip("\n")))
        shared = ["--package-path", str(folder), "--scratch-path", ".build", "--disable-build-manifest-caching"]
        built = run("swift", "build", *shared)
        if built.returncode:
            errors = [line for line in built.stdout.splitlines() if "error:" in line]
            print(f"{name}: does not compile: " + "\n".join(errors[:10]))
            return False
        warnings = [line for line in built.stdout.splitlines() if "warning:" in line and str(models) in line]
        print(f"{name}: {len(classes)} classes compile, with {len(warnings)} warnings")
        program = ROOT / ".build/debug/IntrospectionCheck"
        result = run(str(program), url(database))
        if result.returncode:
            print(f"{name}: does not open: {result.stderr.strip()[-1500:]}")
            return False
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        compared = differing = count = 0
        examples = []
        for found in classes:
            mine = {key: values for (class_, key), values in rows if class_ == found["name"]}
            root = found["chain"][0]
            key = root["arguments"].get("keyColumn", "pk")
            tables = [part["arguments"].get("table", snake(part["name"])) for part in found["chain"]]
            typed = [(table, p, t, c or snake(p)) for table, part in zip(tables, found["chain"]) for p, t, c in part["properties"]]
            quoted = lambda text: '"' + text.replace('"', '""') + '"'
            selects = ", ".join(
                sql_text(c, t if t.rstrip("?") in SCALARS or t.startswith("[") else "Int") for _, p, t, c in typed) or "NULL"
            sources = " JOIN ".join(quoted(table) + (f" USING ({quoted(key)})" if index else "") for index, table in enumerate(tables))
            where = ""
            if len(tables) > 1 or any(other["superclass"] == found["name"] for other in classes):
                where = f" WHERE {quoted(root['arguments'].get('classColumn', 'class'))} = '{found['name']}'"
            sql = f"SET TimeZone = 'UTC'; SELECT json_build_array({quoted(key)}::text, ARRAY[{selects}]::text[]) FROM {sources}{where}"
            theirs = {key: values for key, values in (json.loads(line) for line in query(database, sql).splitlines())}
            count += len(theirs)
            if set(mine) != set(theirs):
                examples.append(f"{found['name']}: {len(mine)} objects, {len(theirs)} rows")
                differing += 1
            for key, values in theirs.items():
                for (_, p, t, _), one, other in zip(typed, mine.get(key, []), values):
                    compared += 1
                    if not same(one, other, t):
                        differing += 1
                        examples.append(f"{found['name']}.{p} of {key}: object {one!r}, SQL {other!r}")
        print(f"{name}: {count} rows, {compared} values compared, {differing} differ")
        for line in examples[:5]:
            print("    " + line)
        return is_whole and changed == 0 and differing == 0
    finally:
        shutil.rmtree(folder)
        run("dropdb", "--force", database)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("databases", nargs="+", metavar="name=dump.sql")
    parser.add_argument("--only-classes", action="store_true")
    arguments = parser.parse_args()
    results = []
    for argument in arguments.databases:
        name, _, files = argument.partition("=")
        results.append(check(name, files.split(","), arguments.only_classes))
    sys.exit(0 if all(results) else 1)
