/// One level of a transaction, as tasks know it: inside are the task that runs its block and those that the block starts.
///
/// A context may belong to an actor, and an actor begins other calls where one waits. Only by this can a transaction tell
/// the work of its block from theirs.
final class TransactionScope: Sendable {
    @TaskLocal static var innermost: TransactionScope?

    /// The level around it, of the same context or of another.
    private let outer: TransactionScope?

    init() {
        outer = Self.innermost
    }

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
