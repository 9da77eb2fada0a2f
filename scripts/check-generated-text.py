#!/usr/bin/env python3
"""Planner, runner and container read no text that they have written for PostgreSQL or for people
(Documentation/Decisions/0023-migration-operations.md): what a step means is told by its operation.

`Writing` and `SQL` are not among the folders: the ledger keeps a step as text, by the words of its file and by its tokens.
"""
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"
FOLDERS = [
    "StrataMigrations/Changes", "StrataMigrations/Operations", "StrataMigrations/Planning", "StrataMigrations/Steps",
    "StrataMigrations/Running", "StrataMigrations/History", "StrataMigrations/Frozen", "StrataMigrations/Drift",
    "StrataContext/Migrating", "StrataMigrationTool/Commands", "StrataMigrationTool/Planning",
]

# A list or a set is asked with `contains(name)`; of a text it is a literal that somebody looks for.
READING = re.compile(
    r"hasPrefix\(|hasSuffix\(|split\((separator|whereSeparator|maxSplits|omitting)|contains\(\"|contains\(/|firstRange|components\(|starts\(with|ends\(with|[mM]atch(es)?\((of: *)?/|Match\(|\"\]\.contains\(|[tT]ype [!=]= \"|problem [!=]= \"")

# The lines that read another text, each with what it is.
ALLOWED = {
    "hasSuffix(Self.back)": "a stage's name in the ledger, 0004_v3_v4.down: StageName is where it is read",
    'text.split(separator: ".", omittingEmptySubsequences: false)': "a version in the ledger or in a file: 1.2.0",
    '"\\n<<<<<<< "': "a merge that nobody has resolved, in a file",
    'name.split(separator: ".", maxSplits: 1': "a pattern of the user's: index:trip.tmp_*",
    "split(whereSeparator: \\.isWhitespace)": "a message that is made shorter",
    "String(reflecting: entity.descriptor.type)": "the name of a Swift type",
    'name.contains { $0.contains("(") }': "the same",
    'split(separator: "\\n"': "lines that are printed",
}

# Files that take SQL apart: of somebody else, for a checksum, or to print it on one line.
TOKENIZING = {"FillExpression.swift", "RunStatement.swift", "ViewInspection.swift"}

found, used, tokenizing = [], set(), set()
for folder in FOLDERS:
    files = sorted((SOURCES / folder).rglob("*.swift"))
    if not files:
        sys.exit(f"There are no sources in {folder}: name the folder anew in {sys.argv[0]}.")
    for file in files:
        text = file.read_text(encoding="utf-8")
        if "SQLTokenizer." in text:
            tokenizing.add(file.name)
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith("//") or not READING.search(line):
                continue
            allowed = [piece for piece in ALLOWED if piece in line]
            used.update(allowed)
            if not allowed:
                found.append(f"{file.relative_to(SOURCES.parent)}:{number}: {line.strip()}")

found += [f"{name} takes SQL apart" for name in sorted(tokenizing - TOKENIZING)]
found += [f"{name} takes no SQL apart any more: {sys.argv[0]} still allows it" for name in sorted(TOKENIZING - tokenizing)]
found += [f"nothing has {piece} any more: {sys.argv[0]} still allows it" for piece in ALLOWED if piece not in used]
if found:
    print("\n".join(found), file=sys.stderr)
    sys.exit("Text that was generated is not read back: ask the step's operation, or say in the script what else is read.")
