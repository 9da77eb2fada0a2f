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

    /// What the threads of the executor know of themselves.
    private final class Place {
        let executor: SocketExecutor
        /// Whether it is about to look for jobs anyway.
        var isReporting = false

        init(_ executor: SocketExecutor) { self.executor = executor }
    }

    private let events: SocketEvents
    private let jobs = ShortLock(JobQueue<UnownedJob>())

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
        let mustWake = jobs.withLock { $0.append(job, isAwaited: isReporting) }
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
                if count > 0 { jobs.withLock { $0.didLook() } }
                report(buffer[..<count], place)
            }
            let (job, mustWake) = jobs.withLock { $0.next() }
            if mustWake { events.wake() }
            if let job {
                job.runSynchronously(on: asUnownedTaskExecutor())
                continue
            }
            let count = events.wait(buffer, forever: true)
            jobs.withLock { $0.didWake() }
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

    /// Lets the other tasks that wait for this thread go first, if there are any.
    ///
    /// Before something is sent: what all of them have to send then goes out together, when nothing else is left to do here. Each
    /// process of the server that is woken before takes the processor from the tasks, and they from it.
    static func letOthersGoFirst() async {
        if isAwaited { await Task.yield() }
    }

    /// Whether this thread has jobs to run.
    static var isAwaited: Bool { place?.executor.jobs.withLock { $0.count > 0 } ?? false }
}
#endif
