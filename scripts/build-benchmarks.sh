#!/usr/bin/env bash
# Compiles all benchmarks, so that a change of the library does not break them unseen. No test needs them.
set -euo pipefail
cd "$(dirname "$0")/.."

{
    # SwiftPM would otherwise take the plan of whichever package was built last.
    swift build --disable-build-manifest-caching --product StrataMigrationBenchmarks 2>&1
    swift build --product StrataHistoryBenchmarks 2>&1
    # A package of its own; with the same objects, only its own sources are compiled.
    swift build --package-path Benchmarks --scratch-path .build --disable-build-manifest-caching --explicit-target-dependency-import-check error 2>&1
} | scripts/refuse-warnings.sh benchmarks
