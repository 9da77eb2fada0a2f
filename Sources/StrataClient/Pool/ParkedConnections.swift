import Synchronization

/// Connections that were given back and wait, with their leases, for who asks next: outside of the pool's lock.
///
/// Tasks by the thousand take and give back a connection for each statement, and behind one lock whoever loses the processor
/// holds up all others. Here a connection changes hands by one exchange of a word, in which every connection has a bit.
///
/// The pool's books go on showing such a lease as taken. So before anybody has to wait or anything is counted the pool takes back
/// what is parked, and as long as somebody waits nothing can be parked.
final class ParkedConnections: Sendable {
    /// Further connections have no place and go through the lock.
    static let places = 63
    /// Set while nothing may be parked.
    private static let closed: UInt64 = 1 << 63

    private let word = Atomic<UInt64>(closed)
    private let entries = (0..<places).map { _ in Place() }

    /// Whoever has cleared a place's bit, or holds the pool's lock while the bit is not set, has what is in it. So it needs no order of its own. Nothing
    /// checks that but whoever reads this: an unmanaged reference is no better than an unchecked type (`scripts/check-sendable.py`).
    private final class Place: Sendable {
        private let held = Atomic<Unmanaged<PooledConnection>?>(nil)

        var connection: PooledConnection? { held.load(ordering: .relaxed)?.takeUnretainedValue() }

        func hold(_ connection: PooledConnection?) {
            let former = held.exchange(connection.map { .passRetained($0) }, ordering: .relaxed)
            former?.release()
        }

        deinit { held.load(ordering: .relaxed)?.release() }
    }

    // MARK: Without the pool's lock

    /// The connection of a place, for who has it.
    subscript(place: Int) -> PooledConnection? { entries[place].connection }

    /// Leaves the connection of a place to who asks next. False while nothing may be parked.
    func park(_ place: Int) -> Bool {
        var known = word.load(ordering: .relaxed)
        while known & Self.closed == 0 {
            let (isDone, current) = word.weakCompareExchange(
                expected: known, desired: known | 1 << UInt64(place), successOrdering: .releasing,
                failureOrdering: .relaxed)
            if isDone { return true }
            known = current
        }
        return false
    }

    /// Takes a parked connection, if there is one. Always the first, so that the others can grow old and go.
    func take() -> PooledConnection? {
        var known = word.load(ordering: .relaxed)
        while known & ~Self.closed != 0 {
            let (isDone, current) = word.weakCompareExchange(
                expected: known, desired: known & (known - 1), successOrdering: .acquiring, failureOrdering: .relaxed)
            if isDone { return entries[known.trailingZeroBitCount].connection }
            known = current
        }
        return nil
    }

    // MARK: Behind the pool's lock

    /// Lets connections be parked.
    func open() {
        _ = word.compareExchange(expected: Self.closed, desired: 0, ordering: .releasing)
    }

    /// Lets nothing be parked any more. Returns what was.
    func close() -> [PooledConnection] {
        var parked = word.exchange(Self.closed, ordering: .acquiringAndReleasing) & ~Self.closed
        var connections: [PooledConnection] = []
        while parked != 0 {
            if let connection = entries[parked.trailingZeroBitCount].connection { connections.append(connection) }
            parked &= parked - 1
        }
        return connections
    }

    /// Gives a new connection a place, if one is left.
    func add(_ connection: PooledConnection) {
        guard let place = (0..<Self.places).first(where: { entries[$0].connection == nil }) else { return }
        entries[place].hold(connection)
        connection.connection.place = place
    }

    /// Takes the place from a connection that is not parked.
    func remove(_ connection: PooledConnection) {
        let place = connection.connection.place
        guard place >= 0 else { return }
        entries[place].hold(nil)
        connection.connection.place = -1
    }
}
