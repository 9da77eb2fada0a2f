#!/usr/bin/env bash
# Builds StrataHummingbird with its tests. A package of its own, so that nobody compiles SwiftNIO who does not serve HTTP with it.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --build-tests --package-path Packages/StrataHummingbird --scratch-path .build-web --disable-build-manifest-caching \
    --explicit-target-dependency-import-check error 2>&1 | scripts/refuse-warnings.sh web
