/// Returns when the condition holds. Throws when the task is cancelled before, as a test's time limit does: a test that waits in
/// vain fails, and does not hang.
package func waitUntil(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
