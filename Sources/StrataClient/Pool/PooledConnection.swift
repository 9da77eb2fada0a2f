import Synchronization

/// A connection of a pool, and what the pool knows of it.
///
/// What is said of its lease is the pool's while it is idle, and otherwise that of who has leased it; see ``ParkedConnections``. Whoever hands it over
/// does so behind a lock, or by an exchange of a word: so these need no order among themselves.
final class PooledConnection: Sendable {
    typealias Machine = PostgresPool.Machine

    let connection: PostgresConnection
    let openedAt = ContinuousClock.now
    /// Of the pool, when it was opened.
    let generation: Int
    private let currentLease = Atomic(noLease)
    private let sharesLease = Atomic(false)
    /// Nanoseconds since it was opened.
    private let beginOfIdleness = Atomic<Int64>(0)

    private static let noLease = -1

    /// Whether somebody has it: it is given back once.
    private let isLent = Atomic(false)
    /// What for, and since when: for the messages of those who wait in vain.
    private let use = Mutex((purpose: "", since: ContinuousClock.now))

    init(_ connection: PostgresConnection, generation: Int) {
        self.connection = connection
        self.generation = generation
    }

    /// `nil` while it is idle. A parked one keeps its lease.
    var lease: Machine.LeaseID? {
        get {
            let lease = currentLease.load(ordering: .relaxed)
            return lease == Self.noLease ? nil : lease
        }
        set { currentLease.store(newValue ?? Self.noLease, ordering: .relaxed) }
    }

    /// Whether it may keep it: a lease of the synchronous lane is for those who hold one already.
    var isShared: Bool {
        get { sharesLease.load(ordering: .relaxed) }
        set { sharesLease.store(newValue, ordering: .relaxed) }
    }

    /// When it was parked.
    var idleSince: ContinuousClock.Instant {
        get { openedAt + .nanoseconds(beginOfIdleness.load(ordering: .relaxed)) }
        set {
            beginOfIdleness.store(Int64(clamping: openedAt.duration(to: newValue).wholeNanoseconds), ordering: .relaxed)
        }
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
