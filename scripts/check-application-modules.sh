#!/usr/bin/env bash
# An application links what it runs: the modules behind the products Strata and SwiftData, and none that only people at their desks need
# (Documentation/Decisions/0023-migration-operations.md). SwiftPM's description of the package says what leads where.
set -euo pipefail
cd "$(dirname "$0")/.."

swift package describe --type json | python3 -c '
import json, sys

targets = {target["name"]: target.get("target_dependencies", []) for target in json.load(sys.stdin)["targets"]}
for product in ("Strata", "SwiftData"):
    pending, paths = [product], {product: product}
    while pending:
        target = pending.pop()
        for other in targets[target]:
            if other not in paths:
                paths[other] = f"{paths[target]} -> {other}"
                pending.append(other)
    if "StrataMigrations" not in paths:
        sys.exit(f"The description of the package does not say what {product} depends on.")
    for module in ("StrataMigrationFiles", "StrataMigrationTool", "StrataService", "StrataMetrics", "StrataTracing", "StrataHummingbird",
                   "StrataTestDatabases", "StrataTesting", "StrataBrowsing", "StrataIntrospection"):
        if module in paths:
            sys.exit(f"Every application would compile and link {module}: {paths[module]}.")
'
