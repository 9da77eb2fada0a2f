import StrataClient

/// Where a context reads in one store.
enum ReadPlace {
    /// The first read decides.
    case open
    /// At the replica with this number, since a read of that time.
    case replica(Int, lastRead: ContinuousClock.Instant)
    case primary
}

/// A connection that somebody has, and where it goes back to.
struct ConnectionLease {
    struct Replica {
        let set: ReplicaSet
        let number: Int
    }

    let connection: PostgresConnection
    let pool: PostgresPool
    /// The replica that it leads to; `nil` for the primary.
    var replica: Replica?

    func end() {
        // Read, transaction or enumeration: whoever has lost it has found out for all.
        if let replica, !connection.isUsable {
            replica.set.rest(replica.number, because: "A connection to it was lost.")
        }
        pool.release(connection)
    }
}

/// A replica has failed meanwhile, and the context reads from the primary now.
struct ReplicaFailure: Error {
    let reason: PostgresError
}
