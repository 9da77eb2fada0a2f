#if os(Linux)
import CLibPQ
import Foundation
import Synchronization

/// One thread that waits for sockets. With an executor it also runs the executor's jobs, and waits when there are none.
///
/// One epoll thread instead of a dispatch source per connection: a source wakes the dispatch manager thread, which wakes a
/// worker, which resumes the task; here the thread that sees the event resumes the task.
final class SocketLoop: Sendable {
    private struct State: Sendable {
        /// What is to be run, from `first` on.
        var jobs: [UnownedJob] = []
        var first = 0
        /// The thread waits for sockets and must be woken for a job.
        var isAsleep = false

        var count: Int { jobs.count - first }

        mutating func pop() -> UnownedJob? {
            guard first < jobs.count else { return nil }
            defer {
                first += 1
                if first == jobs.count {
                    jobs.removeAll(keepingCapacity: true)
                    first = 0
                }
            }
            return jobs[first]
        }
    }

    /// -1 when the kernel gives none, as the next.
    private let epoll: Int32
    /// What wakes the thread while it waits.
    private let wakeUp: Int32
    private let state = ShortLock(State())

    /// The loop whose thread this is.
    static var current: SocketLoop? {
        pthread_getspecific(key).map { Unmanaged<SocketLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let key = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        var event = epoll_event()
        // Edge-triggered, so that nobody needs to read it empty.
        event.events = EPOLLIN.rawValue | EPOLLET.rawValue
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeUp, &event)
    }

    var isUsable: Bool { epoll >= 0 && wakeUp >= 0 }

    /// - Parameter executor: whose jobs the thread runs.
    func start(_ name: String, for executor: SocketExecutor? = nil) {
        let thread = Thread { [self] in
            if let executor {
                pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
                run(for: executor)
            } else {
                let events = Self.newEvents()
                while true { handle(events, wait(events, timeout: -1)) }
            }
        }
        thread.name = name
        thread.start()
    }

    private static func newEvents() -> UnsafeMutableBufferPointer<epoll_event> {
        let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)
        events.initialize(repeating: epoll_event())
        return events
    }

    // MARK: Sockets

    /// Reports the socket once, with `note`, when it can be read or, when asked for, written. False when epoll does not take it.
    func arm(_ socket: Int32, forWriting: Bool, _ note: UInt64) -> Bool {
        guard isUsable else { return false }
        var event = epoll_event()
        // One-shot: the kernel reports the socket once and keeps it silently until it is armed again.
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
        if forWriting { event.events |= EPOLLOUT.rawValue }
        event.data.u64 = note
        // Usually the socket is known from its last wait. Closing it has removed it, whoever has its number now.
        if epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) == 0 { return true }
        return epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0
    }

    // MARK: Jobs

    /// Whether others wait for this thread.
    var hasJobs: Bool { state.withLock { $0.count > 0 } }

    func enqueue(_ job: UnownedJob) {
        let mustWake = state.withLock { state in
            state.jobs.append(job)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, 8)
    }

    /// A job that another thread runs. `nil` when there are none to spare.
    func yieldJob() -> UnownedJob? {
        state.withLock { $0.count > 1 || $0.isAsleep ? $0.pop() : nil }
    }

    /// Wakes the thread if it waits, so that it looks for jobs of others.
    func wakeIfAsleep() -> Bool {
        let mustWake = state.withLock { state in
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if mustWake { wake() }
        return mustWake
    }

    private func run(for executor: SocketExecutor) {
        let events = Self.newEvents()
        let place = executor.asUnownedTaskExecutor()
        var turn = 0
        while true {
            // Sockets get their turn, however many jobs there are.
            turn += 1
            if turn % 16 == 0 { handle(events, wait(events, timeout: 0)) }
            if let job = state.withLock({ $0.pop() }) ?? executor.spareJob(for: self) {
                job.runSynchronously(on: place)
                continue
            }
            let isEmpty = state.withLock { state in
                state.isAsleep = state.count == 0
                return state.isAsleep
            }
            guard isEmpty else { continue }
            let count = wait(events, timeout: -1)
            state.withLock { $0.isAsleep = false }
            handle(events, count)
            if state.withLock({ $0.count }) > 2 { executor.wakeOther(than: self) }
        }
    }

    private func wait(_ events: UnsafeMutableBufferPointer<epoll_event>, timeout: Int32) -> Int {
        Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout))
    }

    private func handle(_ events: UnsafeMutableBufferPointer<epoll_event>, _ count: Int) {
        guard count > 0 else { return }
        for index in 0..<count where events[index].data.u64 != 0 {
            SocketReadiness.shared.report(events[index].data.u64)
        }
    }
}
#endif
