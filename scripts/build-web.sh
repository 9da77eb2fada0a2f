#!/usr/bin/env bash
# Builds StrataStudio, Examples/TripsServer and the tests of StrataHummingbird: packages of their own, as they compile SwiftNIO and Hummingbird.
set -euo pipefail
cd "$(dirname "$0")/.."
read -ra flags <<<"${BUILD_FLAGS:-}"

for package in Packages/StrataHummingbird Packages/StrataStudio Examples/TripsServer; do
    swift build "${flags[@]}" --build-tests --package-path $package --scratch-path .build-web --disable-build-manifest-caching \
        --explicit-target-dependency-import-check error 2>&1
done | scripts/refuse-warnings.sh web
