#!/usr/bin/env bash
# Type-checks the sources written as apps are in the language mode that they are not built in: PortedModels6 in Swift 5's, PortedModels
# in Swift 6's but for the files that show what only Swift 5's allows. Nothing is compiled; the build has to be there.
set -euo pipefail
cd "$(dirname "$0")/.."

# `let` attributes that initializers assign; a `static var versionIdentifier`.
only_in_5='/(Medications|Containers|Travel)\.swift$'
products=$(swift build --show-bin-path)
read -ra libpq <<<"$(pkg-config --cflags libpq libcrypto)"

check() {
    local mode=$1
    shift
    swiftc -typecheck -suppress-warnings -parse-as-library -module-name Ported -swift-version "$mode" -I "$products/Modules" \
        -module-cache-path .build/ported-modes -Xcc -fmodule-map-file="$PWD/Sources/CLibCrypto/module.modulemap" \
        -Xcc -fmodule-map-file="$PWD/Sources/CLibPQ/module.modulemap" ${libpq[@]+"${libpq[@]}"} \
        -Xfrontend -load-plugin-executable -Xfrontend "$products/StrataMacros-tool#StrataMacros" "$@"
    echo "$# files in Swift $mode's mode"
}

check 5 Tests/PortedModels6/*.swift
mapfile -t fifth < <(printf '%s\n' Tests/PortedModels/*.swift | grep --invert-match --extended-regexp "$only_in_5")
check 6 "${fifth[@]}"
