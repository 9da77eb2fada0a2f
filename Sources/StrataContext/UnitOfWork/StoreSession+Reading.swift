import Foundation
import StrataClient
import StrataRepository

extension StoreSession {
    /// A connection for something that only reads: the one place that decides where a read goes. Blocks this thread.
    func leaseToRead(for purpose: String) throws -> ConnectionLease {
        guard var choice = replicaChoice() else { return try leasePrimary(for: purpose) }
        do {
            while true {
                switch choice.next() {
                case .askPrimary:
                    let asked = ContinuousClock.now
                    do {
                        let lease = try leasePrimary(for: purpose)
                        defer { lease.end() }
                        choice.primary(is: try Self.place(of: lease.connection), at: asked)
                    } catch { try choice.primaryFailed(error) }
                case .connect(let pool):
                    do { choice.connected(try lease(of: pool, for: purpose)) } catch { try choice.failed(error) }
                case .askReplica(let connection):
                    do { try choice.replica(is: try Self.place(of: connection)) } catch { try choice.failed(error) }
                case .wait(let pause): Thread.sleep(forTimeInterval: pause / .seconds(1))
                case .read(let lease, let number): return at(number, lease)
                case .readPrimary:
                    readPlace = .primary
                    return try leasePrimary(for: purpose)
                }
            }
        } catch {
            choice.giveUp()
            throw error
        }
    }

    /// A connection for something that only reads. As the blocking form.
    func leaseToRead(for purpose: String) async throws -> ConnectionLease {
        guard var choice = replicaChoice() else { return try await leasePrimary(for: purpose) }
        do {
            while true {
                switch choice.next() {
                case .askPrimary:
                    let asked = ContinuousClock.now
                    do {
                        let lease = try await leasePrimary(for: purpose)
                        defer { lease.end() }
                        choice.primary(is: try await Self.place(of: lease.connection), at: asked)
                    } catch { try choice.primaryFailed(error) }
                case .connect(let pool):
                    do { choice.connected(try await lease(of: pool, for: purpose)) } catch { try choice.failed(error) }
                case .askReplica(let connection):
                    do { try choice.replica(is: try await Self.place(of: connection)) } catch {
                        try choice.failed(error)
                    }
                case .wait(let pause): try await Task.sleep(for: pause)
                case .read(let lease, let number): return at(number, lease)
                case .readPrimary:
                    readPlace = .primary
                    return try await leasePrimary(for: purpose)
                }
            }
        } catch {
            choice.giveUp()
            throw error
        }
    }

    /// `nil` for the primary.
    private func replicaChoice() -> ReplicaChoice? {
        guard let replicas = store.replicas, unit.reading.isFromReplica else { return nil }
        // What this context has written, and what woke its observers, is to be seen.
        if unit.mayHaveCommitted || !unit.editWatch.isEmpty { readPlace = .primary }
        let since = unit.reading.since
        switch readPlace {
        case .primary: return nil
        case .replica(let number, let lastRead):
            return ReplicaChoice(replicas, among: [number], since: since, lastRead: lastRead)
        case .open: return ReplicaChoice(replicas, among: replicas.inTurn(), since: since)
        }
    }

    private func at(_ replica: Int, _ lease: ConnectionLease) -> ConnectionLease {
        readPlace = .replica(replica, lastRead: .now)
        return lease
    }

    /// Whether a read has failed because of the replica, which this context has left then.
    func hasLeftReplica(after error: any Error) -> Bool {
        guard case .replica(let number, _) = readPlace, connection == nil, let error = error as? PostgresError,
            error.isOfReplica
        else { return false }
        readPlace = .primary
        if !error.isConflictWithRecovery { store.replicas?.rest(number, because: "\(error)") }
        return true
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
    var isTransactionOfReplica: Bool { transactionLease.map { $0.pool !== store.pool } ?? false }

    // MARK: Connections

    func leasePrimary(for purpose: String) throws -> ConnectionLease { try lease(of: store.pool, for: purpose) }

    func leasePrimary(for purpose: String) async throws -> ConnectionLease {
        try await lease(of: store.pool, for: purpose)
    }

    private func lease(of pool: PostgresPool, for purpose: String) throws -> ConnectionLease {
        ConnectionLease(connection: try pool.acquire(for: purpose), pool: pool)
    }

    /// While an enumeration of this context holds a connection, this may be one of those beyond the pool's limit: tasks that each
    /// hold one and wait for a second would wait for each other.
    private func lease(of pool: PostgresPool, for purpose: String) async throws -> ConnectionLease {
        let connection =
            if openCursors == 0 {
                try await pool.acquire(for: purpose)
            } else {
                try await pool.acquireFurther(for: purpose)
            }
        return ConnectionLease(connection: connection, pool: pool)
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

extension PostgresError {
    /// Whether the server is gone, or has stopped a statement because what it reads was changed by the primary (manual, 27.4.2).
    fileprivate var isOfReplica: Bool {
        switch code {
        case .connectionFailed, .connectionLost: true
        default: isConflictWithRecovery
        }
    }

    fileprivate var isConflictWithRecovery: Bool { code == .server && ["40001", "40P01"].contains(sqlState) }
}
