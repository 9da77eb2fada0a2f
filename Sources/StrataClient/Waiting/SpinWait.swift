import CLibPQ
import Foundation
import Synchronization

/// Looks for the answer a short while before the caller goes to sleep: putting a thread to sleep and waking it takes as long as
/// the server needs for a small statement.
///
/// Only where that helps: while few others wait, who could use the processor, and as long as answers do come that soon.
struct SpinWait {
    private static let length = Duration.microseconds(100)
    /// Waits that go to sleep at once after one that was looked for in vain; doubled each time.
    private static let fewestPauses = 4
    private static let mostPauses = 256

    /// Those who look, and those who sleep.
    private static let waiting = Atomic<Int>(0)
    private static let room = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)

    private var pause = fewestPauses
    private var pausesLeft = 0

    /// Notes that somebody waits from now on, until ``end()``. True when the input came while looking for it; who waits for
    /// room to write, as well, does not look: large parameters are on their way, and no answer comes soon.
    mutating func begin(_ socket: Int32, forWriting: Bool) -> Bool {
        let others = Self.waiting.add(1, ordering: .relaxed).oldValue
        guard !forWriting, others < Self.room, !Self.isAwaitedByJobs else { return false }
        guard pausesLeft == 0 else {
            pausesLeft -= 1
            return false
        }
        let end = MonotonicTime.now + Self.length
        repeat {
            if SocketPoll.hasInput(socket) {
                pause = Self.fewestPauses
                return true
            }
        } while MonotonicTime.now < end && Self.waiting.load(ordering: .relaxed) <= Self.room
        pausesLeft = pause
        pause = min(pause * 2, Self.mostPauses)
        return false
    }

    func end() {
        Self.waiting.subtract(1, ordering: .relaxed)
    }

    /// Whether this thread has something else to do.
    private static var isAwaitedByJobs: Bool {
        #if os(Linux)
        SocketExecutor.isAwaited
        #else
        false
        #endif
    }
}
