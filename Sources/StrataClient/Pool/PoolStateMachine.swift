/// Decides who gets which connection. Knows no socket and no clock: times are given to it, and it returns what to do.
///
/// A *lease* is permission to use one connection. There are `maximumConnections` shared leases and, on top, the leases of the
/// synchronous lane. Asynchronous callers wait in line for shared ones. A synchronous caller takes a shared lease when one is
/// free and no one waits for it, else one of the lane, and otherwise waits for other synchronous callers only.
struct PoolStateMachine<Instant: Comparable & Sendable>: Sendable {
    typealias LeaseID = Int
    typealias WaiterID = Int
    typealias ConnectionID = Int

    enum Caller: Sendable {
        case asynchronous
        case synchronous
    }

    enum Lane: Sendable {
        case shared
        case synchronous
    }

    /// What a caller does with its lease.
    enum Grant: Equatable, Sendable {
        case use(LeaseID, ConnectionID, idleSince: Instant)
        case open(LeaseID)
    }

    enum Acquisition: Equatable, Sendable {
        case granted(Grant)
        case wait
        case closed
    }

    /// Someone who waited and may go on.
    struct Admission: Equatable, Sendable {
        var waiter: WaiterID
        var grant: Grant
    }

    struct Lease: Sendable {
        var lane: Lane
        var caller: Caller
        var purpose: String
        var since: Instant
        /// nil while the connection is being opened.
        var connection: ConnectionID?
    }

    private struct Waiter {
        var id: WaiterID
        var purpose: String
    }

    private struct Idle {
        var connection: ConnectionID
        var since: Instant
    }

    private let sharedLimit: Int
    private let synchronousLimit: Int
    private(set) var leases: [LeaseID: Lease] = [:]
    private var sharedLeases = 0
    private var synchronousLeases = 0
    private var nextLease = 0
    /// Most recently used last: it is the one used next, so that the others can grow old and go.
    private var idle: [Idle] = []
    private var asynchronousWaiters: [Waiter] = []
    private var synchronousWaiters: [Waiter] = []
    private(set) var isClosed = false

    init(maximumConnections: Int, synchronousLane: Int) {
        sharedLimit = maximumConnections
        synchronousLimit = synchronousLane
    }

    var idleCount: Int { idle.count }
    var waiterCount: Int { asynchronousWaiters.count + synchronousWaiters.count }

    // MARK: Acquiring

    /// Whether an asynchronous caller would be granted a lease at once.
    var canGrantAsynchronously: Bool {
        sharedLeases < sharedLimit && asynchronousWaiters.isEmpty
    }

    mutating func acquire(_ waiter: WaiterID, _ caller: Caller, purpose: String, now: Instant) -> Acquisition {
        guard !isClosed else { return .closed }
        switch caller {
        case .asynchronous:
            if canGrantAsynchronously {
                return .granted(grant(.shared, caller, purpose, now))
            }
            asynchronousWaiters.append(Waiter(id: waiter, purpose: purpose))
        case .synchronous:
            if let lane = laneForSynchronous { return .granted(grant(lane, caller, purpose, now)) }
            synchronousWaiters.append(Waiter(id: waiter, purpose: purpose))
        }
        return .wait
    }

    private var laneForSynchronous: Lane? {
        if canGrantAsynchronously { return .shared }
        return synchronousLeases < synchronousLimit ? .synchronous : nil
    }

    private mutating func grant(_ lane: Lane, _ caller: Caller, _ purpose: String, _ now: Instant) -> Grant {
        let id = nextLease
        nextLease += 1
        if lane == .shared { sharedLeases += 1 } else { synchronousLeases += 1 }
        let reused = idle.popLast()
        leases[id] = Lease(lane: lane, caller: caller, purpose: purpose, since: now, connection: reused?.connection)
        if let reused { return .use(id, reused.connection, idleSince: reused.since) }
        return .open(id)
    }

    /// The lease's connection was opened, or replaced a dead one.
    mutating func opened(_ lease: LeaseID, _ connection: ConnectionID) {
        leases[lease]?.connection = connection
    }

    /// The caller no longer waits. Returns false when it has been granted a lease in the meantime.
    mutating func giveUp(_ waiter: WaiterID) -> Bool {
        if let index = asynchronousWaiters.firstIndex(where: { $0.id == waiter }) {
            asynchronousWaiters.remove(at: index)
            return true
        }
        if let index = synchronousWaiters.firstIndex(where: { $0.id == waiter }) {
            synchronousWaiters.remove(at: index)
            return true
        }
        return false
    }

    // MARK: Releasing

    struct Release: Equatable, Sendable {
        /// Close the connection: it is of no use, or the pool is closed.
        var closes: Bool
        /// Let these go on.
        var admitted: [Admission]
    }

    /// The lease ends. `keeps` is the connection when it can be used again. Unknown leases are ignored.
    mutating func release(_ lease: LeaseID, keeping keeps: ConnectionID?, now: Instant) -> Release {
        guard let ended = leases.removeValue(forKey: lease) else { return Release(closes: false, admitted: []) }
        if ended.lane == .shared { sharedLeases -= 1 } else { synchronousLeases -= 1 }
        guard !isClosed else { return Release(closes: keeps != nil, admitted: []) }
        if let keeps { idle.append(Idle(connection: keeps, since: now)) }
        return Release(closes: false, admitted: admitWaiters(now))
    }

    private mutating func admitWaiters(_ now: Instant) -> [Admission] {
        var admitted: [Admission] = []
        while sharedLeases < sharedLimit, !asynchronousWaiters.isEmpty {
            let waiter = asynchronousWaiters.removeFirst()
            admitted.append(Admission(waiter: waiter.id, grant: grant(.shared, .asynchronous, waiter.purpose, now)))
        }
        while let lane = laneForSynchronous, !synchronousWaiters.isEmpty {
            let waiter = synchronousWaiters.removeFirst()
            admitted.append(Admission(waiter: waiter.id, grant: grant(lane, .synchronous, waiter.purpose, now)))
        }
        return admitted
    }

    // MARK: Ageing and closing

    /// Takes the idle connections that have been idle since before `deadline`, or for which `isOld` holds.
    mutating func removeIdle(since deadline: Instant, orWhere isOld: (ConnectionID) -> Bool) -> [ConnectionID] {
        let removed = idle.filter { $0.since < deadline || isOld($0.connection) }.map(\.connection)
        idle.removeAll { removed.contains($0.connection) }
        return removed
    }

    /// Nobody gets a connection any more. Returns the idle ones to close and the waiters to turn away.
    mutating func close() -> (connections: [ConnectionID], waiters: [WaiterID]) {
        isClosed = true
        defer {
            idle.removeAll()
            asynchronousWaiters.removeAll()
            synchronousWaiters.removeAll()
        }
        return (idle.map(\.connection), (asynchronousWaiters + synchronousWaiters).map(\.id))
    }
}
