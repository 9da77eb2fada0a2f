/// How a pool is used at one moment.
package struct PoolFigures: Sendable, Hashable {
    /// Connections that are open, or being opened.
    package var open: Int
    /// Connections that somebody holds.
    package var inUse: Int
    /// Callers that wait for one.
    package var waiting: Int
}

extension PostgresPool {
    /// How the pool is used at this moment. No round trip.
    package var figures: PoolFigures {
        state.withLock { state in
            // What is parked counts as lent in the books.
            putAway(&state)
            defer { if state.allowsParking { parked.open() } }
            let inUse = state.machine.leases.count
            return PoolFigures(
                open: inUse + state.machine.idleCount, inUse: inUse, waiting: state.machine.waiterCount)
        }
    }
}
