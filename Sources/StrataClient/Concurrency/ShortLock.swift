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

    /// How often it is tried before the thread goes to sleep: whoever has the lock is about to give it back, unless he has lost the
    /// processor, and to be put to sleep and woken takes longer than what is done under the lock.
    private static var tries: Int { 40 }

    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        var tries = Self.tries
        while !lock.try() {
            tries -= 1
            guard tries > 0 else {
                lock.lock()
                break
            }
        }
        defer { lock.unlock() }
        return try body(&state)
    }
}
