#!/usr/bin/env python3
"""Makes model classes of databases that others have made, and looks what they are worth: for each the share of tables, columns and
constraints that the classes express, whether they compile without edits, whether a container opens on the tables, whether every row and
every link that is read through objects is what SQL reads, column by column, and, with --write, whether what objects change, delete and insert
is what SQL reads afterwards.

    scripts/check-introspection.py --fill 5 --write chinook=/tmp/Chinook_PostgreSql.sql pagila=/tmp/schema.sql,/tmp/data.sql

Each argument is a name and a dump for psql; several files of one database are separated by commas. Databases are made and dropped on the
server that libpq's variables (PGHOST, PGUSER ...) name; --keep leaves them. Dumps are not part of this repository. --fill puts so many rows of made
values into each table that has none (fill-database.py). Needs a build (make build): the classes are compiled beside its objects. --only-classes
stops behind the classes, --gaps prints what they do not express, by reason. Exits with 1 when a statement of a dump fails, when there are no
classes, or they do not compile, do not open, or read or write something else than SQL. How much they express is printed and not judged: a
table without anything unique cannot have a class."""
import argparse
import collections
import json
import os
import re
import resource
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
func text<Bound>(_ value: PostgresRange<Bound>) -> Text { value.postgresText }
func text(_ value: some PersistentModel) -> Text {
    Swift.String(value.persistentModelID.description.split(separator: "/").last ?? "")
}
func text(_ value: some Encodable) -> Text {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { Text(decoding: $0, as: UTF8.self) } ?? "?"
}
func text<Value>(_ value: [Value], _ element: (Value) -> Text) -> Text { "[" + value.map(element).joined(separator: "\\u{1}") + "]" }

func emit(_ row: [[Swift.String?]]) throws {
    FileHandle.standardOutput.write(try JSONEncoder().encode(row) + Data("\\n".utf8))
}

/// What became of writes, for one class.
@MainActor final class Writes {
    let context: ModelContext
    var outcomes: [Swift.String: Int] = [:]
    init(_ context: ModelContext) { self.context = context }

    /// Saves, and counts what the database says.
    func save(_ what: Swift.String) async -> Bool {
        do {
            try await context.save()
            outcomes[what, default: 0] += 1
            return true
        } catch let error as SwiftDataError {
            context.rollback()
            outcomes["\\(what) refused: \\(error.underlying?.sqlState.map { "\\($0)" } ?? "\\(error.code)")", default: 0] += 1
        } catch {
            context.rollback()
            outcomes["\\(what) failed without a typed error: \\(error)", default: 0] += 1
        }
        return false
    }

    func change<Model: PersistentModel, Value>(_ path: ReferenceWritableKeyPath<Model, Value>, of one: Model, to other: Model) async {
        one[keyPath: path] = other[keyPath: path]
        _ = await save("change")
    }
}

@main @MainActor struct Check {
    static func main() async {
        do {
            try await check()
        } catch {
            FileHandle.standardError.write(Data("\\(error)\\n".utf8))
            exit(1)
        }
    }

    static func check() async throws {
        var configuration = ModelConfiguration(url: URL(string: CommandLine.arguments[1])!)
        configuration.tables = .external
        let start = ContinuousClock.now
        let container = try await ModelContainer(
            for: Schema(versionedSchema: CheckSchema.self), configurations: [configuration])
        try emit([["OPENED"], ["\\(ContinuousClock.now - start)"]])
        if CommandLine.arguments[2] == "write" {
            let context = ModelContext(container)
            var touched: [@MainActor () throws -> Void] = []
WRITES
            for touch in touched { try touch() }
        } else {
READS
        }
        await container.close()
    }
}
"""

READ = """@MainActor func readCLASS(_ container: ModelContainer) async throws {
    do { try await fetchCLASS(container) } catch { try emit([["ERROR", "CLASS"], ["\\(error)"]]) }
}
@MainActor func fetchCLASS(_ container: ModelContainer) async throws {
    let context = ModelContext(container)
    PREFETCHINGdescriptor = FetchDescriptor<CLASS>()
    PREFETCHES
    for object in try await context.fetch(descriptor) where type(of: object) == CLASS.self {
        try emit([["CLASS", text(object)], valuesOfCLASS(object)LINKS])
    }
}
func valuesOfCLASS(_ object: CLASS) -> [Swift.String?] {
    [
VALUES
    ]
}
"""

WRITE = """@MainActor func writeCLASS(_ context: ModelContext, _ touched: inout [@MainActor () throws -> Void]) async throws {
    let writes = Writes(context)
    var descriptor = FetchDescriptor<CLASS>()
    descriptor.fetchLimit = 5
    let objects = try await context.fetch(descriptor).filter { type(of: $0) == CLASS.self }
    for object in objects {
        touched.append { if !object.isDeleted { try emit([["CLASS", text(object)], valuesOfCLASS(object)]) } }
    }
    if objects.count > 1 {
CHANGES
    }
    if let last = objects.last {
VALUES
        context.delete(last)
        let isDeleted = await writes.save("delete")
        if isDeleted || GIVESKEY {
            let copy = CLASS(ARGUMENTS)
ASSIGNMENTS
            context.insert(copy)
            if await writes.save(isDeleted ? "insert" : "insert beside") {
                touched.append { if !copy.isDeleted { try emit([["CLASS", text(copy)], valuesOfCLASS(copy)]) } }
            }
        }
    }
    for (outcome, count) in writes.outcomes.sorted(by: { $0.key < $1.key }) { try emit([["OUTCOME", "CLASS"], [outcome, "\\(count)"]]) }
}
"""

QUIET = """
DO $$
DECLARE name regclass;
BEGIN
    FOR name IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', name);
    END LOOP;
