#if os(Linux)
import Foundation

/// Runs tasks on threads that wait for the database's answers themselves.
///
/// Elsewhere an answer wakes the thread that waits for sockets, which wakes one of Swift's to go on with the task. Here it is one
/// thread, and none is woken as long as another answer is there.
///
/// All threads take from the same jobs and wait for the same sockets: one that is blocked, by a call that blocks or by whoever
/// holds a lock on the server, holds up no task but its own as long as another thread is left.
package final class SocketExecutor: TaskExecutor {
    /// `nil` where the kernel has no descriptors left for it.
    package static let shared = SocketEvents().map {
        SocketExecutor($0, threads: ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Sockets get their turn after so many jobs, however many there are.
    private static let jobsInARow = 16

    private struct State: Sendable {
        /// What is to be run, from `first` on.
        private var jobs: [UnownedJob] = []
        private var first = 0
        /// How many threads wait for sockets.
        var asleep = 0
        /// One of them has been told to wake up.
        var isWaking = false

        var count: Int { jobs.count - first }

        mutating func append(_ job: UnownedJob) { jobs.append(job) }

        mutating func pop() -> UnownedJob? {
            guard first < jobs.count else { return nil }
            let job = jobs[first]
            first += 1
            if first == jobs.count || first > 1000 {
                jobs.removeFirst(first)
                first = 0
            }
            return job
        }

        /// Whether the caller is to wake a thread: there is work, and one that has none.
        mutating func takesUpWaking() -> Bool {
            guard count > 0, asleep > 0, !isWaking else { return false }
            isWaking = true
            return true
        }
    }

    /// What the threads of the executor know of themselves.
    private final class Place {
        let executor: SocketExecutor
        /// Whether it is about to look for jobs anyway.
        var isReporting = false

        init(_ executor: SocketExecutor) { self.executor = executor }
    }

    private let events: SocketEvents
    private let state = ShortLock(State())

    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static var place: Place? {
        pthread_getspecific(key).map { Unmanaged<Place>.fromOpaque($0).takeUnretainedValue() }
    }

    private init(_ events: SocketEvents, threads: Int) {
        self.events = events
        for number in 0..<max(1, threads) {
            let thread = Thread { [self] in run() }
            thread.name = "strata.tasks.\(number)"
            thread.start()
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isReporting = Self.place?.isReporting ?? false
        let mustWake = state.withLock { state in
            state.append(job)
            return !isReporting && state.takesUpWaking()
        }
        if mustWake { events.wake() }
    }

    private func run() {
        let place = Place(self)
        // The thread keeps it: it never ends.
        pthread_setspecific(Self.key, Unmanaged.passRetained(place).toOpaque())
        let buffer = SocketEvents.buffer()
        var turn = 0
        while true {
            turn += 1
            if turn % Self.jobsInARow == 0 {
                let count = events.wait(buffer, forever: false)
                // One of them may be what was to wake another thread: it is woken with the next look for a job.
                if count > 0 { state.withLock { $0.isWaking = false } }
                report(buffer[..<count], place)
            }
            let (job, mustWake) = state.withLock { state in
                let job = state.pop()
                if job == nil { state.asleep += 1 }
                return (job, state.takesUpWaking())
            }
            if mustWake { events.wake() }
            if let job {
                job.runSynchronously(on: asUnownedTaskExecutor())
                continue
            }
            let count = events.wait(buffer, forever: true)
            state.withLock { state in
                state.asleep -= 1
                state.isWaking = false
            }
            report(buffer[..<count], place)
        }
    }

    private func report(_ reported: Slice<SocketEvents.Buffer>, _ place: Place) {
        place.isReporting = true
        SocketEvents.report(reported)
        place.isReporting = false
    }

    // MARK: For the tasks on it

    /// The sockets that this thread waits for when it has nothing to do; `nil` for threads of others.
    static var currentEvents: SocketEvents? { place?.executor.events }

    /// Whether this thread has jobs to run.
    static var isAwaited: Bool { place?.executor.state.withLock { $0.count > 0 } ?? false }
}
#endif
