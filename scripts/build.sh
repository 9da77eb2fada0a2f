#!/usr/bin/env bash
# Builds what tests and examples need. An import of a target that is not declared is an error, and so is a warning in our own
# sources. Benchmarks are built by build-benchmarks.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
read -ra flags <<<"${BUILD_FLAGS:-}"

{
    # The macros with their tests, a package of their own. SwiftPM would otherwise take the plan of whichever package was built last.
    swift build "${flags[@]}" --package-path Macros --scratch-path .build --disable-build-manifest-caching --build-tests \
        --explicit-target-dependency-import-check error 2>&1
    # The bundle of all tests, with the programs that they start.
    swift build "${flags[@]}" --disable-build-manifest-caching --product strataPackageTests --explicit-target-dependency-import-check error 2>&1
    swift build "${flags[@]}" --product SampleTrips 2>&1
    swift build "${flags[@]}" --product SampleTripsMigrations 2>&1
    swift build "${flags[@]}" --product strata 2>&1
    # The program that the README begins with, as it stands there.
    swift build "${flags[@]}" --package-path Examples/FirstFetch --scratch-path .build 2>&1
    # What package traits add costs nobody a fetch who does not ask for it.
    if swift package --package-path Examples/FirstFetch --scratch-path .build show-dependencies 2>&1 \
        | grep --extended-regexp 'service-lifecycle|metrics|tracing|hummingbird|swift-nio'; then
        echo "Examples/FirstFetch asks for no trait, and these packages are fetched for it." >&2
        exit 1
    fi
    # The recipe of one package for an app and a server: its sources are targets here, its manifest is read.
    swift package --package-path Examples/SharedModels dump-package >/dev/null
} | scripts/refuse-warnings.sh build
