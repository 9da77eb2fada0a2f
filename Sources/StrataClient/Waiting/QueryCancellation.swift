import CLibPQ
import Dispatch
import Foundation
import Synchronization

/// Stops what a connection is doing, from any thread, and never what it does next.
///
/// The server is asked first. When what runs has not ended some time after that, the connection is cut: a server or a pooler that
/// acknowledges and never answers would hold its caller for ever.
///
/// A cancel request travels over a connection of its own and may be late. So whoever runs a statement calls
/// ``begin()`` before and one of the `end` functions after it, and these wait for a request that is under way, as long as the
/// connection is not cut.
final class QueryCancellation: Sendable {
    /// Why the server is asked to stop.
    enum Reason: Equatable {
        /// The caller does not want the rest.
        case caller
        /// The time of the call is over.
        case callLimit
        /// The server has given no sign for too long.
        case silence
    }

    private struct State {
        /// Counts what has been run, so that a request is not repeated for the next.
        var generation: UInt64 = 0
        /// Counts the calls: what ends a transaction belongs to the call that it ends.
        var call: UInt64 = 0
        var isAtWork = false
        /// Whether what runs may be stopped.
        var isStoppable = false
        /// Whether somebody is going to ask when his patience is at its end.
        var isPlanned = false
        var reason: Reason?
        var isUnderWay = false
        /// When the request that is under way began.
        var underWaySince = MonotonicTime(nanoseconds: 0)
        var whenSettled: (@Sendable () -> Void)?
        /// nil once the owner has closed it: its number may belong to someone else then.
        var socket: Int32?
    }

    /// What libpq needs to ask the server, whoever has the connection. Only who makes the one request that is under way has it, for as long as that takes.
    private let handle: Mutex<OpaquePointer?>
    /// How long the server has to stop.
    let grace: Duration
    /// Whether the caller sleeps.
    private let patience: AnswerPatience
    private let state: Mutex<State>
    private let cut = Atomic(false)

    /// Requests wait in libpq without a limit of their own, each on a thread; further ones are not made while so many wait.
    private static let mostUnderWay = 64
    private static let underWay = Atomic<Int>(0)
    private static let timers = DispatchQueue(label: "strata.cancellation")
    /// Between two looks whether an answer was read.
    private static let pauseOfLooks = Duration.milliseconds(50)

    init(connection: OpaquePointer, grace: Duration, patience: AnswerPatience) {
        // By its address: to the compiler what is made of a connection is a part of it, and this is a copy.
        handle = Mutex(OpaquePointer(bitPattern: UInt(bitPattern: PQgetCancel(connection))))
        self.grace = grace
        self.patience = patience
        state = Mutex(State(socket: PQsocket(connection)))
    }

    deinit {
        handle.withLock { if let handle = $0 { PQfreeCancel(handle) } }
    }

    /// Why the statement that runs, or ran last, was asked to stop; `nil` when it was not.
    var reason: Reason? { state.withLock { $0.reason } }

    /// Whether the connection was cut because the server did not stop: it is of no use any more.
    var hasCut: Bool { cut.load(ordering: .relaxed) }

    /// Whether the server has answered and the caller has not come to read it: the caller's threads are busy, not the server.
    var hasUnreadAnswer: Bool { state.withLock { hasUnreadAnswer($0) } }

    private func hasUnreadAnswer(_ state: borrowing State) -> Bool {
        // While the caller reads what keeps coming, nobody sleeps.
        guard patience.glance.isWaiting, let socket = state.socket else { return false }
        return SocketPoll.hasInput(socket)
    }

    // MARK: For who runs statements

    func begin() {
        state.withLock {
            $0.generation += 1
            $0.call += 1
            $0.isAtWork = true
            $0.isStoppable = true
            $0.isPlanned = false
            $0.reason = nil
        }
    }

    /// What comes now must not be stopped: it ends a transaction.
    func suspend() {
        state.withLock {
            $0.generation += 1
            $0.isStoppable = false
            $0.isPlanned = false
        }
    }

    /// What comes now may be stopped again.
    func resume() {
        state.withLock { $0.isStoppable = true }
    }

    /// The statement has ended; blocks until no request is under way.
    func endAndWait() {
        if noteEnd() { return }
        let settled = DispatchSemaphore(value: 0)
        if !end(whenSettled: { settled.signal() }) { settled.wait() }
    }

    /// The statement has ended; waits until no request is under way.
    func end() async {
        if noteEnd() { return }
        await withUnsafeContinuation { continuation in
            if end(whenSettled: { continuation.resume() }) { continuation.resume() }
        }
    }

    /// Notes that the statement has ended. False while a request is under way, which has to be waited for.
    func noteEnd() -> Bool { end(whenSettled: nil) }

    /// Returns true when nothing is under way; otherwise calls `whenSettled` later.
    private func end(whenSettled: (@Sendable () -> Void)?) -> Bool {
        state.withLock { state in
            state.isAtWork = false
            state.isStoppable = false
            guard state.isUnderWay else { return true }
            state.whenSettled = whenSettled
            return false
        }
    }

    /// The socket is about to be closed.
    func forgetSocket() {
        state.withLock { $0.socket = nil }
    }

