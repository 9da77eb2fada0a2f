#!/usr/bin/env python3
"""Writes what `strata new` makes a package of: the files of Examples/Shop as a Swift source. With --check it only says whether that
is up to date: the program has the files in itself, so that it works wherever it is installed."""
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent
template = root / "Examples/Shop"
source = root / "Sources/StrataCommand/ProjectTemplate+Files.swift"
left_out = {".build", ".strata", ".swiftpm", "Package.resolved"}


def files():
    for path in sorted(template.rglob("*")):
        relative = path.relative_to(template)
        if path.is_file() and not left_out & set(relative.parts):
            yield relative.as_posix(), path.read_text()


text = """// Written by scripts/write-template.py from Examples/Shop.
// swift-format-ignore-file

extension ProjectTemplate {
    /// The files with their paths.
    static let files: [(path: String, text: String)] = [
"""
for path, content in files():
    if '"""##' in content or not content.endswith("\n"):
        sys.exit(f"{path} cannot be written as a string: it must end with a line, and have no quotes with two signs behind.")
    text += f'        (\n"{path}",\n##"""\n{content}\n"""##\n        ),\n'
text += "    ]\n}\n"

if sys.argv[1:] == ["--check"]:
    if not source.exists() or source.read_text() != text:
        sys.exit("Examples/Shop has changed, and strata new does not know it: run scripts/write-template.py.")
else:
    source.write_text(text)
