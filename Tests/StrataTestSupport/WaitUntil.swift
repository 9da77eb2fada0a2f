/// A condition that did not come to hold.
package struct WaitedInVain: Error {}

/// Returns when the condition holds. Throws when it does not within two minutes, or the task is cancelled before, as a test's time limit
/// does: a test that waits in vain fails, and does not hang.
///
/// The condition is looked at after one, two, four and up to sixteen milliseconds, so that what is waited for has the
/// processor meanwhile.
package func waitUntil(_ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(120)
    var pause = 1
    while try await !condition() {
        guard .now < end else { throw WaitedInVain() }
        try await Task.sleep(for: .milliseconds(pause))
        pause = min(pause * 2, 16)
    }
}
