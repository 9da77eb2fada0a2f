#!/usr/bin/env python3
"""Where the compiler is told that something may be sent, and does not check it: each place is listed here, and has its reason on the line above.

A new place fails, and so does a listed one that is gone: then it is taken out of the list, which only becomes shorter. What is sent has constants
of Sendable types, a Mutex, or an atomic; what is tied together later is set once (SetOnce).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Eight declarations.
UNCHECKED = {
    "Sources/StrataClient/Concurrency/ShortLock.swift": ["ShortLock"],
    "Sources/StrataClient/Connection/PostgresConnection.swift": ["PostgresConnection"],
    "Sources/StrataClient/Values/PostgresBuffer.swift": ["Storage"],
    "Sources/StrataContext/Concurrency/WeakReference.swift": ["WeakReference"],
    "Sources/StrataContext/Context/DefaultSerialModelExecutor.swift": ["DefaultSerialModelExecutor"],
    "Sources/StrataHummingbird/Sending/SoleWriter.swift": ["SoleWriter"],
    "Sources/StrataModels/Model/AnyAttributeProperty.swift": ["AnyAttributeProperty"],
    "Sources/StrataModels/Model/AttributeProperty.swift": ["AttributeProperty"],
}
# Where a value is given a type that is Sendable: the number of casts. There are no others, and no variable that is nonisolated(unsafe).
CASTS = {
    "Sources/StrataModels/Schema/KeyPath+Sendable.swift": 3,
    "Sources/StrataModels/History/HistoryTombstone.swift": 1,
}
# Other ways around the compiler: an atomic of an unmanaged reference, which nobody retains for who reads it, and a pointer made of its address, which
# is a part of nothing.
AROUND = {
    "Sources/StrataClient/Pool/ParkedConnections.swift": 1,
    "Sources/StrataClient/Waiting/QueryCancellation.swift": 1,
    "Sources/StrataRepository/Mapping/SetOnce.swift": 1,
}

DECLARATION = re.compile(r"\b(?:class|struct|enum|actor|extension) (\w+)")
WAY_AROUND = re.compile(r"Atomic<Unmanaged<|OpaquePointer\(\s*bitPattern:")
COMMENT = re.compile(r"//[^\n]*")


def casts_to_sendable(code):
    """How many calls of unsafeBitCast name Sendable, on however many lines they stand."""
    found = 0
    for call in re.finditer(r"\bunsafeBitCast\(", code):
        depth, end = 1, call.end()
        while depth and end < len(code):
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        found += bool(re.search(r"Sendable", code[call.end():end]))
    return found


def findings(path, text):
    lines = text.splitlines()
    declared = []
    for number, line in enumerate(lines):
        if line.lstrip().startswith("//"):
            continue
        place = f"{path}:{number + 1}"
        if "@unchecked Sendable" in line:
            name = DECLARATION.search(line)
            declared.append(name[1] if name else "?")
            above = lines[number - 1].strip()
            while above.startswith("@"):
                number -= 1
                above = lines[number - 1].strip()
            if not above.startswith("//"):
                yield f"{place}: say on the line above what protects it"
        if "nonisolated(unsafe)" in line:
            yield f"{place}: nonisolated(unsafe) is checked by nobody"
    code = COMMENT.sub("", text)
    casts, around = casts_to_sendable(code), len(WAY_AROUND.findall(code))
    if declared != UNCHECKED.get(path, []):
        yield f"{path}: unchecked are {declared or 'none'}, and {UNCHECKED.get(path) or 'none'} in the list"
    if casts != CASTS.get(path, 0):
        yield f"{path}: {casts} casts to a type that is Sendable, and {CASTS.get(path, 0)} in the list"
    if around != AROUND.get(path, 0):
        yield f"{path}: {around} ways around the compiler, and {AROUND.get(path, 0)} in the list"


def main():
    found = []
    for file in sorted([*(ROOT / "Sources").rglob("*.swift"), *(ROOT / "Macros" / "Sources").rglob("*.swift")]):
        found += findings(str(file.relative_to(ROOT)), file.read_text(encoding="utf-8"))
    found += [f"{path} is not there" for path in {**UNCHECKED, **CASTS, **AROUND} if not (ROOT / path).exists()]
    for finding in found:
        print(finding, file=sys.stderr)
    if found:
        print("See the head of scripts/check-sendable.py.", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
