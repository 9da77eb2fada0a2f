#!/usr/bin/env bash
# Builds StrataHummingbird, StrataStudio and Examples/TripsServer with their tests. They are packages of their own, so that nobody compiles SwiftNIO
# who does not serve HTTP with it.
set -euo pipefail
cd "$(dirname "$0")/.."
read -ra flags <<<"${BUILD_FLAGS:-}"

for package in Packages/StrataHummingbird Packages/StrataStudio Examples/TripsServer; do
    swift build "${flags[@]}" --build-tests --package-path $package --scratch-path .build-web --disable-build-manifest-caching \
        --explicit-target-dependency-import-check error 2>&1
done | scripts/refuse-warnings.sh web
