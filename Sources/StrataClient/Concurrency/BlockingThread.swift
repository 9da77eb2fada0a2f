import Foundation

/// Runs work that blocks on a thread of its own.
///
/// Not on a dispatch queue: on Linux the threads of dispatch's global queues are also those of Swift's concurrency, so a few
/// attempts to reach a dead server would hold up every task of the process. A thread per job costs little beside the work
/// itself: connecting, cancelling, rolling back what someone left open.
enum BlockingThread {
    static func run(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread(block: work)
        thread.name = name
        thread.start()
    }
}
