import Dispatch
import Foundation
package import Logging
import Synchronization

/// A bounded set of connections to one server, opened when needed.
package final class PostgresPool: Sendable {
    typealias Machine = PoolStateMachine<ContinuousClock.Instant>

    /// How a waiting caller is woken.
    enum Wake: Sendable {
        case task(UnsafeContinuation<Machine.Grant, any Error>, until: ContinuousClock.Instant, purpose: String)
        case thread(SynchronousWait)
    }

    struct State: Sendable {
        var machine: Machine
        /// Idle and leased ones, by their ids.
        var connections: [Int: PooledConnection] = [:]
        var waiting: [Machine.WaiterID: Wake] = [:]
        var nextWaiter = 0
        /// Whether a timer will look for waits whose time is over. One for all: most end long before.
        var isTimeoutScheduled = false
        var isReaperScheduled = false
        /// Called when the last lease has ended after the pool was closed.
        var whenDrained: [@Sendable () -> Void] = []

        /// Whether the caller is to schedule the reaper: there are idle connections, and nobody has.
        mutating func takesUpReaping() -> Bool {
            guard !isReaperScheduled, machine.idleCount > 0, !machine.isClosed else { return false }
            isReaperScheduled = true
            return true
        }

        /// Whether connections may change hands without these books: nobody waits for one, and a timer will look after those
        /// that nobody takes.
        var allowsParking: Bool { isReaperScheduled && machine.waiterCount == 0 && !machine.isClosed }
    }

    package let configuration: PostgresConfiguration
    package let options: PostgresPoolOptions
    let logger: Logger
    package let observer: (any PostgresObserver)?
    let onConnect: (@Sendable (PostgresConnection) throws -> Void)?
    let state: ShortLock<State>
    let parked = ParkedConnections()
    /// Counts how often the server that takes writes has become another: connections from before are replaced when they are asked for.
    let generation = Atomic(0)
    /// When connections were last replaced because their server takes no writes.
    private let lastReplacement = Mutex<ContinuousClock.Instant?>(nil)
    /// Ends waits whose time is over and closes connections that are too old.
    static let timers = DispatchQueue(label: "strata.pool")

    /// A pool that opens no connection before the first is acquired. `onConnect` runs once on each new connection, on the
    /// thread that connects.
    package init(
        configuration: PostgresConfiguration, options: PostgresPoolOptions = PostgresPoolOptions(),
        logger: Logger = .disabled, observer: (any PostgresObserver)? = nil,
        onConnect: (@Sendable (PostgresConnection) throws -> Void)? = nil
    ) {
        self.configuration = configuration
        self.options = options
        self.logger = logger
        self.observer = observer
        self.onConnect = onConnect
        let machine = Machine(
            maximumConnections: options.maximumConnections, synchronousLane: options.synchronousLane)
        state = ShortLock(State(machine: machine))
    }

    /// Runs `body` with a connection and gives it back.
    package func withConnection<Result>(
        for purpose: String, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        let connection = try acquire(for: purpose)
        defer { release(connection) }
        return try body(connection)
    }

    /// Runs `body` with a connection and gives it back.
    package func withConnection<Result>(
        for purpose: String, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await acquire(for: purpose)
        defer { release(connection) }
        return try await body(connection)
    }

    /// The number of open connections, idle or leased.
    package var connectionCount: Int { state.withLock { $0.connections.count } }

    // MARK: Releasing

    /// Gives the connection back. An open transaction is rolled back and subscriptions are ended, without keeping the
    /// caller; a broken connection is closed. Giving one back twice does nothing.
    package func release(_ connection: PostgresConnection) {
        let now = ContinuousClock.now
        if connection.leadsToStandby { replaceThose(like: connection) }
        if park(connection, now) { return }
        var unclean: Machine.LeaseID?
        let ended: Ended? = state.withLock { state in
            guard let pooled = state.connections[connection.id], let lease = pooled.lease, pooled.end() else {
                return nil
            }
            pooled.lease = nil
            connection.forgetUse()
            let isUsable = connection.isUsable && !connection.isOccupied && !connection.leadsToStandby
            if isUsable, !connection.isClean {
                unclean = lease
                return nil
            }
            return end(lease, connection, isUsable: isUsable, now, &state)
        }
        if let unclean {
            BlockingThread.run("strata.reset") { [self] in
                let isUsable = connection.reset()
                let now = ContinuousClock.now
                finish(state.withLock { end(unclean, connection, isUsable: isUsable, now, &$0) }, connection)
            }
        } else if let ended {
            finish(ended, connection)
        }
    }

    /// A server that was to take writes takes none: all connections of its time lead there, and whoever asks next gets a new one.
    private func replaceThose(like connection: PostgresConnection) {
        guard let known = state.withLock({ $0.connections[connection.id]?.generation }) else { return }
        // A server that never takes writes would have all connections opened anew for each attempt.
        let now = ContinuousClock.now
        let isDue = lastReplacement.withLock { last in
            if let last, now - last < .seconds(5) { return false }
            last = now
            return true
        }
        guard isDue else { return }
        // Of several that have found out, the first.
        _ = generation.compareExchange(expected: known, desired: known + 1, ordering: .relaxed)
    }

    /// Leaves the connection to who asks next, if nobody waits and nothing is to be done with it.
    private func park(_ connection: PostgresConnection, _ now: ContinuousClock.Instant) -> Bool {
        // Who gives it back twice may find another one in the place.
        guard connection.place >= 0, let pooled = parked[connection.place], pooled.connection === connection,
            pooled.lease != nil, pooled.isShared,
            connection.isUsable, !connection.isOccupied, !connection.leadsToStandby, connection.isClean
        else { return false }
        // Given back already.
        guard pooled.end() else { return true }
        connection.forgetUse()
        pooled.idleSince = now
        if parked.park(connection.place) { return true }
        pooled.goOn()
        return false
    }

    /// Takes what is parked into the books, to be called before they are used. Nothing is parked any more until they allow it.
    func putAway(_ state: inout State) {
        // The most recently used last, as the books have them.
        for pooled in parked.close().sorted(by: { $0.idleSince < $1.idleSince }) {
            guard let lease = pooled.lease else { continue }
            pooled.lease = nil
            // Nobody is admitted by this: nobody waits while connections can be parked.
            _ = state.machine.release(lease, keeping: pooled.connection.id, now: pooled.idleSince)
        }
    }

    /// The connection is no part of the pool any more.
    @discardableResult
    func forget(_ id: Machine.ConnectionID, _ state: inout State) -> PostgresConnection? {
        guard let pooled = state.connections.removeValue(forKey: id) else { return nil }
        parked.remove(pooled)
        return pooled.connection
    }

    /// What is to be done outside of the lock when a lease has ended.
    private struct Ended {
        var closes: Bool
        var wakes: [(Wake, Machine.Grant)]
        var drained: [@Sendable () -> Void]
        var needsReaper: Bool
    }

    private func end(
        _ lease: Machine.LeaseID, _ connection: PostgresConnection, isUsable: Bool, _ now: ContinuousClock.Instant,
        _ state: inout State
    ) -> Ended {
        if !isUsable { forget(connection.id, &state) }
        let release = state.machine.release(lease, keeping: isUsable ? connection.id : nil, now: now)
        if release.closes { forget(connection.id, &state) }
        let ended = Ended(
            closes: release.closes || !isUsable, wakes: takeWakes(release.admitted, &state),
            drained: takeDrained(&state), needsReaper: state.takesUpReaping())
        if state.allowsParking { parked.open() }
        return ended
    }

    private func finish(_ ended: Ended, _ connection: PostgresConnection) {
        if ended.closes { connection.close() }
        for (wake, grant) in ended.wakes { resume(wake, .success(grant)) }
        for callback in ended.drained { callback() }
        if ended.needsReaper { scheduleReaper() }
    }

    /// The caller could not open its connection: the lease goes to the next in line.
    func abandon(_ lease: Machine.LeaseID) {
        let (wakes, drained) = state.withLock { state in
            let release = state.machine.release(lease, keeping: nil, now: .now)
            return (takeWakes(release.admitted, &state), takeDrained(&state))
        }
        for (wake, grant) in wakes { resume(wake, .success(grant)) }
        for callback in drained { callback() }
    }

    private func takeWakes(_ admitted: [Machine.Admission], _ state: inout State) -> [(Wake, Machine.Grant)] {
        admitted.compactMap { admission in
            state.waiting.removeValue(forKey: admission.waiter).map { ($0, admission.grant) }
        }
    }

    private func takeDrained(_ state: inout State) -> [@Sendable () -> Void] {
        guard state.machine.isClosed, state.machine.leases.isEmpty else { return [] }
        defer { state.whenDrained.removeAll() }
        return state.whenDrained
    }

    func resume(_ wake: Wake, _ result: Result<Machine.Grant, any Error>) {
        switch wake {
        case .task(let continuation, _, _): continuation.resume(with: result)
        case .thread(let wait): wait.finish(result)
        }
    }
}

extension PostgresConnection {
    /// Whether its last user has left nothing on the server.
    fileprivate var isClean: Bool { transactionStatus == .idle && listensTo.isEmpty }

    /// Forgets what its last user has left here.
    fileprivate func forgetUse() {
        if !deferredEntries.isEmpty { deferredEntries.removeAll() }
        if callLimit != nil { callLimit = nil }
        transactionDepth = 0
        if !pendingNotifications.isEmpty { pendingNotifications.removeAll() }
    }

    /// Ends what the last user left open. Returns whether the connection can be used again.
    func reset() -> Bool {
        var batch = PostgresBatch()
        if transactionStatus != .idle { batch.rollback() }
        if !listensTo.isEmpty { batch.add(PostgresStatement(PreparedSQL("UNLISTEN *", isCached: false))) }
        do {
            try run(batch)
        } catch {
            return false
        }
        listensTo.removeAll()
        pendingNotifications.removeAll()
        return isUsable && transactionStatus == .idle
    }
}
