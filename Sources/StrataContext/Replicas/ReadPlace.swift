import StrataClient

/// Where a context reads in one store.
enum ReadPlace {
    /// The first read decides.
    case open
    /// At the replica with this number, since a read of that time.
    case replica(Int, lastRead: ContinuousClock.Instant)
    case primary
}

/// A connection that somebody has, and the pool that it goes back to.
struct ConnectionLease {
    let connection: PostgresConnection
    let pool: PostgresPool

    func end() { pool.release(connection) }
}

/// A call is to be made again: the replica has failed, and the context reads from the primary now.
struct ReplicaIsLeft: Error {}
