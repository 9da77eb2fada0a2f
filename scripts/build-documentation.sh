#!/usr/bin/env bash
# Builds the documentation of the umbrella module from its catalog and the symbols of the last debug build.
# Needs nothing but the toolchain and python3: symbol graphs from swift-symbolgraph-extract, pages from docc. Articles link to each other's files, which
# works where the repository is read; DocC gets a copy with links of its own.
set -euo pipefail
cd "$(dirname "$0")/.."

module=Strata
reexported=StrataContext,StrataModels,StrataClient,StrataRepository,StrataMigrations
products=$(swift build --show-bin-path)
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT

case $(uname) in
Darwin)
    target=$(uname -m)-apple-macosx15.0
    system=(-sdk "$(xcrun --show-sdk-path)")
    docc="xcrun docc"
    ;;
*)
    target=$(uname -m)-unknown-linux-gnu
    system=()
    docc="docc"
    ;;
esac
read -r -a headers <<<"$(pkg-config --cflags-only-I libpq)"

swift symbolgraph-extract -module-name "$module" -target "$target" "${system[@]}" \
    -I "$products/Modules" -I Sources/CLibPQ -I Sources/CLibCrypto "${headers[@]}" \
    -minimum-access-level public -skip-inherited-docs \
    "-experimental-allowed-reexported-modules=$reexported" -output-dir "$graphs"

cp -R "Sources/$module/$module.docc" "$graphs"
scripts/check-links.py "$graphs/$module.docc"

rm -rf docs
$docc convert "$graphs/$module.docc" --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name "$module" --fallback-bundle-identifier strata --output-dir docs \
    --transform-for-static-hosting --warnings-as-errors
echo "Documentation: docs/index.html (serve the folder, for example with python3 -m http.server -d docs)"
