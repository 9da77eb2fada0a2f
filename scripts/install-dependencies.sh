#!/usr/bin/env bash
# Installs what building and testing need and the machine lacks: PostgreSQL's programs, libpq with its headers, pkg-config; Python for the
# scripts that check, and curl, with which a page's service is asked. Does nothing when all is there.
set -euo pipefail

has_server() {
    [ -n "${STRATA_POSTGRES_BIN:-}" ] && return 0
    local folder
    for folder in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin \
        /usr/local/opt/postgresql*/bin; do
        if [ -x "$folder/postgres" ] && [ -x "$folder/initdb" ]; then return 0; fi
    done
    command -v postgres >/dev/null && command -v initdb >/dev/null
}

has_libpq() {
    command -v pkg-config >/dev/null && pkg-config --exists libpq
}

if ! command -v swift >/dev/null; then
    echo "swift was not found. Install Swift 6.3 or later: https://www.swift.org/install" >&2
    exit 1
fi

if [ "$(uname)" = Darwin ]; then
    if has_server && { has_libpq || [ -d /opt/homebrew/opt/libpq ] || [ -d /usr/local/opt/libpq ]; }; then exit 0; fi
    if ! command -v brew >/dev/null; then
        echo "PostgreSQL and libpq are missing. Install Homebrew (https://brew.sh), or both by hand." >&2
        exit 1
    fi
    exec brew install libpq pkgconf postgresql@17
fi

# OpenSSL's, for checksums; Debian's libpq-dev brings its headers along.
has_libcrypto() {
    command -v pkg-config >/dev/null && pkg-config --exists libcrypto
}

packages=()
command -v pkg-config >/dev/null || packages+=(pkg-config)
has_libpq || packages+=(libpq-dev)
has_libcrypto || packages+=(libssl-dev)
has_server || packages+=(postgresql)
command -v python3 >/dev/null || packages+=(python3)
command -v curl >/dev/null || packages+=(curl)
if [ ${#packages[@]} -eq 0 ]; then exit 0; fi

if ! command -v apt-get >/dev/null; then
    echo "Missing: ${packages[*]} (Debian's names). Install them with this system's package manager." >&2
    exit 1
fi

root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing: ${packages[*]}. As root: apt-get update && apt-get install ${packages[*]}" >&2
        exit 1
    fi
    root=(sudo)
fi

install_packages() {
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@"
}

echo "Installing ${packages[*]}"
"${root[@]}" apt-get update --quiet
settings=/etc/postgresql-common/createcluster.conf
if [[ " ${packages[*]} " == *" postgresql "* ]] && [ ! -d /etc/postgresql-common ]; then
    # Debian makes and starts a cluster named main when the server is installed. We start our own; leave none behind.
    install_packages postgresql-common
    "${root[@]}" sed --in-place=.strata 's/^#* *create_main_cluster.*/create_main_cluster = false/' "$settings"
    trap '"${root[@]}" mv -f "$settings.strata" "$settings"' EXIT
fi
install_packages "${packages[@]}"
