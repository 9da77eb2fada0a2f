import Dispatch
import Foundation
package import Logging
import Synchronization

/// A bounded set of connections to one server, opened when needed.
package final class PostgresPool: Sendable {
    typealias Machine = PoolStateMachine<ContinuousClock.Instant>

    /// How a waiting caller is woken.
    enum Wake: Sendable {
        case task(UnsafeContinuation<Machine.Grant, any Error>)
        case thread(SynchronousWait)
    }

    struct State: Sendable {
        var machine: Machine
        /// Idle and leased ones, by their ids.
        var connections: [Int: PooledConnection] = [:]
        /// The lease of each leased connection.
        var leaseOfConnection: [Int: Machine.LeaseID] = [:]
        var waiting: [Machine.WaiterID: Wake] = [:]
        var nextWaiter = 0
        var isReaperScheduled = false
        /// Called when the last lease has ended after the pool was closed.
        var whenDrained: [@Sendable () -> Void] = []
    }

    struct PooledConnection: Sendable {
        var connection: PostgresConnection
        var openedAt: ContinuousClock.Instant
    }

    package let configuration: PostgresConfiguration
    package let options: PostgresPoolOptions
    let logger: Logger
    let observer: (any PostgresObserver)?
    let onConnect: (@Sendable (PostgresConnection) throws -> Void)?
    let state: Mutex<State>
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
        state = Mutex(State(machine: machine))
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
        guard let lease = state.withLock({ $0.leaseOfConnection.removeValue(forKey: connection.id) }) else { return }
        connection.deferredEntries.removeAll()
        connection.transactionDepth = 0
        connection.pendingNotifications.removeAll()
        let isClean = connection.transactionStatus == .idle && connection.listensTo.isEmpty
        guard connection.isUsable, !connection.isOccupied, !isClean else {
            finishRelease(lease, connection, isUsable: connection.isUsable && !connection.isOccupied)
            return
        }
        BlockingThread.run("strata.reset") { [self] in
            finishRelease(lease, connection, isUsable: connection.reset())
        }
    }

    func finishRelease(_ lease: Machine.LeaseID, _ connection: PostgresConnection, isUsable: Bool) {
        let now = ContinuousClock.now
        let (release, wakes, drained) = state.withLock { state in
            if !isUsable { state.connections[connection.id] = nil }
            let release = state.machine.release(lease, keeping: isUsable ? connection.id : nil, now: now)
            if release.closes { state.connections[connection.id] = nil }
            return (release, takeWakes(release.admitted, &state), takeDrained(&state))
        }
        if release.closes || !isUsable { connection.close() }
        for (wake, grant) in wakes { resume(wake, .success(grant)) }
        for callback in drained { callback() }
        scheduleReaper()
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
        case .task(let continuation): continuation.resume(with: result)
        case .thread(let wait): wait.finish(result)
        }
    }
}

extension PostgresConnection {
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
