import Foundation
import Synchronization

extension PostgresPool {
    /// A connection, as soon as one is free, first come first served. `purpose` appears in timeout messages.
    ///
    /// Throws ``PostgresError`` (`poolAcquireTimeout`, `poolClosed`, or why no connection could be opened), or
    /// `CancellationError`.
    package func acquire(for purpose: String) async throws -> PostgresConnection {
        try Task.checkCancellation()
        if let (grant, idle) = takeParked(purpose) { return try await redeem(grant, idle, purpose) }
        let (waiter, acquisition, idle) = begin(.asynchronous, purpose)
        switch acquisition {
        case .granted(let grant): return try await redeem(grant, idle, purpose)
        case .closed: throw PostgresError.poolClosed
        case .wait: return try await redeem(try await wait(waiter, .asynchronous, purpose), nil, purpose)
        }
    }

    /// A connection for somebody who holds one already. It may be one of the synchronous lane: waiting for those who hold
    /// one too, and perhaps wait for a second one themselves, could wait for ever.
    ///
    /// Throws as ``acquire(for:)``.
    package func acquireFurther(for purpose: String) async throws -> PostgresConnection {
        try Task.checkCancellation()
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await redeem(try await wait(waiter, .synchronous, purpose), nil, purpose)
    }

    /// A connection, blocking this thread until one is free. Never waits for asynchronous callers: when they hold all
    /// connections, it opens one of the synchronous lane.
    ///
    /// Throws ``PostgresError``: `poolAcquireTimeout`, `poolClosed`, or why no connection could be opened.
    package func acquire(for purpose: String) throws -> PostgresConnection {
        if let (grant, idle) = takeParked(purpose) { return try redeem(grant, idle, purpose) }
        var waits: SynchronousWait?
        let (waiter, acquisition, idle) = begin(.synchronous, purpose) {
            let wait = SynchronousWait()
            waits = wait
            return .thread(wait)
        }
        let grant: Machine.Grant
        switch (acquisition, waits) {
        case (.granted(let grant), _): return try redeem(grant, idle, purpose)
        case (.closed, _), (.wait, nil): throw PostgresError.poolClosed
        case (.wait, let wait?):
            if let result = wait.wait(timeout: options.acquireTimeout) {
                grant = try result.get()
            } else if let error = giveUp(waiter, { timeoutError(purpose, $0) }) {
                throw error
            } else {
                // Granted at the last moment: the result is there or about to be.
                grant = try wait.waitForResult().get()
            }
        }
        return try redeem(grant, nil, purpose)
    }

    // MARK: Waiting

    /// Takes a lease, and the idle connection that comes with it, or a place in line.
    ///
    /// - Parameter wake: made only when the caller has to wait.
    private func begin(
        _ caller: Machine.Caller, _ purpose: String, wake: (() -> Wake)? = nil
    ) -> (Machine.WaiterID, Machine.Acquisition, IdleConnection?) {
        let now = ContinuousClock.now
        return state.withLock { state in
            putAway(&state)
            state.nextWaiter += 1
            let waiter = state.nextWaiter
            // An asynchronous caller that must wait gets its place in line when its continuation exists.
            if caller == .asynchronous, !state.machine.isClosed, !state.machine.canGrantAsynchronously {
                return (waiter, .wait, nil)
            }
            let acquisition = state.machine.acquire(waiter, caller, purpose: purpose, now: now)
            switch acquisition {
            case .granted(let grant):
                if state.allowsParking { parked.open() }
                return (waiter, acquisition, take(grant, purpose, now, &state))
            case .wait:
                if let wake { state.waiting[waiter] = wake() }
                return (waiter, acquisition, nil)
            case .closed: return (waiter, acquisition, nil)
            }
        }
    }

