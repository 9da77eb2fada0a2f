#!/usr/bin/env bash
# Makes a package as a newcomer does, and does with it what its README says: builds, runs its program and its tests, and looks whether
# its migration files are those of its plan. Beside a build, whose objects of Strata it shares.
set -euo pipefail
cd "$(dirname "$0")/.."
read -ra flags <<<"${BUILD_FLAGS:-}"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift run --skip-build strata new "$folder/Bakery" --strata .
shared=(--package-path "$folder/Bakery" --scratch-path .build --disable-build-manifest-caching)
log=.build/strata-template.log
swift build "${flags[@]}" "${shared[@]}" --build-tests --explicit-target-dependency-import-check error 2>&1 | tee "$log"
if grep --fixed-strings "$folder" "$log" | grep --fixed-strings 'warning:'; then
    echo "A new package must build without warnings." >&2
    exit 1
fi
SWIFT_BACKTRACE=enable=no swift test --skip-build "${shared[@]}"
programs=$(swift build "${shared[@]}" --show-bin-path)
cd "$folder/Bakery"
"$programs/BakeryMigrations" generate --check
"$programs/BakeryMigrations" lint
# On a private server, whatever is named elsewhere.
unset DATABASE_URL ${!PG@}
"$programs/Bakery" add Bread 300 12
"$programs/Bakery" order Bread 2
"$programs/Bakery" list | grep --fixed-strings "Bread: 10 at 300 cents"
