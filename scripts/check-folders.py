#!/usr/bin/env python3
"""Folders of a module do not use each other both ways: a folder may use what stands before it, and nothing that stands behind it.

A folder uses another when a type that is declared there is named in it; members do not count. What is left of pairs that use each
other is listed below, by module. A new pair fails, and so does a listed pair that is gone.

    scripts/check-folders.py                    what is not allowed
    scripts/check-folders.py StrataContext      all pairs of a module, with the names that lead from one to the other
"""
import collections
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"

# Pairs that still use each other: an object and its state, a context and what it works with, and the caches of a mapping.
LEFT = {
    "StrataContext": [
        ("Container", "Context"), ("Container", "Migrating"), ("Container", "Observing"), ("Context", "UnitOfWork"),
        ("Undo", "UnitOfWork"),
    ],
    "StrataModels": [
        ("Errors", "Model"), ("Errors", "Snapshots"), ("Model", "Relationships"), ("Model", "Schema"), ("Model", "Snapshots"),
        ("Model", "Storage"), ("Relationships", "Schema"), ("Relationships", "Storage"), ("Schema", "Storage"),
    ],
    "StrataRepository": [("Fetch", "Mapping"), ("Mapping", "Save"), ("Pending", "Predicates")],
}

DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)\n]*\))?\s+)*(?:(?:public|package|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)", re.M)
# Comments, and texts without what they interpolate.
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
LONG_TEXT = re.compile(r'"""(.*?)"""', re.S)
TEXT = re.compile(r'"((?:\\\((?:[^()"]|\([^()]*\))*\)|\\.|[^"\\\n])*)"')
INTERPOLATION = re.compile(r"\\\(((?:[^()]|\([^()]*\))*)\)")


def code(text):
    """Swift without comments and texts."""
    kept = lambda match: " ".join(INTERPOLATION.findall(match[1]))
    return COMMENT.sub(" ", TEXT.sub(kept, LONG_TEXT.sub(kept, text)))


def uses(module):
    """Which folders of a module use which others: (user, used) with the names of types."""
    folder = SOURCES / module
    files = {file: code(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.swift"))}
    homes = collections.defaultdict(set)
    for file, text in files.items():
        for name in DECLARATION.findall(text):
            homes[name].add(file.parent)
    found = collections.defaultdict(set)
    for file, text in files.items():
        for name in set(re.findall(r"\b[A-Z]\w+\b", text)) & homes.keys():
            # A name that several folders declare says nothing.
            if len(homes[name]) == 1 and (home := next(iter(homes[name]))) != file.parent:
                user, used = (str(path.relative_to(folder)) for path in (file.parent, home))
                found[user, used].add(name)
    return found


def pairs(found):
    return sorted((one, other) for one, other in found if one < other and (other, one) in found)


def main(modules):
    if modules:
        for module in modules:
            found = uses(module)
            for one, other in pairs(found):
                print(f"{one} > {other}: {', '.join(sorted(found[one, other]))}")
                print(f"{other} > {one}: {', '.join(sorted(found[other, one]))}")
        return 0
    failures = []
    for module in sorted(path.name for path in SOURCES.iterdir() if any(path.rglob("*.swift"))):
        found, left = uses(module), LEFT.get(module, [])
        now = pairs(found)
        for one, other in now:
            if (one, other) not in left:
                failures.append(
                    f"{module}: {one} and {other} use each other: {one} names {', '.join(sorted(found[one, other]))};"
                    f" {other} names {', '.join(sorted(found[other, one]))}")
        failures += [
            f"{module}: {one} and {other} no longer use each other: take the pair out of {sys.argv[0]}"
            for one, other in left if (one, other) not in now]
    if failures:
        print("\n".join(failures), file=sys.stderr)
        print("Move a type to the folder that its users may use, or a function to the folder of what it uses.", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
