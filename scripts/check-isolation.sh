#!/usr/bin/env bash
# A closure given to one of Swift's functions that take an asynchronous closure leaves its caller's isolation, and the compiler says
# nothing (Documentation/Decisions/0008-asynchronous-forms.md). Sources give them one in four places, which capture the
# isolation, in the service's run, and where an answer of StrataHummingbird is sent: those closures have nothing but Sendable values and no
# caller's objects.
set -euo pipefail
cd "$(dirname "$0")/.."

if grep --recursive --line-number --include='*.swift' --extended-regexp \
    'withTaskCancellationHandler|with[A-Za-z]*TaskGroup\(|withTaskExecutorPreference|\$[A-Za-z]+\.withValue\(' Sources |
    grep --invert-match --extended-regexp \
        ':[0-9]+: *///|^Sources/StrataClient/Concurrency/CancellationHandler.swift:|^Sources/StrataContext/UnitOfWork/TransactionScope.swift:|^Sources/StrataTracing/StoreTracing.swift:|^Sources/StrataTestDatabases/WithTestDatabase.swift:|^Sources/StrataService/ModelContainerService.swift:|^Sources/StrataHummingbird/(Events/EventStream|Sending/Transmission).swift:'; then
    echo "These leave the caller's isolation: use withCancellationHandler, or capture the isolation as it does." >&2
    exit 1
fi
