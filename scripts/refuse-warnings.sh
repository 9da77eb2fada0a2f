#!/usr/bin/env bash
# Passes a build's output on and fails at its end if the compiler has warned of our own sources (-warnings-as-errors would also
# judge the dependencies'). PortedModels is written as apps are, with what the compiler warns of in them.
#
#     swift build 2>&1 | scripts/refuse-warnings.sh <name of the log>
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p .build
log=.build/strata-$1.log
tee "$log"
if grep --extended-regexp "^($PWD/)?(Sources|Macros|Tests|Examples|Benchmarks|Plugins|Packages)/[^ ]*: warning:|^macro expansion .*: warning:" \
    "$log" | grep --invert-match "Tests/PortedModels/" | sort --unique >"$log.warnings"; then
    echo >&2
    echo "Warnings in our own sources:" >&2
    cat "$log.warnings" >&2
    # The compiler warns of a file when it compiles the file: the next build has to, and does not pass in silence.
    grep --only-matching --extended-regexp "^[^: ]+\.swift" "$log.warnings" | xargs --no-run-if-empty touch --no-create
    exit 1
fi
