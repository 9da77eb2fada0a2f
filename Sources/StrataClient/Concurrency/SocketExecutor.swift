#if os(Linux)
import Foundation
import Synchronization

/// Runs tasks on threads that wait for the database's answers themselves.
///
/// Elsewhere an answer wakes the thread that waits for sockets, which wakes one of Swift's to go on with the task. Here it is one
/// thread, and none is woken as long as another answer is there.
package final class SocketExecutor: TaskExecutor {
    package static let shared = SocketExecutor(threads: ProcessInfo.processInfo.activeProcessorCount)

    private let loops: [SocketLoop]
    private let turn = Atomic<Int>(0)

    private init(threads: Int) {
        loops = (0..<max(1, threads)).map { _ in SocketLoop() }
        for (index, loop) in loops.enumerated() { loop.start("strata.tasks.\(index)", for: self) }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // What goes on after an answer, or is begun by a task, stays on its thread.
        if let loop = SocketLoop.current { return loop.enqueue(job) }
        loops[turn.add(1, ordering: .relaxed).oldValue % loops.count].enqueue(job)
    }

    /// A job that waits for another thread.
    func spareJob(for idle: SocketLoop) -> UnownedJob? {
        for loop in loops where loop !== idle {
            if let job = loop.yieldJob() { return job }
        }
        return nil
    }

    /// Lets another thread take from the many jobs of this one.
    func wakeOther(than busy: SocketLoop) {
        for loop in loops where loop !== busy && loop.wakeIfAsleep() { return }
    }
}
#endif
