#!/usr/bin/env bash
# What the suite's minutes do not do every time, one part after the other until the time is over. The last line has figures; the
# exit code is 1 if a part failed. Logs are in .build/soak.
#
#     scripts/soak.sh <minutes> [pattern]     only the parts whose names match
set -uo pipefail
cd "$(dirname "$0")/.."

minutes=${1:-240}
chosen=${2:-.}
end=$((SECONDS + minutes * 60))
logs=.build/soak
mkdir -p "$logs"
export SWIFT_BACKTRACE=enable=no
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${TEST_WIDTH:-8}
parts=0 passed=0 proven=0
failed=() unreached=() unfinished=()

# part NAME COMMAND…: runs a part with the time that is left.
part() {
    local name=$1 log=$logs/${1// /-}.log left=$((end - SECONDS)) begin=$SECONDS code=0
    shift
    [[ $name =~ $chosen ]] || return 0
    parts=$((parts + 1))
    if [ "$left" -lt 60 ]; then unreached+=("$name") && return; fi
    timeout --kill-after=30 "$left" "$@" >"$log" 2>&1 || code=$?
    local count
    count=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*passed.*/\1/p' "$log" | tail -n 1)
    if [ "$code" -eq 0 ] && [ "${count:-0}" -gt 0 ]; then
        passed=$((passed + 1)) proven=$((proven + count))
        echo "$name: $count tests passed in $((SECONDS - begin)) s"
    elif [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
        unfinished+=("$name")
        echo "$name: not finished when the time was over"
    else
        failed+=("$name")
        echo "$name: failed after $((SECONDS - begin)) s, see $log"
        grep -E '✘|error:' "$log" | head -n 20
    fi
}

suite() { swift test --skip-build "$@"; }
soak() { STRATA_SOAK=1 suite "$@"; }

# The whole suite on a PostgreSQL that is fetched.
on_postgres() {
    local programs
    programs=$(scripts/fetch-postgres.sh "$1") || return
    env --unset=DATABASE_URL --unset=PGHOST --unset=PGPORT --unset=PGUSER --unset=PGDATABASE --unset=PGPASSWORD \
        STRATA_POSTGRES_BIN="$programs" swift test --skip-build
}
export -f suite soak on_postgres

if ! scripts/build.sh >"$logs/build.log" 2>&1; then
    tail -n 20 "$logs/build.log"
    echo "soak: the build failed"
    exit 1
fi
part "killed servers and many writers" bash -c 'SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=1 soak --filter SoakTests'
part "kills after all migration steps" bash -c 'soak --filter "EvolutionTests|ChainTests"'
part "history end to end 20 times" bash -c 'soak --filter HistoryEndToEndTests'
part "many seeds" bash -c 'soak --filter "UpdateDifferentialTests|RandomQueryTests|CaselessUniqueRandomTests|ConditionalUniqueRandomTests|SoftDeletionRandomTests"'
part "50 seeds of 2000 steps" bash -c 'soak --filter GraphDifferentialTests'
part "everything on fresh databases" bash -c 'STRATA_TEST_FRESH=1 suite'
for version in 16 17 18; do part "PostgreSQL $version" bash -c "on_postgres $version"; done
part "ThreadSanitizer" scripts/thread-sanitizer.sh

list() { local all=$1; shift; for name; do all+=", $name"; done; echo "${all:-none}"; }
if [ "$parts" -eq 0 ]; then echo "soak: no part's name matches $chosen" && exit 2; fi
echo "soak: $passed of $parts parts passed, $proven tests in $((SECONDS / 60)) of $minutes minutes;" \
    "failed: $(list "${failed[@]:-}"); not finished: $(list "${unfinished[@]:-}");" \
    "not reached: $(list "${unreached[@]:-}")"
[ ${#failed[@]} -eq 0 ]