    private func wait(
        _ waiter: Machine.WaiterID, _ caller: Machine.Caller, _ purpose: String
    ) async throws -> Machine.Grant {
        try await withCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let now = ContinuousClock.now
                let (acquisition, needsTimeout) = state.withLock { state in
                    putAway(&state)
                    let acquisition = state.machine.acquire(waiter, caller, purpose: purpose, now: now)
                    guard acquisition == .wait else { return (acquisition, false) }
                    state.waiting[waiter] = .task(continuation, until: now + options.acquireTimeout, purpose: purpose)
                    defer { state.isTimeoutScheduled = true }
                    return (acquisition, !state.isTimeoutScheduled)
                }
                switch acquisition {
                case .granted(let grant): continuation.resume(returning: grant)
                case .closed: continuation.resume(throwing: PostgresError.poolClosed)
                case .wait:
                    if needsTimeout { scheduleTimeout(after: options.acquireTimeout) }
                    // A cancellation before the registration found no one to wake.
                    if Task.isCancelled { giveUpCancelled(waiter) }
                }
            }
        } onCancel: {
            giveUpCancelled(waiter)
        }
    }

    private func giveUpCancelled(_ waiter: Machine.WaiterID) {
        let wake: Wake? = state.withLock { state in
            state.machine.giveUp(waiter) ? state.waiting.removeValue(forKey: waiter) : nil
        }
        if let wake { resume(wake, .failure(CancellationError())) }
    }

    private func scheduleTimeout(after delay: Duration) {
        Self.timers.asyncAfter(deadline: .now() + delay.timeInterval) { [weak self] in self?.endOverdueWaits() }
    }

    /// Ends the waits of tasks whose time is over.
    private func endOverdueWaits() {
        let now = ContinuousClock.now
        let (overdue, next) = state.withLock { state in
            var overdue: [(wake: Wake, error: PostgresError)] = []
            var next: ContinuousClock.Instant?
            for (waiter, wake) in state.waiting {
                guard case .task(_, let end, let purpose) = wake else { continue }
                if end > now {
                    next = next.map { min($0, end) } ?? end
                } else if state.machine.giveUp(waiter) {
                    state.waiting[waiter] = nil
                    overdue.append((wake, timeoutError(purpose, state)))
                }
            }
            state.isTimeoutScheduled = next != nil
            return (overdue, next)
        }
        for (wake, error) in overdue { resume(wake, .failure(error)) }
        if let next { scheduleTimeout(after: now.duration(to: next)) }
    }

    /// Takes the caller out of the line; nil when it has been granted a lease, or turned away, in the meantime.
    private func giveUp(_ waiter: Machine.WaiterID, _ error: (State) -> PostgresError) -> PostgresError? {
        state.withLock { state in
            guard state.machine.giveUp(waiter) else { return nil }
            state.waiting[waiter] = nil
            return error(state)
        }
    }

    /// Says who holds what and for how long.
    private func timeoutError(_ purpose: String, _ state: State) -> PostgresError {
        let now = ContinuousClock.now
        let holders = state.machine.leases.values.map { lease in
            guard let id = lease.connection, let pooled = state.connections[id] else {
                return (connection: "a connection being opened", use: (purpose: lease.purpose, since: lease.since))
            }
            return (connection: "connection \(id)", use: pooled.latestUse)
        }.sorted { $0.use.since < $1.use.since }.map { holder in
            "\(holder.connection) by \"\(holder.use.purpose)\" for \(holder.use.since.duration(to: now).seconds)"
        }
        return PostgresError(
            .poolAcquireTimeout,
            "No connection became free for \"\(purpose)\" within \(options.acquireTimeout.seconds). "
                + "Taken: \(holders.joined(separator: ", ")). "
                + "\(state.machine.waiterCount) others wait. Hold connections for a shorter time, or allow more than "
                + "\(options.maximumConnections).")
    }

    // MARK: Turning a grant into a connection

    /// - Parameter idle: the connection that came with the lease, if that is known already.
    private func redeem(
        _ grant: Machine.Grant, _ idle: IdleConnection?, _ purpose: String
    ) throws -> PostgresConnection {
        if let idle = idle ?? take(grant, purpose) {
            let connection = idle.connection
            switch idle.health {
            case .fresh: return lend(connection)
            case .unknown where connection.looksAlive(): return lend(connection)
            case .stale where connection.looksAlive() && (try? connection.ping()) != nil: return lend(connection)
            case .unknown, .stale, .old: drop(connection)
            }
        }
        do {
            let opened = try open()
            return lend(opened.connection, opened.generation, grant.lease, purpose)
        } catch {
            abandon(grant.lease)
            throw error
        }
    }

    private func redeem(
        _ grant: Machine.Grant, _ idle: IdleConnection?, _ purpose: String
    ) async throws -> PostgresConnection {
        if let idle = idle ?? take(grant, purpose) {
            let connection = idle.connection
            switch idle.health {
            case .fresh: return lend(connection)
            case .unknown where connection.looksAlive(): return lend(connection)
            case .stale where connection.looksAlive():
                if (try? await connection.ping()) != nil { return lend(connection) }
                drop(connection)
            case .unknown, .stale, .old: drop(connection)
            }
        }
        do {
            let opened = try await BlockingThread.valueUnlessCancelled("strata.connect") { try self.open() }
            return lend(opened.connection, opened.generation, grant.lease, purpose)
        } catch {
            abandon(grant.lease)
            throw error
        }
    }

    /// A connection that was idle, and what is known of it.
    private struct IdleConnection {
        enum Health {
            /// It was in use a moment ago: looking at its socket would tell nothing new.
            case fresh
            case unknown
            /// Idle for so long that somebody on the way may have forgotten it.
            case stale
            /// To be replaced.
            case old
        }

        var connection: PostgresConnection
        var health: Health
    }

    private static let freshness = Duration.microseconds(200)

    /// A parked connection, with the lease that it has kept.
    private func takeParked(_ purpose: String) -> (Machine.Grant, IdleConnection)? {
        guard let pooled = parked.take(), let lease = pooled.lease else { return nil }
        let now = ContinuousClock.now
        pooled.begin(purpose, now)
        let idleSince = pooled.idleSince
        let grant = Machine.Grant.use(lease, pooled.connection.id, idleSince: idleSince)
        return (grant, IdleConnection(connection: pooled.connection, health: health(pooled, idleSince, now)))
    }

    private func take(_ grant: Machine.Grant, _ purpose: String) -> IdleConnection? {
        let now = ContinuousClock.now
        return state.withLock { take(grant, purpose, now, &$0) }
    }

    /// Enters the lease of the idle connection that comes with a grant.
    private func take(
        _ grant: Machine.Grant, _ purpose: String, _ now: ContinuousClock.Instant, _ state: inout State
    ) -> IdleConnection? {
        guard case .use(let lease, let id, let idleSince) = grant, let pooled = state.connections[id] else {
            return nil
        }
        enter(lease, state.machine.leases[lease]?.lane, pooled, purpose, now)
        return IdleConnection(connection: pooled.connection, health: health(pooled, idleSince, now))
    }

    private func enter(
        _ lease: Machine.LeaseID, _ lane: Machine.Lane?, _ pooled: PooledConnection, _ purpose: String,
        _ now: ContinuousClock.Instant
    ) {
        pooled.lease = lease
        pooled.isShared = lane == .shared
        pooled.begin(purpose, now)
    }

    private func health(
        _ pooled: PooledConnection, _ idleSince: ContinuousClock.Instant, _ now: ContinuousClock.Instant
    ) -> IdleConnection.Health {
        let idle = idleSince.duration(to: now)
        return
            if pooled.openedAt.duration(to: now) > options.maximumLifetime
            || pooled.generation != generation.load(ordering: .relaxed)
            // Nobody else has the connection, so nobody prepares anything on it.
            || pooled.connection.cache.hasLearnedItsShare
        {
            .old
        } else if idle >= options.healthCheckAfterIdle {
            .stale
        } else if idle < Self.freshness {
            .fresh
        } else {
            .unknown
        }
    }

    private func drop(_ connection: PostgresConnection) {
        state.withLock { _ = forget(connection.id, &$0) }
        connection.close()
    }

    private func open() throws -> (connection: PostgresConnection, generation: Int) {
        // Before it connects: what is found out meanwhile may be true of it, too.
        let generation = generation.load(ordering: .relaxed)
        let connection = try PostgresConnection.connect(
            configuration, limits: options.limits, logger: logger, observer: observer)
        connection.cache.share = options.maximumPreparations
        try onConnect?(connection)
        return (connection, generation)
    }

    /// One whose lease is entered.
    private func lend(_ connection: PostgresConnection) -> PostgresConnection {
        connection.isKnownAlive = true
        return connection
    }

    /// A new one.
    private func lend(
        _ connection: PostgresConnection, _ generation: Int, _ lease: Machine.LeaseID, _ purpose: String
    ) -> PostgresConnection {
        let now = ContinuousClock.now
        state.withLock { state in
            let pooled = PooledConnection(connection, generation: generation)
            state.connections[connection.id] = pooled
            parked.add(pooled)
            state.machine.opened(lease, connection.id)
            enter(lease, state.machine.leases[lease]?.lane, pooled, purpose, now)
        }
        return lend(connection)
    }
}

extension PoolStateMachine.Grant {
    var lease: PoolStateMachine.LeaseID {
        switch self {
        case .use(let lease, _, _), .open(let lease): lease
        }
    }
}

extension PostgresError {
    static var poolClosed: PostgresError {
        PostgresError(.poolClosed, "The connection pool was closed.")
    }
}

/// A thread that waits for its lease.
final class SynchronousWait: Sendable {
    private let result = Mutex<Result<PostgresPool.Machine.Grant, any Error>?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func finish(_ result: Result<PostgresPool.Machine.Grant, any Error>) {
        self.result.withLock { $0 = result }
        semaphore.signal()
    }

    func wait(timeout: Duration) -> Result<PostgresPool.Machine.Grant, any Error>? {
        guard semaphore.wait(timeout: .now() + timeout.timeInterval) == .success else { return nil }
        return result.withLock { $0 }
    }

    func waitForResult() -> Result<PostgresPool.Machine.Grant, any Error> {
        semaphore.wait()
        return result.withLock { $0 } ?? .failure(PostgresError.poolClosed)
    }
}
