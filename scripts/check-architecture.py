#!/usr/bin/env python3
"""Documentation/Architecture.md says what is: the files of its walks exist and name what they are said to hand over to, its picture has the
dependencies of Package.swift, and its list of folders is complete."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources"
PAGE = ROOT / "Documentation" / "Architecture.md"
text = PAGE.read_text(encoding="utf-8")
found = []

steps = re.findall(r"^\d+\. `([^`]+)` → `([^`]+)`", text, re.M)
if len(steps) < 20:
    found.append("there are no walks to be checked")
for path, name in steps:
    file = SOURCES / path
    if not file.exists():
        found.append(f"{path} is not there")
    elif not re.search(rf"\b{re.escape(name)}\b", file.read_text(encoding="utf-8")):
        found.append(f"{path} does not name {name}")

for module, list_of_folders in re.findall(r"^- `(\w+)`: (.*?)\n(?=- |\n)", text, re.M | re.S):
    said = set(re.findall(r"`(\w+)`", list_of_folders))
    there = {path.name for path in (SOURCES / module).iterdir() if path.is_dir() and any(path.rglob("*.swift"))}
    found += [f"{module} has no folder {name}" for name in sorted(said - there)]
    found += [f"the folder {name} of {module} is missing" for name in sorted(there - said)]

modules_there = {path.name for path in SOURCES.iterdir() if any(path.rglob("*.swift"))}
modules_said = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| `.*$", text, re.M))))
found += [f"the module {name} is missing" for name in sorted(modules_there - modules_said)]

package = (ROOT / "Package.swift").read_text(encoding="utf-8")
drawn = set(re.findall(r"^    (\w+) --> (\w+)$", text, re.M))
modules = {name for pair in drawn for name in pair}
for user in sorted(modules):
    target = re.search(rf'\.(?:target|macro)\(\s*name: "{user}",(.*?)swiftSettings', package, re.S)
    named = set(re.findall(r'"(\w+)"', target[1].split("path:")[0])) & modules if target else set()
    said = {used for one, used in drawn if one == user}
    # What is reached by way of another module is not drawn again.
    reached, pending = set(), list(said)
    while pending:
        module = pending.pop()
        pending += [used for one, used in drawn if one == module and used not in reached]
        reached.add(module)
    found += [f"{user} does not depend on {used}" for used in sorted(said - named)]
    found += [f"{user} depends on {used}, which the picture does not show" for used in sorted(named - reached)]

if found:
    print("\n".join(f"{PAGE.relative_to(ROOT)}: {line}" for line in found), file=sys.stderr)
sys.exit(1 if found else 0)