    // MARK: Asking

    /// Asks the server to stop what runs now, and cuts the connection if it does not; does nothing when nothing runs. Returns
    /// at once.
    ///
    /// - Parameter patience: seconds until it is asked; what has ended by then is not. Who has none does not wait for others'.
    func request(because reason: Reason = .caller, after patience: TimeInterval = 0) {
        let generation: UInt64? = state.withLock { state in
            guard state.isAtWork, state.reason == nil, !hasCut else { return nil }
            if patience > 0 {
                guard state.isStoppable, !state.isPlanned else { return nil }
                state.isPlanned = true
            } else {
                state.reason = reason
                scheduleCut(of: state.call)
                guard takeUp(&state) else { return nil }
            }
            return state.generation
        }
        guard let generation else { return }
        // PQcancel connects and blocks.
        BlockingThread.run("strata.cancel") { [self] in
            if patience > 0 {
                Thread.sleep(forTimeInterval: patience)
                guard isTimeToAsk(generation, reason) else { return }
            }
            var pause = 0.05
            repeat {
                send()
                settle()
                Thread.sleep(forTimeInterval: pause)
                pause = min(pause * 2, 2)
            } while isStillNeeded(generation)
        }
    }

    /// Cuts the connection unless what runs has ended when the server's time is over, without asking it to stop.
    func limit() {
        state.withLock { if $0.isAtWork { scheduleCut(of: $0.call) } }
    }

    /// Notes that a request is on its way. False when it is not to be made: what ends a transaction is not stopped, and while too
    /// many requests wait, the cut has to do. A cut connection ends by itself: its caller would only wait for the request.
    private func takeUp(_ state: inout State) -> Bool {
        guard state.isStoppable, !hasCut else { return false }
        guard Self.underWay.add(1, ordering: .relaxed).newValue <= Self.mostUnderWay else {
            Self.underWay.subtract(1, ordering: .relaxed)
            return false
        }
        state.isUnderWay = true
        state.underWaySince = .now
        return true
    }

    /// Makes the request that was taken up.
    private func send() {
        defer { Self.underWay.subtract(1, ordering: .relaxed) }
        handle.withLock { handle in
            guard let handle else { return }
            // A failure has no remedy but the next attempt.
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
                _ = PQcancel(handle, text.baseAddress, Int32(text.count))
            }
        }
    }

    /// A request has come to its end.
    private func settle() {
        let whenSettled = state.withLock { takeSettled(&$0) }
        whenSettled?()
    }

    private func takeSettled(_ state: inout State) -> (@Sendable () -> Void)? {
        state.isUnderWay = false
        defer { state.whenSettled = nil }
        return state.whenSettled
    }

    /// Patience is at its end. False when what was to be stopped has ended, or somebody else has asked.
    private func isTimeToAsk(_ generation: UInt64, _ reason: Reason) -> Bool {
        state.withLock { state in
            guard state.isAtWork, state.generation == generation, state.reason == nil else { return false }
            state.reason = reason
            scheduleCut(of: state.call)
            return takeUp(&state)
        }
    }

    /// A request that arrives before the server has read the statement is ignored, so it is repeated while the statement
    /// runs.
    private func isStillNeeded(_ generation: UInt64) -> Bool {
        state.withLock { state in
            guard state.isAtWork, state.generation == generation else { return false }
            return takeUp(&state)
        }
    }

    // MARK: Cutting

    /// Cuts the connection now. Whoever uses it gets an error.
    func abort() {
        // Behind the lock: see `State.socket`.
        state.withLock { shutDown($0) }
    }

    private func shutDown(_ state: borrowing State) {
        if let socket = state.socket { _ = shutdown(socket, Int32(SHUT_RDWR)) }
    }

    private func scheduleCut(of call: UInt64) {
        scheduleCut(of: call, after: grace)
    }

    private func scheduleCut(of call: UInt64, after time: Duration) {
        Self.timers.asyncAfter(deadline: .now() + time.timeInterval) { [weak self] in self?.cut(call) }
    }

    /// What is left of the server's time, when it does not end with the caller's; `nil` when it is over.
    private func timeLeft(_ state: borrowing State) -> Duration? {
        if state.isAtWork { return hasUnreadAnswer(state) ? Self.pauseOfLooks : nil }
        // The statement has ended. The latest request may have begun long after the first.
        let left = MonotonicTime.now.duration(to: state.underWaySince + grace)
        return left > .zero ? left : nil
    }

    /// The server had its time. What waits for its answer, or for a request that is stuck, goes on.
    private func cut(_ call: UInt64) {
        let whenSettled: (@Sendable () -> Void)? = state.withLock { state in
            guard state.call == call, state.isAtWork || state.isUnderWay, !hasCut else { return nil }
            if let left = timeLeft(state) {
                scheduleCut(of: call, after: left)
                return nil
            }
            cut.store(true, ordering: .relaxed)
            // A caller that waits for a request only does not wait for the socket, which libpq may have closed by then.
            if state.isAtWork { shutDown(state) }
            return takeSettled(&state)
        }
        whenSettled?()
    }
}
