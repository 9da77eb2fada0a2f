import StrataClient
import StrataRepository

/// The way of one read to a replica that may be read from, or to the primary: says what to do next, and is told what came of it.
///
/// Each candidate is asked once. Where none is far enough, all are asked again, after 1, 2, 4 … 16 milliseconds, until the time is over;
/// no connection is held meanwhile.
struct ReplicaChoice {
    enum Action {
        /// Ask the primary how far it is.
        case askPrimary
        case connect(PostgresPool)
        /// Ask the replica how far it is.
        case askReplica(PostgresConnection)
        case wait(Duration)
        /// The replica, and its number.
        case read(ConnectionLease, Int)
        case readPrimary
    }

    private let replicas: ReplicaSet
    /// Those that have not failed.
    private var candidates: [Int]
    /// The one under consideration.
    private var index = 0
    private var number: Int { candidates[index] }
    private var lease: ConnectionLease?
    private var hasAskedReplica = false
    private var hasAskedPrimary = false
    /// What was committed by then is to be seen, whatever the age of replicas may be.
    private var since: ContinuousClock.Instant?
    /// The context's last read from the replica, which it is to see no less than.
    private let lastRead: ContinuousClock.Instant?
    private var end: ContinuousClock.Instant?
    private var pause = Duration.milliseconds(1)

    init(
        _ replicas: ReplicaSet, among candidates: [Int], since: ContinuousClock.Instant?,
        lastRead: ContinuousClock.Instant? = nil
    ) {
        self.replicas = replicas
        self.candidates = candidates
        self.since = since
        self.lastRead = lastRead
    }

    mutating func next() -> Action {
        let now = ContinuousClock.now
        let bound = replicas.bound(since: since, now)
        if !hasAskedPrimary {
            hasAskedPrimary = true
            if replicas.takesUpAsking(bound, now) { return .askPrimary }
        }
        // There is nothing to compare a replica with.
        guard replicas.knowsPrimary(since: bound) else { return readPrimary() }
        if let lease {
            if replicas.takesUpReading(number, lease.connection.id, toShow: bound, now) {
                self.lease = nil
                return .read(lease, number)
            }
            if !hasAskedReplica {
                hasAskedReplica = true
                return .askReplica(lease.connection)
            }
            giveUp()
            index += 1
        }
        if index < candidates.count { return .connect(replicas.pools[number]) }
        return candidates.isEmpty ? readPrimary() : beginAnew(now)
    }

    /// None is far enough.
    private mutating func beginAnew(_ now: ContinuousClock.Instant) -> Action {
        let end = end ?? now + replicas.catchUpTimeout
        self.end = end
        guard now < end else {
            // Behind a token that is a moment old this says nothing of a replica.
            if since == nil {
                for number in candidates { replicas.rest(number, because: "It is too far behind the primary.") }
            }
            return readPrimary()
        }
        index = 0
        defer { pause = min(pause * 2, .milliseconds(16)) }
        return .wait(min(pause, now.duration(to: end)))
    }

    private mutating func readPrimary() -> Action {
        giveUp()
        return .readPrimary
    }

    /// Gives back the connection that is held.
    mutating func giveUp() {
        lease?.end()
        lease = nil
    }

    // MARK: What came of it

    func primary(is place: ReplicationPlace, at asked: ContinuousClock.Instant) {
        replicas.notePrimary(place, at: asked)
    }

    /// The primary does not answer, which is for the read to find out if it goes there. Throws where nobody wants the answer any more, and where it
    /// would wait for a connection a second time.
    func primaryFailed(_ error: any Error) throws {
        replicas.primaryFailed()
        guard let failure = Self.failure(error) else { throw error }
        if failure.code == .poolAcquireTimeout, !replicas.knowsPrimary(since: replicas.bound(since: since, .now)) {
            throw error
        }
    }

    mutating func connected(_ connection: PostgresConnection) {
        lease = ConnectionLease(
            connection: connection, pool: replicas.pools[number], replica: .init(set: replicas, number: number))
        hasAskedReplica = false
        guard let lastRead, since.map({ $0 < lastRead }) ?? true,
            !replicas.knew(number, connection.id, by: lastRead)
        else { return }
        // The replica may have been started again since, and begins behind what it has shown. All that it can have shown was committed by now.
        since = .now
        hasAskedPrimary = false
    }

    mutating func replica(is place: ReplicationPlace) throws {
        guard let lease, !replicas.note(number, lease.connection.id, is: place) else { return }
        try failed(
            PostgresError(
                .connectionFailed, "The server is no standby of this primary, or was promoted: it is not read from."))
    }

    /// The replica does not answer, or all connections to it are taken. Throws where nobody wants the answer any more.
    mutating func failed(_ error: any Error) throws {
        giveUp()
        guard let failure = Self.failure(error) else { throw error }
        if failure.code != .poolAcquireTimeout { replicas.rest(number, because: "\(failure)") }
        candidates.remove(at: index)
    }

    /// The error where it is the server's or the connection's; `nil` where nobody wants the answer any more.
    private static func failure(_ error: any Error) -> PostgresError? {
        guard let error = error as? PostgresError, error.code != .cancelled, error.code != .poolClosed else {
            return nil
        }
        return error
    }
}
