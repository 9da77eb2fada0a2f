#!/usr/bin/env bash
# Builds all targets with their tests. An import of a target that is not declared is an error, and so is a warning in
# our own sources (-warnings-as-errors would also judge the dependencies'). PortedModels is written as apps are, with what
# the compiler warns of in them.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p .build
log=.build/strata-build.log
swift build --build-tests --explicit-target-dependency-import-check error 2>&1 | tee "$log"

if grep --extended-regexp "^($PWD/)?(Sources|Tests|Examples|Benchmarks|Plugins)/[^ ]*: warning:|^macro expansion .*: warning:" \
    "$log" | grep --invert-match "Tests/PortedModels/" | sort --unique >"$log.warnings"; then
    echo >&2
    echo "Warnings in our own sources:" >&2
    cat "$log.warnings" >&2
    exit 1
fi
