#!/usr/bin/env bash
# Builds all targets with their tests, and the benchmarks. An import of a target that is not declared is an error, and so
# is a warning in our own sources (-warnings-as-errors would also judge the dependencies'). PortedModels is written as apps
# are, with what the compiler warns of in them.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p .build
log=.build/strata-build.log
swift build --build-tests --explicit-target-dependency-import-check error 2>&1 | tee "$log"
# A package of its own; with the same objects, only its own sources are compiled.
swift build --package-path Benchmarks --scratch-path .build --explicit-target-dependency-import-check error 2>&1 |
    tee --append "$log"

# The program that the README begins with, as it stands there.
swift build --package-path Examples/FirstFetch --scratch-path .build 2>&1 | tee --append "$log"

# The recipe of one package for an app and a server: its sources are targets here, its manifest is read.
swift package --package-path Examples/SharedModels dump-package >/dev/null

if grep --extended-regexp "^($PWD/)?(Sources|Tests|Examples|Benchmarks|Plugins)/[^ ]*: warning:|^macro expansion .*: warning:" \
    "$log" | grep --invert-match "Tests/PortedModels/" | sort --unique >"$log.warnings"; then
    echo >&2
    echo "Warnings in our own sources:" >&2
    cat "$log.warnings" >&2
    exit 1
fi
