#!/usr/bin/env bash
# A Citus for the tests that stand on one: built from a checkout of its sources, with two workers on this machine.
#
#   scripts/citus.sh build ../citus     compiles Citus (13.2 for PostgreSQL 15 to 17) beside a copy of the installed server, in .strata/citus
#   scripts/citus.sh start              starts a coordinator and two workers on free ports of 127.0.0.1, and prints the coordinator's URL
#   scripts/citus.sh stop               ends the three, and removes their data
#
# Whoever can use this machine can connect to the three: they ask for no password. Nothing is installed: the server is copied, because a PostgreSQL before 18 looks for extensions in its own folder only. To compile it takes
# what Citus asks for: Debian's postgresql-server-dev-15, liblz4-dev, libzstd-dev, libkrb5-dev, libxml2-dev, libxslt1-dev, libpam0g-dev,
# libreadline-dev, libselinux1-dev. STRATA_POSTGRES_BIN names another server than the newest that is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/.strata/citus
data=${STRATA_CITUS_DATA:-/tmp/strata-citus}

# The server refuses to run as root.
as_server() {
    if [ "$(id -u)" -eq 0 ]; then setpriv --reuid nobody --regid nogroup --clear-groups env HOME=/tmp "$@"; else "$@"; fi
}

server_folder() {
    if [ -n "${STRATA_POSTGRES_BIN:-}" ]; then
        echo "$STRATA_POSTGRES_BIN"
    else
        find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort --version-sort | tail -1 || true
    fi
}

build() {
    local checkout bin
    checkout=$(cd "${1:?Name the checkout of the sources of Citus.}" && pwd)
    bin=$(server_folder)
    [ -x "$bin/pg_config" ] || { echo "citus.sh: $bin has no pg_config; install the server's headers" >&2; exit 1; }
    [ ! -e "$data" ] || { echo "citus.sh: stop the one that runs first: scripts/citus.sh stop" >&2; exit 1; }
    case $checkout/ in "$folder"/*) echo "citus.sh: the checkout must not be in $folder, which is made anew" >&2; exit 1 ;; esac
    rm -rf "$folder"
    mkdir -p "$folder"
    # The checkout stays as it is.
    cp --recursive "$checkout" "$folder/sources"
    # Nothing is generated anew: a checkout has files in any order of time.
    touch "$folder/sources/configure"
    leave_to_server "$folder/sources/src/include/pg_version_compat.h" "$("$bin/pg_config" --includedir-server)"
    # Over HTTP Citus only sends statistics to its makers.
    (cd "$folder/sources" && ./configure --without-libcurl PG_CONFIG="$bin/pg_config" && make --jobs="$(nproc)" with_llvm=no) >&2
    # The server finds its folders from the place of its program, so they keep their places to each other.
    for path in "$bin" "$("$bin/pg_config" --pkglibdir)" "$("$bin/pg_config" --sharedir)"; do
        mkdir -p "$folder$path"
        cp --recursive --dereference "$path/." "$folder$path"
    done
    make --directory "$folder/sources" with_llvm=no DESTDIR="$folder" install >&2
    rm -rf "$folder/sources"
    chmod --recursive a+rX "$folder"
    echo "$bin" >"$folder/bin"
}

# Later minor versions of PostgreSQL 15 have a function of their own that Citus 13.2 defines for it, and the two do not compile together.
leave_to_server() {
    local name=have_createdb_privilege
    if grep --quiet "$name" "$1" && grep --quiet "$name" "$2/commands/dbcommands.h"; then
        python3 - "$1" "$name" <<'PYTHON'
import re, sys
path, name = sys.argv[1:]
text = open(path).read()
text = re.sub(r"static inline bool\n%s\(void\)\n\{.*?\n\}\n" % name, '#include "commands/dbcommands.h"\n', text, count=1, flags=re.S)
open(path, "w").write(text)
PYTHON
    fi
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

start() {
    [ -f "$folder/bin" ] || { echo "citus.sh: build one first: scripts/citus.sh build CHECKOUT" >&2; exit 1; }
    [ ! -e "$data" ] || { echo "citus.sh: $data is there already. scripts/citus.sh stop ends what this script has started there" >&2; exit 1; }
    local bin node port ports=()
    bin=$folder$(cat "$folder/bin")
    as_server test -x "$bin/initdb" || { echo "citus.sh: the server's user cannot read $bin" >&2; exit 1; }
    mkdir -p "$data"
    echo "$bin" >"$data/started-by-citus.sh"
    if [ "$(id -u)" -eq 0 ]; then chown nobody "$data"; fi
    for node in coordinator worker1 worker2; do
        port=$(free_port)
        ports+=("$port")
        as_server "$bin/initdb" --pgdata "$data/$node" --username postgres --auth trust --encoding UTF8 --no-locale >/dev/null
        cat >>"$data/$node/postgresql.conf" <<SETTINGS
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = ''
wal_level = logical
max_prepared_transactions = 100
max_connections = 200
fsync = off
SETTINGS
        as_server "$bin/pg_ctl" --pgdata "$data/$node" --log "$data/$node.log" --wait start >/dev/null
        "$bin/createdb" --host 127.0.0.1 --port "$port" --username postgres strata
        "$bin/psql" --host 127.0.0.1 --port "$port" --username postgres --dbname strata --quiet --command 'CREATE EXTENSION citus'
    done
    "$bin/psql" --host 127.0.0.1 --port "${ports[0]}" --username postgres --dbname strata --quiet --output /dev/null <<SQL
SELECT citus_set_coordinator_host('127.0.0.1', ${ports[0]});
SELECT citus_add_node('127.0.0.1', ${ports[1]});
SELECT citus_add_node('127.0.0.1', ${ports[2]});
SELECT citus_set_node_property('127.0.0.1', ${ports[0]}, 'shouldhaveshards', false);
SQL
    echo "postgresql://postgres@127.0.0.1:${ports[0]}/strata"
}

stop() {
    local bin node
    [ -f "$data/started-by-citus.sh" ] || { echo "citus.sh: nothing was started in $data by this script" >&2; exit 1; }
    bin=$(cat "$data/started-by-citus.sh")
    for node in worker1 worker2 coordinator; do
        if as_server "$bin/pg_ctl" --pgdata "$data/$node" status >/dev/null 2>&1; then
            as_server "$bin/pg_ctl" --pgdata "$data/$node" --mode immediate stop >/dev/null
        fi
    done
    rm -rf "$data"
}

case "${1:-}" in
build) build "${2:-}" ;;
start) start ;;
stop) stop ;;
*) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
