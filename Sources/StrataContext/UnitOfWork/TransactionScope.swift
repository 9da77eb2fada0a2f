/// One level of a transaction, as tasks know it: inside are the task that runs its block and those that the block starts.
///
/// A context may belong to an actor, and an actor begins other calls where one waits. Only by this can a transaction tell
/// the work of its block from theirs.
final class TransactionScope: Sendable {
    @TaskLocal private static var innermost: TransactionScope?

    /// The level around it, of the same context or of another.
    private let outer: TransactionScope?

    /// The task that runs the block.
    private let owner: Int?

    init() {
        outer = Self.innermost
        owner = Self.currentTask
    }

    /// Runs the block: it, and the tasks that it starts, are inside.
    func enter<Result>(_ block: () throws -> Result) rethrows -> Result {
        try Self.$innermost.withValue(self, operation: block)
    }

    /// Runs the block on the caller's isolation: it, and the tasks that it starts, are inside.
    ///
    /// The closure captures the isolation, without which it would run elsewhere: see `withCancellationHandler`.
    func enter<Result>(
        isolation: isolated (any Actor)? = #isolation, _ block: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$innermost.withValue(
            self,
            operation: {
                _ = isolation
                return try await block()
            }, isolation: isolation)
    }

    /// Whether the task that asks runs the block, and was not started by it.
    var isOwnedByCurrentTask: Bool { owner == Self.currentTask }

    /// Tells a task from others that there are at the same time.
    private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// Whether the task that asks is inside.
    var isEntered: Bool {
        var scope = Self.innermost
        while let current = scope {
            if current === self { return true }
            scope = current.outer
        }
        return false
    }
}