END $$
"""

NUMBERS = {"Int", "Int16", "Int32"}
SCALARS = {"String", "Int", "Int16", "Int32", "Bool", "Decimal", "Double", "Float", "UUID", "Data", "Date", "JSONValue",
           "CalendarDate", "TimeOfDay", "CalendarInterval"}


def run(*command, **options):
    return subprocess.run(command, text=True, capture_output=True, cwd=ROOT, **options)


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def query(database, sql):
    result = run("psql", "-X", "-q", "-A", "-t", "-d", database, "-v", "ON_ERROR_STOP=1", "-f", "-", input=sql)
    if result.returncode:
        sys.exit(f"{database}: {result.stderr}\n{sql[:2000]}")
    return result.stdout


def load(database, files):
    """Whether every statement of the dump went through."""
    is_whole = True
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
            print(f"{database}: {len(errors)} statements of {Path(file).name} failed, the first with: {errors[0]}")
    return is_whole


def url(database):
    user = os.environ.get("PGUSER", "postgres")
    host, port = os.environ.get("PGHOST", "localhost"), os.environ.get("PGPORT", "5432")
    return f"postgres://{user}@/{database}?host={host}&port={port}"


def snake(name):
    return re.sub(r"(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Property:
    def __init__(self, name, type_, options):
        self.name, self.type, self.options = name, type_.strip(), options or ""
        self.base = self.type.rstrip("?")
        self.is_key = ".primaryKey" in self.options

    def label(self, word):
        found = re.search(rf'\b{word}: "((?:[^"\\]|\\.)*)"', self.options)
        return json.loads('"' + found.group(1) + '"') if found else None

    @property
    def column(self):
        return self.label("column") or snake(self.name)

    @property
    def columns(self):
        found = re.search(r"\bcolumns: \[([^\]]*)\]", self.options)
        return json.loads("[" + found.group(1) + "]") if found else None

    @property
    def inverse(self):
        found = re.search(r"inverse: \\(\w+)\.(\w+)", self.options)
        return found.groups() if found else None


class Model:
    """A class as its file has it."""

    def __init__(self, text, header):
        arguments = dict(re.findall(r'(\w+): "((?:[^"\\]|\\.)*)"', header.group(1) or ""))
        self.name, self.superclass_name = header.group(2), header.group(3)
        self.table = json.loads('"' + arguments["table"] + '"') if "table" in arguments else snake(self.name)
        self.class_column = arguments.get("classColumn", "class")
        self.key_column = arguments.get("keyColumn", "pk")
        self.all = [
            Property(name, type_, options)
            for options, name, type_ in re.findall(
                r"(?:@(?:Attribute|Relationship)\(((?:[^()]|\([^)]*\))*)\)\s+)?public var (\w+): ([^\n=]+)", text)]
        key = re.search(r"#PrimaryKey<\w+>\(\[([^\]]*)\]\)", text)
        self.parts = re.findall(r"\\\.(\w+)", key.group(1)) if key else []
        self.required = re.findall(r"(\w+): ", re.search(r"public init\((.*)\) \{", text).group(1))

    def resolve(self, models):
        self.superclass = models.get(self.superclass_name)
        self.properties = [p for p in self.all if not p.inverse and not self.is_list_of_objects(p, models)]
        for p in self.properties:
            p.target = models.get(p.base)
        self.key_property = next((p for p in self.properties if p.is_key), None)
        # The end of a relationship to many at both ends that says the table.
        self.links = [
            p for p in self.all
            if p.inverse and p.base.startswith("[")
            and next(q for q in models[p.inverse[0]].all if q.name == p.inverse[1]).base == f"[{self.name}]"]

    def is_list_of_objects(self, p, models):
        return p.base.startswith("[") and p.base.strip("[]") in models

    @property
    def chain(self):
        return (self.superclass.chain if self.superclass else []) + [self]

    @property
    def root(self):
        return self.chain[0]

    def key_columns(self):
        """Each column of the key, and whether it is a number, a date, or neither."""
        def kind(p):
            if p.target:
                return p.target.root.key_columns()[0][1]
            return "number" if p.base in NUMBERS else "date" if p.base == "Date" else "text"
        if self.parts:
            parts = [next(p for p in self.properties if p.name == name) for name in self.parts]
            return [(p.column, kind(p)) for p in parts]
        if self.key_property:
            return [(self.key_property.column, kind(self.key_property))]
        return [(self.key_column, "number")]


def key_sql(columns, kinds, is_composed):
    """A key as one text."""
    if not is_composed:
        return f"{columns[0]}::text"
    parts = [f"to_jsonb({column})" if kind == "number" else f"to_jsonb({column}::timestamptz AT TIME ZONE 'UTC')" if kind == "date"
             else f"to_jsonb({column}::text)" for column, kind in zip(columns, kinds)]
    return "(" + " || ".join(parts + (["'[]'::jsonb"] if len(parts) == 1 else [])) + ")::text"


def key_of(model, table=None):
    prefix = quoted(table) + "." if table else ""
    columns = model.root.key_columns()
    return key_sql([prefix + quoted(c) for c, _ in columns], [k for _, k in columns], bool(model.root.parts))


def key_text(written):
    """What an identifier has of a key."""
    if not written.startswith("_"):
        return written
    return re.sub(rb"~([0-9a-f]{2})", lambda m: bytes([int(m.group(1), 16)]), written[1:].encode()).decode()


def expression(p):
    """How a value of a property is written as text in Swift."""
    make = (lambda value: f"text({value}, {{ text($0) }})") if p.base.startswith("[") else (lambda value: f"text({value})")
    if p.type.endswith("?"):
        return f"object.{p.name}.map {{ {make('$0')} }}"
    return make(f"object.{p.name}")


def sql_text(p, table, is_part=False):
    """The same text in SQL."""
    prefix = quoted(table) + "."
    if p.target:
        names = p.columns or [p.column]
        key = p.target.root.key_columns()
        if p.target.root.parts and not p.columns:
            names = [f"{snake(p.name)}_{column}" for column, _ in key] if len(key) > 1 or not p.label("column") else [p.column]
        return key_sql([prefix + quoted(name) for name in names], [kind for _, kind in key], bool(p.target.root.parts))
    column = prefix + quoted(p.column)

    def scalar(value, base):
        return {
            "Data": f"encode({value}, 'hex')",
            # The session is in UTC.
            # Infinity is distantFuture, and without a beginning distantPast.
            "Date": f"CASE {value} WHEN 'infinity' THEN '64092211200000000' WHEN '-infinity' THEN '-62135769600000000' "
                    f"ELSE ((extract(epoch FROM ({value})::timestamptz) * 1000000)::bigint)::text END",
            "CalendarInterval": f"(extract(year FROM {value}) * 12 + extract(month FROM {value}))::int || ' ' || extract(day FROM {value})::int "
                                f"|| ' ' || (extract(hour FROM {value}) * 3600000000 + extract(minute FROM {value}) * 60000000 "
                                f"+ extract(microseconds FROM {value}))::bigint",
            "Decimal": f"trim_scale({value})::text",
            "Double": f"(('x' || encode(float8send({value}), 'hex'))::bit(64)::bigint)::text",
            "Float": f"(('x' || encode(float4send({value}), 'hex'))::bit(32)::bigint & 4294967295)::text",
        }.get(base, f"({value})::text")
    if p.base.startswith("["):
        return (f"CASE WHEN {column} IS NULL THEN NULL ELSE '[' || coalesce((SELECT string_agg({scalar('u.v', p.base.strip('[]'))}, E'\\x01' "
                f"ORDER BY u.n) FROM unnest({column}) WITH ORDINALITY AS u (v, n)), '') || ']' END")
    # Of a key it is the text without its blanks.
    if p.base == "String" and not p.is_key and not is_part:
        # A cast of char(n) to text takes blanks away, which concat leaves.
        return f"CASE WHEN {column} IS NULL THEN NULL ELSE concat({column}) END"
    return scalar(column, p.base)


def same(mine, theirs, p):
    if mine is None or theirs is None:
        return mine is theirs
    if p.target:
        return key_text(mine) == theirs
    if p.base == "JSONValue":
        return json.loads(mine, parse_float=Decimal) == json.loads(theirs, parse_float=Decimal)
    if p.base == "Double":
        return int(mine) == int(theirs) % (1 << 64)
    if p.base == "Decimal":
        return Decimal(mine) == Decimal(theirs)
    if p.base.startswith("PostgresRange<Date>"):
        def moments(text):
            return re.sub(r"(\.\d*?)0+(?=[+-])", r"\1", text).replace("T", " ").replace('"', "").replace("Z", "+00").replace(".+", "+")
        return moments(mine) == moments(theirs)
    if p.base.startswith("PostgresRange<"):
        return mine.replace('"', "") == theirs.replace('"', "")
    return mine == theirs


class Comparison:
    """What objects have, beside what SQL reads."""

    def __init__(self, database, models):
        self.database, self.models = database, models
        self.rows = self.values = self.links = self.differing = 0
        self.examples = []

    def differ(self, line):
        self.differing += 1
        self.examples.append(line)

    def compare(self, found, is_whole=True):
        """All rows of all classes, or those that were found."""
        parents = set(query(
            self.database, "SELECT DISTINCT inhparent::regclass::text FROM pg_inherits JOIN pg_class c ON c.oid = inhparent "
            "WHERE relkind = 'r'").split("\n"))
        for model in self.models:
            mine = {key_text(key): rest for (name, key), *rest in found if name == model.name}
            if not is_whole and not mine:
                continue
            chain = model.chain
            tables = [part.table for part in chain]
            typed = [(table, p) for table, part in zip(tables, chain) for p in part.properties]
            selects = ", ".join(sql_text(p, table, p.name in model.parts) for table, p in typed) or "NULL"
            key = model.root.key_columns()[0][0]
            # Rows of tables that inherit from one are none of its class's.
            sources = " JOIN ".join(("ONLY " if table in parents else "") + quoted(table) + (f" USING ({quoted(key)})" if index else "") for index, table in enumerate(tables))
            where = ""
            if len(tables) > 1 or any(other.superclass is model for other in self.models):
                where = f" WHERE {quoted(model.root.class_column)} = '{model.name}'"
            sql = (f"SET TimeZone = 'UTC'; SELECT json_build_array({key_of(model, model.root.table)}, ARRAY[{selects}]::text[]) "
                   f"FROM {sources}{where};")
            theirs = [json.loads(line) for line in query(self.database, sql).splitlines()]
            self.rows += len(theirs)
            if is_whole and sorted(mine) != sorted(key for key, _ in theirs):
                self.differ(f"{model.name}: {len(mine)} objects, {len(theirs)} rows")
            by_key = dict(theirs)
            for key, (values, *_) in mine.items():
                if key not in by_key:
                    self.differ(f"{model.name} {key} is no row")
                    continue
                for (table, p), one, other in zip(typed, values, by_key[key]):
                    self.values += 1
                    if not same(one, other, p):
                        self.differ(f"{model.name}.{p.name} of {key}: object {one!r}, SQL {other!r}")
            if is_whole:
                self.compare_links(model, mine)

    def compare_links(self, model, mine):
        by_name = {other.name: other for other in self.models}
        for place, p in enumerate(model.links):
            target = by_name[p.inverse[0]]
            table = p.label("table") or f"{snake(model.name)}_{snake(p.name)}"
            own, other = p.label("column"), p.label("inverseColumn")
            if not own:
                is_reflexive = model is target
                own = f"{snake(p.inverse[1]) if is_reflexive else model.table}_{model.root.key_columns()[0][0]}"
                other = f"{snake(p.name) if is_reflexive else target.table}_{target.root.key_columns()[0][0]}"
            sql = f"SELECT json_build_array({quoted(own)}::text, {quoted(other)}::text) FROM {quoted(table)};"
            theirs = sorted(tuple(json.loads(line)) for line in query(self.database, sql).splitlines())
            ours = sorted((key, key_text(link)) for key, rest in mine.items() for link in rest[1 + place])
            self.links += len(theirs)
            if ours != theirs:
                self.differ(f"{model.name}.{p.name}: {len(ours)} links of objects, {len(theirs)} rows of {table}")


def program(folder, models, writes):
    """The program that reads and writes objects of the classes."""
    target = folder / "Sources/IntrospectionCheck"
    target.mkdir(parents=True, exist_ok=True)
    reads, changes = "", ""
    for start in range(0, len(models), 25):
        text = "import CheckedModels\nimport Foundation\nimport Strata\n\n"
        for model in models[start:start + 25]:
            properties = [p for part in model.chain for p in part.properties]
            prefetches = ", ".join(f"\\.{p.name}" for p in model.links)
            read = READ.replace("PREFETCHING", "var " if prefetches else "let ")
            read = read.replace("    PREFETCHES\n", f"    descriptor.relationshipKeyPathsForPrefetching = [{prefetches}]\n" if prefetches else "")
            read = read.replace("LINKS", "".join(f", object.{p.name}.map {{ text($0) }}" for p in model.links))
            text += read.replace("VALUES", "\n".join(f"        {expression(p)}," for p in properties) or "").replace("CLASS", model.name)
            reads += f"            try await read{model.name}(container)\n"
            if not writes:
                continue
            key = {p.name for p in properties if p.is_key} | set(model.root.parts)
            plain = [p for p in properties if p.name not in key]
            write = WRITE.replace(
                "CHANGES", "\n".join(f"        await writes.change(\\.{p.name}, of: objects[0], to: objects[1])" for p in plain))
            write = write.replace("VALUES", "\n".join(f"        let old_{p.name} = last.{p.name}" for p in properties))
            # Beside an object with a key of the caller's no other can have it.
            write = write.replace("GIVESKEY", "false" if key else "true")
            write = write.replace("ARGUMENTS", ", ".join(f"{name}: old_{name}" for name in model.required))
            write = write.replace("ASSIGNMENTS", "\n".join(
                f"            copy.{p.name} = old_{p.name}" for p in properties if p.name not in model.required))
            text += write.replace("CLASS", model.name)
            changes += f"            try await write{model.name}(context, &touched)\n"
        write_changed(target / f"Classes{start}.swift", text)
    write_changed(target / "Check.swift", PROGRAM.replace("WRITES", changes.rstrip("\n")).replace("READS", reads.rstrip("\n")))


def write_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def report_gaps(outcome):
    def reason(text):
        text = re.sub(r"^the check .*", "a check is the server's alone", text)
        text = re.sub(r"the (unique )?index \S+.*is partial.*", r"a \1index is partial", text)
        text = re.sub(r"\(.*?\)+", "(...)", text)
        text = re.sub(r"^(foreign key|index|constraint|table|column) \S+?:?(?= )", r"\1", text)
        text = re.sub(r"(leads to|that of a row of|index|words for the default|the domain|inherits from|the rows of) \S+", r"\1 ...", text)
        return text
    for text, count in collections.Counter(reason(gap["reason"]) for gap in outcome["gaps"]).most_common():
        print(f"    {count:5} {text[:150]}")


def check(name, files, options):
    """Whether the classes are there, compile, open, and read and write what SQL reads."""
    database = f"introspected_{name}"
    is_whole = load(database, files)
    if options.fill:
        print(run(sys.executable, str(ROOT / "scripts/fill-database.py"), database, str(options.fill)).stdout.strip())
    # Always the same one: what is there is not compiled anew with --keep.
    folder = Path(tempfile.gettempdir()) / f"strata-introspection-{name}"
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    try:
        sources = folder / "Sources/CheckedModels"
        command = [str(ROOT / ".build/debug/strata"), "introspect", "--database-url", url(database), "--name", "CheckSchema", "--out",
                   str(sources), "--overwrite", "--json"]
        made = run(*command)
        if made.returncode:
            print(f"{name}: no classes: {made.stderr.strip()}")
            return False
        outcome = json.loads(made.stdout)
        shares = ", ".join(
            f"{part['expressed']} of {part['total']} {what} ({100 * part['expressed'] / max(part['total'], 1):.1f} %)"
            for what, part in ((what, outcome["coverage"][what]) for what in ("tables", "columns", "constraints")))
        print(f"{name}: {shares}; {len(outcome['gaps'])} remarks")
        if options.gaps:
            report_gaps(outcome)
        again = json.loads(run(*command).stdout)
        changed = len(again["written"]) + len(again["removed"]) + len(again["left"])
        print(f"{name}: a second run changes {changed} files")
        if options.only_classes:
            return is_whole and changed == 0
        models = []
        for path in sorted(sources.glob("*.swift")):
            text = path.read_text()
            SCALARS.update(re.findall(r"^public enum (\w+): String", text, re.M))
            header = re.search(r"^@Model(?:\((.*)\))?\n(?:public )?(?:final )?class (\w+)(?:: (\w+))?", text, re.M)
            if header:
                models.append(Model(text, header))
        by_name = {model.name: model for model in models}
        for model in models:
            model.resolve(by_name)
        write_changed(folder / "Package.swift", PACKAGE.format(root=ROOT, identity=ROOT.name))
        program(folder, models, options.write)
        shared = ["--package-path", str(folder), "--scratch-path", ".build", "--disable-build-manifest-caching"]
        seconds = []
        for part in (["--target", "CheckedModels"], ["--product", "IntrospectionCheck"]):
            # Of the processor: how long it takes depends on what else the machine does.
            start = processor_seconds()
            built = run("swift", "build", *shared, *part)
            seconds.append(processor_seconds() - start)
            if built.returncode:
                errors = [line for line in (built.stdout + built.stderr).splitlines() if "error:" in line]
                print(f"{name}: does not compile: " + "\n".join(errors[:10]))
                return False
        warnings = [line for line in built.stdout.splitlines() if "warning:" in line and str(sources) in line]
        print(f"{name}: {len(models)} classes compile in {seconds[0]:.0f} s of the processor, with {len(warnings)} warnings; the program in "
              f"{seconds[1]:.0f} s")
        binary = str(ROOT / ".build/debug/IntrospectionCheck")

        def compared(what, mode, database, is_judged=True):
            result = run(binary, url(database), mode)
            if result.returncode:
                print(f"{name}: the program fails ({what}): {result.stderr.strip()[-3000:]}")
                return False
            lines = [json.loads(line) for line in result.stdout.splitlines()]
            comparison = Comparison(database, models)
            for head, rest in (line for line in lines if line[0][0] == "ERROR"):
                comparison.differ(f"{head[1]}: {rest[0]}")
            comparison.compare([line for line in lines if line[0][0] in by_name], is_whole=mode == "read")
            if mode == "read":
                opened = next(line[1][0] for line in lines if line[0] == ["OPENED"])
                print(f"{name}: {what}: opened in {opened}; {comparison.rows} rows, {comparison.values} values and {comparison.links} links "
                      f"compared, {comparison.differing} differ")
            else:
                counts = collections.Counter()
                for head, rest in (line for line in lines if line[0][0] == "OUTCOME"):
                    counts[rest[0]] += int(rest[1])
                print(f"{name}: {what}: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
                print(f"{name}: {what}: {comparison.values} values compared, {comparison.differing} differ"
                      + ("" if is_judged else ", which triggers have written"))
                if any("without a typed error" in outcome for outcome in counts):
                    return False
            if is_judged:
                for line in comparison.examples[:options.examples]:
                    print("    " + line)
            return comparison.differing == 0 or not is_judged
        is_right = compared("read", "read", database)
        if options.write:
            # What objects have is what was written where nobody else writes: in a copy without triggers. Then with them.
            quiet = f"{database}_quiet"
            run("dropdb", "--if-exists", "--force", quiet)
            run("createdb", "--template", database, quiet, check=True)
            query(quiet, QUIET)
            is_right = compared("written without triggers", "write", quiet) and is_right
            run("dropdb", "--force", quiet)
            has_triggers = query(database, "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'").strip() != "0"
            is_right = compared("written", "write", database, is_judged=not has_triggers) and is_right
            is_right = compared("read again", "read", database) and is_right
        return is_whole and changed == 0 and is_right
    finally:
        if not options.keep:
            shutil.rmtree(folder)
            run("dropdb", "--force", database)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("databases", nargs="+", metavar="name=dump.sql")
    parser.add_argument("--only-classes", action="store_true")
    parser.add_argument("--gaps", action="store_true")
    parser.add_argument("--fill", type=int, default=0, metavar="ROWS")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--examples", type=int, default=5)
    arguments = parser.parse_args()
    results = []
    for argument in arguments.databases:
        name, _, files = argument.partition("=")
        results.append(check(name, files.split(","), arguments))
        sys.stdout.flush()
    sys.exit(0 if all(results) else 1)
