#!/usr/bin/env bash
# Fetches PgBouncer for the tests that stand behind it: Debian's package, with the two libraries that it needs. Prints the program to start.
# Nothing is installed, and no service is started; the files go to .strata/pgbouncer. A program that the machine has is taken instead, and
# STRATA_PGBOUNCER names another one (one of 1.21 or later knows max_prepared_statements).
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -n "${STRATA_PGBOUNCER:-}" ]; then
    echo "$STRATA_PGBOUNCER"
    exit 0
fi
for program in pgbouncer /usr/sbin/pgbouncer; do
    if command -v "$program"; then exit 0; fi
done

folder=$PWD/.strata/pgbouncer
if [ ! -x "$folder/pgbouncer" ]; then
    if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
        echo "fetch-pgbouncer: install PgBouncer with this system's package manager, or name it in STRATA_PGBOUNCER" >&2
        exit 1
    fi
    rm -rf "$folder"
    mkdir -p "$folder"
    cd "$folder"
    download() {
        local libraries
        mapfile -t libraries < <(LC_ALL=C apt-cache depends pgbouncer | sed -n 's/^ *Depends: \(libevent[^ ]*\|libc-\?ares[^ ]*\)$/\1/p')
        timeout 120 apt-get download --quiet pgbouncer "${libraries[@]}" >&2
    }
    # The lists of packages that a machine begins with may be empty, or name versions that are gone.
    download || { timeout 120 apt-get update --quiet >&2 && download; }
    for package in *.deb; do dpkg-deb --extract "$package" .; done
    rm -f -- *.deb
    libraries=$(dirname "$(find . -name 'libevent-*.so*' | head -1)")
    cat >pgbouncer <<PROGRAM
#!/bin/sh
LD_LIBRARY_PATH="$folder/$libraries" exec "$folder/usr/sbin/pgbouncer" "\$@"
PROGRAM
    chmod a+x pgbouncer
    chmod -R a+rX .
    if ! ./pgbouncer --version >&2; then
        echo "fetch-pgbouncer: what was fetched does not run here; install PgBouncer, or name it in STRATA_PGBOUNCER" >&2
        rm -f pgbouncer
        exit 1
    fi
fi
echo "$folder/pgbouncer"
