#!/usr/bin/env bash
# Runs the tests of what many threads do under ThreadSanitizer, in a copy of the sources whose locks it can see.
#
# Synchronization's Mutex is a futex of its own: ThreadSanitizer knows nothing of it and reports whatever it protects. A type of the
# same name, on a lock of pthread, takes its place in each module that uses it; a module's own names go before imported ones.
#
#     scripts/thread-sanitizer.sh [arguments of swift test]
set -euo pipefail
cd "$(dirname "$0")/.."

copy=.build-tsan/sources
rm -rf "$copy"
mkdir -p "$copy"
# With the times of the originals, so that only what has changed is compiled again.
git ls-files -z --cached --others --exclude-standard |
    xargs -0 cp --parents --preserve=timestamps --target-directory "$copy"

for folder in "$copy"/Sources/*/ "$copy"/Tests/*/; do
    grep --recursive --quiet --include='*.swift' 'Mutex[<(]' "$folder" || continue
    cat >"$folder/VisibleMutex.swift" <<'SWIFT'
import Foundation

/// Synchronization's `Mutex`, on a lock that ThreadSanitizer sees.
// @unchecked: `lock` protects `value`.
final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var value: Value

    init(_ value: consuming sending Value) { self.value = value }

    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
SWIFT
done

cd "$copy"
if [ $# -eq 0 ]; then
    set -- --filter 'Concurrency|Pool|Parked|JobQueue|Cancellation|Notification|Observing|LiveSchedule|Autosave|ModelActor|TransactionsOfOne|Isolation|FetchBesideSave'
fi
options=(--sanitize thread --scratch-path ../build)
swift build "${options[@]}" --product strataPackageTests
SWIFT_BACKTRACE=enable=no SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${TEST_WIDTH:-8} \
    TSAN_OPTIONS=halt_on_error=0:exitcode=66 swift test --skip-build "${options[@]}" "$@"
