import CLibPQ
import Dispatch
import Foundation
import Synchronization

/// Lets tasks wait for sockets without blocking a thread: one thread waits for all of them.
///
/// One epoll thread instead of a dispatch source per connection: a source wakes the dispatch manager thread, which wakes a
/// worker, which resumes the task; here the thread that sees the event resumes the task, one wake-up less.
final class SocketReadiness: Sendable {
    enum Outcome: Sendable {
        case ready
        case timedOut
        case cancelled
    }

    static let shared = SocketReadiness()

    private let waiters = ShortLock<[UInt64: UnsafeContinuation<Outcome, Never>]>([:])
    private let lastTicket = Atomic<UInt64>(0)
    /// Ends waits whose time is over.
    private static let timers = DispatchQueue(label: "strata.timers")

    #if os(Linux)
    private let epoll: Int32

    private init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { return }
        let thread = Thread { [self] in loop() }
        thread.name = "strata.sockets"
        thread.start()
    }
    #else
    private init() {}
    #endif

    /// Waits until the socket can be read or, when asked for, written.
    func wait(_ socket: Int32, forWriting: Bool) async {
        let ticket = newTicket()
        _ = await withUnsafeContinuation { continuation in
            register(ticket, continuation, socket, forWriting: forWriting)
        }
    }

    /// Waits until the socket can be read, the time is over, or the task is cancelled.
    func waitForReading(_ socket: Int32, timeout: Duration?) async -> Outcome {
        let ticket = newTicket()
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                register(ticket, continuation, socket, forWriting: false)
                if let timeout {
                    Self.timers.asyncAfter(deadline: .now() + timeout.timeInterval) {
                        self.resume(ticket, .timedOut)
                    }
                }
                // A cancellation before the registration found no one to resume.
                if Task.isCancelled { resume(ticket, .cancelled) }
            }
        } onCancel: {
            resume(ticket, .cancelled)
        }
    }

    private func newTicket() -> UInt64 {
        lastTicket.add(1, ordering: .relaxed).newValue
    }

    private func resume(_ ticket: UInt64, _ outcome: Outcome) {
        waiters.withLock { $0.removeValue(forKey: ticket) }?.resume(returning: outcome)
    }

    private func register(
        _ ticket: UInt64, _ continuation: UnsafeContinuation<Outcome, Never>, _ socket: Int32, forWriting: Bool
    ) {
        waiters.withLock { $0[ticket] = continuation }
        #if os(Linux)
        if arm(socket, forWriting: forWriting, ticket) { return }
        #endif
        // epoll would not take the socket, or there is no epoll.
        BlockingThread.run("strata.poll") {
            // Bounded, so that an abandoned wait gives its thread back.
            var seconds = 0
            while seconds < 3600, SocketPoll.wait(socket, forWriting: forWriting, timeout: .seconds(1)) == false {
                guard self.waiters.withLock({ $0[ticket] != nil }) else { return }
                seconds += 1
            }
            self.resume(ticket, .ready)
        }
    }

    #if os(Linux)
    /// One-shot: the kernel reports the socket once and keeps it silently until it is armed again.
    private func arm(_ socket: Int32, forWriting: Bool, _ ticket: UInt64) -> Bool {
        guard epoll >= 0 else { return false }
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue
        if forWriting { event.events |= EPOLLOUT.rawValue }
        event.data.u64 = ticket
        // Usually the socket is known from its last wait. Closing it has removed it, whoever has its number now.
        if epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) == 0 { return true }
        return epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0
    }

    private func loop() {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let count = epoll_wait(epoll, &events, Int32(events.count), -1)
            guard count > 0 else { continue }
            for index in 0..<Int(count) { resume(events[index].data.u64, .ready) }
        }
    }
    #endif
}

/// Blocking waits for one socket.
enum SocketPoll {
    /// Waits until the socket can be read or, when asked for, written. Returns false when the time is over.
    static func wait(_ socket: Int32, forWriting: Bool, timeout: Duration? = nil) -> Bool {
        var descriptor = pollfd()
        descriptor.fd = socket
        descriptor.events = Int16(POLLIN) | (forWriting ? Int16(POLLOUT) : 0)
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let rest = deadline.map { max(0, ContinuousClock.now.duration(to: $0).wholeMilliseconds) } ?? -1
            let count = poll(&descriptor, 1, Int32(clamping: rest))
            if count > 0 { return true }
            // An error other than a signal will be reported by libpq's next call.
            if count < 0, errno != EINTR { return true }
            if count == 0, rest == 0 { return false }
        }
    }

    /// Whether something, or the end, can be read right now.
    static func hasInput(_ socket: Int32) -> Bool {
        var descriptor = pollfd()
        descriptor.fd = socket
        descriptor.events = Int16(POLLIN)
        return poll(&descriptor, 1, 0) != 0
    }
}

extension Duration {
    var timeInterval: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// Rounded up, so that a wait does not end just before its time.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < Int64.max / 2000 else { return .max }
        return Int(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
