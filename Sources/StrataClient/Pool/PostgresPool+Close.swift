import Dispatch
import Foundation
import Synchronization

extension PostgresPool {
    /// Closes the pool: waiting callers get `poolClosed`, idle connections are closed, leased ones when they come back. Those
    /// that are still out after `limit`, or `closeTimeout`, are cut. Blocks until then.
    package func close(within limit: Duration? = nil) {
        let drained = DispatchSemaphore(value: 0)
        beginClosing { drained.signal() }
        let limit = limit ?? options.closeTimeout
        if drained.wait(timeout: .now() + limit.timeInterval) == .timedOut { cutLeased() }
    }

    /// Closes the pool: waiting callers get `poolClosed`, idle connections are closed, leased ones when they come back. Those
    /// that are still out after `closeTimeout` are cut.
    package func close() async {
        let cut = DispatchWorkItem { [self] in cutLeased() }
        Self.timers.asyncAfter(deadline: .now() + options.closeTimeout.timeInterval, execute: cut)
        // A holder that never gives its connection back must not keep this call for ever.
        await withUnsafeContinuation { continuation in
            let once = Once { continuation.resume() }
            beginClosing { once.run() }
            cut.notify(queue: Self.timers) { once.run() }
        }
        cut.cancel()
    }

    private func beginClosing(whenDrained: @escaping @Sendable () -> Void) {
        let (connections, wakes, isDrained) = state.withLock { state in
            putAway(&state)
            let (idle, waiters) = state.machine.close()
            let connections = idle.compactMap { forget($0, &state) }
            let wakes = waiters.compactMap { state.waiting.removeValue(forKey: $0) }
            let isDrained = state.machine.leases.isEmpty
            if !isDrained { state.whenDrained.append(whenDrained) }
            return (connections, wakes, isDrained)
        }
        for wake in wakes { resume(wake, .failure(PostgresError.poolClosed)) }
        for connection in connections { connection.close() }
        if isDrained { whenDrained() }
    }

    private func cutLeased() {
        let leased = state.withLock { $0.connections.values.map(\.connection) }
        for connection in leased { connection.abort() }
    }

    // MARK: Ageing

    /// Closes connections that were idle for too long. A timer exists only while there are idle connections: see
    /// `State.takesUpReaping()`.
    func scheduleReaper() {
        let pause = max(0.05, min(options.idleTimeout, options.maximumLifetime).timeInterval / 2)
        Self.timers.asyncAfter(deadline: .now() + pause) { [weak self] in self?.reap() }
    }

    private func reap() {
        let now = ContinuousClock.now
        let idleDeadline = now - options.idleTimeout
        let birthDeadline = now - options.maximumLifetime
        let (old, needsReaper) = state.withLock { state in
            putAway(&state)
            state.isReaperScheduled = false
            let ids = state.machine.removeIdle(since: idleDeadline) { id in
                state.connections[id].map { $0.openedAt < birthDeadline } ?? true
            }
            let old = ids.compactMap { forget($0, &state) }
            let needsReaper = state.takesUpReaping()
            if state.allowsParking { parked.open() }
            return (old, needsReaper)
        }
        for connection in old { connection.close() }
        if needsReaper { scheduleReaper() }
    }
}

/// Runs its action the first time only.
private final class Once: Sendable {
    private let hasRun = Atomic(false)
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
    }

    func run() {
        if hasRun.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged {
            action()
        }
    }
}
