/// Runs `operation` on the caller's isolation, and `onCancel` at once when the task is cancelled meanwhile.
///
/// As Swift's `withTaskCancellationHandler`, which takes a function of Swift's own threads: a closure that is written in a function
/// of the caller's isolation (`nonisolated(nonsending)`) and given to it runs there and not on the caller's actor, and the compiler
/// says nothing (6.3). What a connection or a context holds would be used by two threads at once.
package func withCancellationHandler<Result>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result,
    onCancel handler: @Sendable () -> Void
) async rethrows -> Result {
    try await withTaskCancellationHandler(
        operation: {
            // Only a closure that captures the isolation has it.
            _ = isolation
            return try await operation()
        }, onCancel: handler, isolation: isolation)
}
