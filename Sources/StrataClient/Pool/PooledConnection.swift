import Synchronization

/// A connection of a pool, and what the pool knows of it.
///
/// Its fields are the pool's while it is idle, and otherwise those of who has leased it; see ``ParkedConnections``.
// @unchecked: the pool's lock protects the fields of an idle one, its lease those of a leased one; `use` has a lock of its own.
final class PooledConnection: @unchecked Sendable {
    typealias Machine = PostgresPool.Machine

    let connection: PostgresConnection
    let openedAt = ContinuousClock.now
    /// Of the pool, when it was opened.
    let generation: Int
    /// `nil` while it is idle. A parked one keeps its lease.
    var lease: Machine.LeaseID?
    /// Whether it may keep it: a lease of the synchronous lane is for those who hold one already.
    var isShared = false
    /// When it was parked.
    var idleSince = ContinuousClock.now

    /// Whether somebody has it: it is given back once.
    private let isLent = Atomic(false)
    /// What for, and since when: for the messages of those who wait in vain.
    private let use = Mutex((purpose: "", since: ContinuousClock.now))

    init(_ connection: PostgresConnection, generation: Int) {
        self.connection = connection
        self.generation = generation
    }

    /// Somebody has it from now on.
    func begin(_ purpose: String, _ now: ContinuousClock.Instant) {
        use.withLock { $0 = (purpose, now) }
        isLent.store(true, ordering: .releasing)
    }

    /// Nobody has it from now on. False when nobody had.
    func end() -> Bool { isLent.exchange(false, ordering: .acquiringAndReleasing) }

    /// It was not ended after all.
    func goOn() { isLent.store(true, ordering: .releasing) }

    var latestUse: (purpose: String, since: ContinuousClock.Instant) { use.withLock { $0 } }
}
