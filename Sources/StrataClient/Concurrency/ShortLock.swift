import Foundation

/// State behind a lock for very short sections that many threads enter.
///
/// Swift's `Mutex` hands the lock over to the thread that has waited longest (a futex with priority inheritance): when a thread
/// loses the processor within the section, all others queue up behind it, and each has to be woken for its turn. Here whoever
/// runs goes on.
// @unchecked: `lock` protects `state`.
final class ShortLock<State: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    init(_ state: State) {
        self.state = state
    }

    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
