#!/usr/bin/env bash
# Builds all targets with their tests, and the benchmarks. An import of a target that is not declared is an error, and so
# is a warning in our own sources (-warnings-as-errors would also judge the dependencies'). PortedModels is written as apps
# are, with what the compiler warns of in them.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p .build
log=.build/strata-build.log
# The macros with their tests, a package of their own. SwiftPM would otherwise take the plan of whichever package was built last.
swift build --package-path Macros --scratch-path .build --disable-build-manifest-caching --build-tests \
    --explicit-target-dependency-import-check error 2>&1 | tee "$log"
swift build --disable-build-manifest-caching --build-tests --explicit-target-dependency-import-check error 2>&1 |
    tee --append "$log"
# A package of its own; with the same objects, only its own sources are compiled.
swift build --package-path Benchmarks --scratch-path .build --explicit-target-dependency-import-check error 2>&1 |
    tee --append "$log"

# The program that the README begins with, as it stands there.
swift build --package-path Examples/FirstFetch --scratch-path .build 2>&1 | tee --append "$log"

if grep --extended-regexp "^($PWD/)?(Sources|Macros|Tests|Examples|Benchmarks|Plugins)/[^ ]*: warning:|^macro expansion .*: warning:" \
    "$log" | grep --invert-match "Tests/PortedModels/" | sort --unique >"$log.warnings"; then
    echo >&2
    echo "Warnings in our own sources:" >&2
    cat "$log.warnings" >&2
    exit 1
fi
