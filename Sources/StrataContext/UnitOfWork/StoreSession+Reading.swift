import Foundation
import StrataClient
import StrataRepository

extension StoreSession {
    /// A connection for something that only reads: the one place that decides where a read goes. Blocks this thread.
    func leaseToRead(for purpose: String) throws -> ConnectionLease {
        while let choice = replicaChoice() {
            if let lease = try carryOut(choice, for: purpose) { return lease }
        }
        return try leasePrimary(for: purpose)
    }

    /// A connection for something that only reads. As the blocking form.
    func leaseToRead(for purpose: String) async throws -> ConnectionLease {
        while let choice = replicaChoice() {
            if let lease = try await carryOut(choice, for: purpose) { return lease }
        }
        return try await leasePrimary(for: purpose)
    }

    /// `nil` for the primary.
    private func replicaChoice() -> ReplicaChoice? {
        guard let replicas = store.replicas, unit.reading.isFromReplica else { return nil }
        // What woke the observers of this context is to be seen.
        if !unit.editWatch.isEmpty { readPlace = .primary }
        let since = unit.reading.since
        switch readPlace {
        case .primary: return nil
        case .replica(let number, let lastRead):
            return ReplicaChoice(replicas, among: [number], since: since, lastRead: lastRead)
        case .open: return ReplicaChoice(replicas, among: replicas.inTurn(), since: since)
        }
    }

    /// `nil` where it is to be looked again where the context reads.
    private func carryOut(_ choice: ReplicaChoice, for purpose: String) throws -> ConnectionLease? {
        var choice = choice
        do {
            while true {
                switch choice.next() {
                case .askPrimary:
                    let asked = ContinuousClock.now
                    do {
                        let connection = try connection(of: store.pool, for: purpose)
                        defer { store.pool.release(connection) }
                        choice.primary(is: try Self.place(of: connection), at: asked)
                    } catch { try choice.primaryFailed(error) }
                case .connect(let pool):
                    do { choice.connected(try connection(of: pool, for: purpose)) } catch { try choice.failed(error) }
                case .askReplica(let connection):
                    do { try choice.replica(is: try Self.place(of: connection)) } catch { try choice.failed(error) }
                case .wait(let pause): Thread.sleep(forTimeInterval: pause / .seconds(1))
                case .read(let lease, let number): return settled(lease, number)
                case .readPrimary:
                    readPlace = .primary
                    return nil
                }
            }
        } catch {
            choice.giveUp()
            throw error
        }
    }

    private func carryOut(_ choice: ReplicaChoice, for purpose: String) async throws -> ConnectionLease? {
        var choice = choice
        do {
            while true {
                switch choice.next() {
                case .askPrimary:
                    let asked = ContinuousClock.now
                    do {
                        let connection = try await connection(of: store.pool, for: purpose)
                        defer { store.pool.release(connection) }
                        choice.primary(is: try await Self.place(of: connection), at: asked)
                    } catch { try choice.primaryFailed(error) }
                case .connect(let pool):
                    do { choice.connected(try await connection(of: pool, for: purpose)) } catch {
                        try choice.failed(error)
                    }
                case .askReplica(let connection):
                    do { try choice.replica(is: try await Self.place(of: connection)) } catch {
                        try choice.failed(error)
                    }
                case .wait(let pause): try await Task.sleep(for: pause)
                case .read(let lease, let number): return settled(lease, number)
                case .readPrimary:
                    readPlace = .primary
                    return nil
                }
            }
        } catch {
            choice.giveUp()
            throw error
        }
    }

    /// The lease, unless another call of the context has gone elsewhere meanwhile.
    private func settled(_ lease: ConnectionLease, _ number: Int) -> ConnectionLease? {
        let isThere =
            switch readPlace {
            case .open: true
            case .replica(let other, _): other == number
            case .primary: false
            }
        guard isThere else {
            lease.end()
            return nil
        }
        readPlace = .replica(number, lastRead: .now)
        return lease
    }

    /// What an error on a lease's connection means: ``ReplicaFailure`` where it is the replica's, which this context has left then.
    func failure(_ error: any Error, of lease: ConnectionLease) -> any Error {
        guard lease.replica != nil, let reason = error as? PostgresError, isOfReplica(reason, lease) else {
            return error
        }
        readPlace = .primary
        return ReplicaFailure(reason: reason)
    }

    /// Whether the server is gone or silent, has stopped a statement because what it reads was changed by the primary (manual, 27.4.2), or
    /// does not have the tables yet, as of a tenant that was just created.
    private func isOfReplica(_ error: PostgresError, _ lease: ConnectionLease) -> Bool {
        switch error.code {
        case .cancelled: false
        // Where the call's own time is over, it has none for another server.
        case .timeout: !lease.connection.isUsable && unit.terms.limit == nil
        default: !lease.connection.isUsable || ["40001", "40P01", "42P01", "3F000"].contains(error.sqlState)
        }
    }

    // MARK: Transactions

    /// A connection for a transaction: a replica's only where nothing may be written.
    func leaseTransaction(_ isolation: IsolationLevel?) throws -> ConnectionLease {
        try isForReplica(isolation) ? leaseToRead(for: "transaction") : leasePrimary(for: "transaction")
    }

    /// A connection for a transaction. As the blocking form.
    func leaseTransaction(_ isolation: IsolationLevel?) async throws -> ConnectionLease {
        try await isForReplica(isolation)
            ? leaseToRead(for: "transaction") : leasePrimary(for: "transaction")
    }

    /// A standby refuses SERIALIZABLE (manual, 27.4.4).
    private func isForReplica(_ isolation: IsolationLevel?) -> Bool { unit.onlyReads && isolation != .serializable }

    /// Whether a transaction is open, and of a replica.
    var isTransactionOfReplica: Bool { transactionLease?.replica != nil }

    // MARK: Connections

    /// A connection to the primary, where the context reads from then on: what it has seen there, or written, is to be seen again.
    func leasePrimary(for purpose: String) throws -> ConnectionLease {
        readPlace = .primary
        return ConnectionLease(connection: try connection(of: store.pool, for: purpose), pool: store.pool)
    }

    /// A connection to the primary. As the blocking form.
    func leasePrimary(for purpose: String) async throws -> ConnectionLease {
        readPlace = .primary
        return ConnectionLease(connection: try await connection(of: store.pool, for: purpose), pool: store.pool)
    }

    private func connection(of pool: PostgresPool, for purpose: String) throws -> PostgresConnection {
        try store.requireLife()
        return try pool.acquire(for: purpose)
    }

    /// While an enumeration of this context holds a connection, this may be one of those beyond the pool's limit: tasks that each
    /// hold one and wait for a second would wait for each other.
    private func connection(of pool: PostgresPool, for purpose: String) async throws -> PostgresConnection {
        try store.requireLife()
        return openCursors == 0 ? try await pool.acquire(for: purpose) : try await pool.acquireFurther(for: purpose)
    }

    // MARK: Asking

    /// A server that does not say at once how far it is does not answer.
    private static let patience = Duration.seconds(2)

    private static func place(of connection: PostgresConnection) throws -> ReplicationPlace {
        var place = ReplicationPlace.unknown
        try connection.within(patience) { try connection.run(ReplicationPlace.asking { place = $0 }) }
        return place
    }

    private static func place(of connection: PostgresConnection) async throws -> ReplicationPlace {
        var place = ReplicationPlace.unknown
        try await connection.within(patience) { try await connection.run(ReplicationPlace.asking { place = $0 }) }
        return place
    }
}
