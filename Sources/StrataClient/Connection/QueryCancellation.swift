import CLibPQ
import Dispatch
import Foundation
import Synchronization

/// Cancels what a connection is doing, from any thread, and never what it does next.
///
/// A cancel request travels over a connection of its own and may be late. So whoever runs a statement calls
/// ``begin()`` before and one of the `end` functions after it, and these wait for a request that is under way.
// Unchecked: the handle is read-only for libpq (PQcancel is documented as thread-safe), the rest is behind the mutex.
final class QueryCancellation: @unchecked Sendable {
    private struct State {
        /// Counts what has been run, so that a request is not repeated for the next.
        var generation: UInt64 = 0
        var isRunning = false
        /// Whether somebody is going to ask when his patience is at its end.
        var isPlanned = false
        var wasRequested = false
        var isUnderWay = false
        var whenSettled: (@Sendable () -> Void)?
    }

    private let handle: OpaquePointer?
    private let state = Mutex(State())

    init(connection: OpaquePointer) {
        handle = PQgetCancel(connection)
    }

    deinit {
        if let handle { PQfreeCancel(handle) }
    }

    /// Whether the statement that runs, or ran last, was asked to stop.
    var wasRequested: Bool { state.withLock { $0.wasRequested } }

    func begin() {
        state.withLock {
            $0.generation += 1
            $0.isRunning = true
            $0.isPlanned = false
            $0.wasRequested = false
        }
    }

    /// What comes now must not be stopped: it ends a transaction.
    func suspend() {
        state.withLock {
            $0.generation += 1
            $0.isRunning = false
            $0.isPlanned = false
        }
    }

    /// What comes now may be stopped again.
    func resume() {
        state.withLock { $0.isRunning = true }
    }

    /// Asks the server to stop what runs now; does nothing when nothing runs. Returns at once.
    ///
    /// - Parameter patience: seconds until it is asked; what has ended by then is not. Who has none does not wait for others'.
    func request(after patience: TimeInterval = 0) {
        let generation: UInt64? = state.withLock { state in
            guard state.isRunning, !state.wasRequested else { return nil }
            if patience > 0 {
                guard !state.isPlanned else { return nil }
                state.isPlanned = true
            } else {
                state.wasRequested = true
                state.isUnderWay = true
            }
            return state.generation
        }
        guard let generation else { return }
        // PQcancel connects and blocks.
        BlockingThread.run("strata.cancel") { [self] in
            if patience > 0 {
                Thread.sleep(forTimeInterval: patience)
                guard isTimeToAsk(generation) else { return }
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

    private func send() {
        guard let handle else { return }
        // A failure has no remedy but the next attempt.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            _ = PQcancel(handle, text.baseAddress, Int32(text.count))
        }
    }

    private func settle() {
        let whenSettled = state.withLock { state in
            state.isUnderWay = false
            defer { state.whenSettled = nil }
            return state.whenSettled
        }
        whenSettled?()
    }

    /// Patience is at its end. False when what was to be stopped has ended, or somebody else has asked.
    private func isTimeToAsk(_ generation: UInt64) -> Bool {
        state.withLock { state in
            guard state.isRunning, state.generation == generation, !state.wasRequested else { return false }
            state.wasRequested = true
            state.isUnderWay = true
            return true
        }
    }

    /// A request that arrives before the server has read the statement is ignored, so it is repeated while the statement
    /// runs.
    private func isStillNeeded(_ generation: UInt64) -> Bool {
        state.withLock { state in
            guard state.isRunning, state.generation == generation else { return false }
            state.isUnderWay = true
            return true
        }
    }

    /// The statement has ended; blocks until no request is under way.
    func endAndWait() {
        if end(whenSettled: nil) { return }
        let settled = DispatchSemaphore(value: 0)
        if !end(whenSettled: { settled.signal() }) { settled.wait() }
    }

    /// The statement has ended; waits until no request is under way.
    func end() async {
        if end(whenSettled: nil) { return }
        await withUnsafeContinuation { continuation in
            if end(whenSettled: { continuation.resume() }) { continuation.resume() }
        }
    }

    /// Returns true when nothing is under way; otherwise calls `whenSettled` later.
    private func end(whenSettled: (@Sendable () -> Void)?) -> Bool {
        state.withLock { state in
            state.isRunning = false
            guard state.isUnderWay else { return true }
            state.whenSettled = whenSettled
            return false
        }
    }
}
