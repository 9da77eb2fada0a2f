import CLibPQ
import Dispatch
import Foundation
import Synchronization

/// Lets tasks wait for sockets without blocking a thread: one thread waits for all of them, except those of tasks on
/// ``SocketExecutor``, whose threads wait themselves. Why a thread: ``SocketEvents``.
final class SocketReadiness: Sendable {
    enum Outcome: Sendable {
        case ready
        case timedOut
        case cancelled
    }

    private typealias Continuation = UnsafeContinuation<Outcome, Never>

    static let shared = SocketReadiness()

    /// Those that may be resumed for another reason.
    private let waiters = ShortLock<[UInt64: Continuation]>([:])
    private let lastTicket = Atomic<UInt64>(0)
    /// Ends waits whose time is over.
    private static let timers = DispatchQueue(label: "strata.timers")

    #if os(Linux)
    private let events: SocketEvents?

    private init() {
        events = SocketEvents()
        guard let events else { return }
        let thread = Thread {
            let buffer = SocketEvents.buffer()
            while true { SocketEvents.report(buffer[..<events.wait(buffer, forever: true)]) }
        }
        thread.name = "strata.sockets"
        thread.start()
    }
    #else
    private init() {}
    #endif

    /// Waits until the socket can be read or, when asked for, written.
    func wait(_ socket: Int32, forWriting: Bool) async {
        _ = await withUnsafeContinuation { (continuation: Continuation) in
            #if os(Linux)
            // It is one pointer, to something aligned; the kernel hands it back once.
            let note = unsafeBitCast(continuation, to: UInt64.self)
            if arm(socket, forWriting: forWriting, note) { return }
            #endif
            let ticket = newTicket()
            waiters.withLock { $0[ticket] = continuation }
            poll(socket, forWriting: forWriting, ticket)
        }
    }

    /// Waits until the socket can be read, the time is over, or the task is cancelled.
    func waitForReading(_ socket: Int32, timeout: Duration?) async -> Outcome {
        let ticket = newTicket()
        return await withCancellationHandler {
            await withUnsafeContinuation { (continuation: Continuation) in
                waiters.withLock { $0[ticket] = continuation }
                register(ticket, socket)
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

    private func register(_ ticket: UInt64, _ socket: Int32) {
        #if os(Linux)
        // Odd, which no pointer is.
        if arm(socket, forWriting: false, ticket << 1 | 1) { return }
        #endif
        poll(socket, forWriting: false, ticket)
    }

    /// epoll does not take the socket, or there is no epoll.
    private func poll(_ socket: Int32, forWriting: Bool, _ ticket: UInt64) {
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
    private func arm(_ socket: Int32, forWriting: Bool, _ note: UInt64) -> Bool {
        (SocketExecutor.currentEvents ?? events)?.arm(socket, forWriting: forWriting, note) ?? false
    }

    /// What was armed with this note has happened.
    func report(_ note: UInt64) {
        guard note & 1 == 0 else { return resume(note >> 1, .ready) }
        // Such a note is a continuation, made above.
        unsafeBitCast(note, to: Continuation.self).resume(returning: .ready)
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
