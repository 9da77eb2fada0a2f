import Dispatch
import Foundation
import StrataClient
import Synchronization

/// Wakes tasks that wait for commits.
///
/// It counts, so that no wake-up is lost between looking and waiting: note ``count``, look, then wait for a higher one.
final class WakeSignal: Sendable {
    enum Outcome: Sendable {
        case woken
        case timedOut
        /// Nothing will come any more: the container was closed.
        case closed
    }

    private enum Resumption {
        case outcome(Outcome)
        case cancelled
    }

    private struct State {
        var count: UInt64 = 0
        var isClosed = false
        var nextWaiter: UInt64 = 0
        var waiting: [UInt64: UnsafeContinuation<Resumption, Never>] = [:]
    }

    private let state = Mutex(State())
    private static let timers = DispatchQueue(label: "strata.wakes")

    var count: UInt64 { state.withLock { $0.count } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func wake() {
        let waiting = state.withLock { state in
            state.count += 1
            return Self.takeAll(&state)
        }
        for continuation in waiting { continuation.resume(returning: .outcome(.woken)) }
    }

    /// Wakes everybody, now and in future.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return Self.takeAll(&state)
        }
        for continuation in waiting { continuation.resume(returning: .outcome(.closed)) }
    }

    /// Waits until the count is higher than `count`; not at all when it is already. Throws `CancellationError` at once when
    /// the task is cancelled.
    func wait(after count: UInt64, timeout: Duration? = nil) async throws -> Outcome {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let resumption = await withCancellationHandler {
            await withUnsafeContinuation { continuation in
                let early: Resumption? = state.withLock { state in
                    if state.isClosed { return .outcome(.closed) }
                    if state.count > count { return .outcome(.woken) }
                    state.waiting[waiter] = continuation
                    return nil
                }
                if let early { return continuation.resume(returning: early) }
                if let timeout {
                    Self.timers.asyncAfter(deadline: .now() + timeout.inSeconds) {
                        self.resume(waiter, .outcome(.timedOut))
                    }
                }
                // A cancellation before the registration found no one to resume.
                if Task.isCancelled { resume(waiter, .cancelled) }
            }
        } onCancel: {
            resume(waiter, .cancelled)
        }
        switch resumption {
        case .outcome(let outcome): return outcome
        case .cancelled: throw CancellationError()
        }
    }

    /// Waits until the signal is closed or the time is over, whoever is woken meanwhile.
    func waitForEnd(timeout: Duration) async throws {
        let deadline = ContinuousClock.now + timeout
        // Not by waiting for wakes: there may be many.
        while !isClosed, .now < deadline {
            try await Task.sleep(for: min(.seconds(1), ContinuousClock.now.duration(to: deadline)))
        }
    }

    private func resume(_ waiter: UInt64, _ resumption: Resumption) {
        state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume(returning: resumption)
    }

    private static func takeAll(_ state: inout State) -> [UnsafeContinuation<Resumption, Never>] {
        defer { state.waiting.removeAll() }
        return Array(state.waiting.values)
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
