import Foundation
import Logging
import StrataClient
import StrataRepository
import Synchronization

/// The replicas of one store: a pool of connections to each, and what is known of how far they are.
///
/// What a replica shows is known by comparing: it has carried out the log up to a place where the primary was at a time that was noted by
/// our own clock. So no clocks of two machines are compared, and a primary that nobody writes to does not make replicas look old.
final class ReplicaSet: Sendable {
    typealias Instant = ContinuousClock.Instant

    let pools: [PostgresPool]
    let catchUpTimeout: Duration
    private let maximumLag: Duration?
    private let logger: Logger
    private let state: Mutex<State>

    private struct State {
        var primary: PrimaryPlaces
        var isAskingPrimary = false
        var next = 0
        var replicas: [Replica]
    }

    private struct Replica {
        /// What is known of each connection. Of connections, because a server that was started again may be behind what it has shown before,
        /// and no connection outlives that.
        var known: [Int: KnownConnection] = [:]
        var failures = 0
        var restsUntil: Instant?

        mutating func rest(_ now: Instant) -> Duration? {
            // Several find out at the same time.
            if let restsUntil, restsUntil > now { return nil }
            let pause = Duration.seconds(1 << min(failures, 5))
            failures += 1
            restsUntil = now + pause
            return pause
        }
    }

    /// A connection that leads to a standby of the primary.
    private struct KnownConnection {
        /// When that was found out first, and last.
        let since: Instant
        var asked: Instant
        /// Everything that was committed by then is seen through it; `nil` where that is not known.
        var shows: Instant?
    }

    init(
        _ configurations: [PostgresConfiguration], maximumLag: Duration?, catchUpTimeout: Duration,
        options: PostgresPoolOptions, logger: Logger, observer: (any PostgresObserver)?
    ) {
        pools = configurations.map {
            PostgresPool(configuration: $0, options: options, logger: logger, observer: observer)
        }
        self.maximumLag = maximumLag
        self.catchUpTimeout = catchUpTimeout
        self.logger = logger
        state = Mutex(
            State(
                primary: PrimaryPlaces(longest: (maximumLag ?? Self.trust) * 2),
                replicas: configurations.map { _ in Replica() }))
    }

    func close(within limit: Duration?) {
        for pool in pools { pool.close(within: limit) }
    }

    // MARK: Choosing

    /// Those that may be read from, each as the first in turn; without those that are left alone.
    func inTurn() -> [Int] {
        let now = Instant.now
        return state.withLock { state in
            let first = state.next
            state.next = (first + 1) % pools.count
            return pools.indices.map { (first + $0) % pools.count }
                .filter { state.replicas[$0].restsUntil.map { $0 <= now } ?? true }
        }
    }

    /// A replica cannot be read from: contexts leave it alone for a second, then two, four and up to 32, until it was read from.
    func rest(_ number: Int, because reason: String) {
        guard let pause = state.withLock({ $0.replicas[number].rest(.now) }) else { return }
        logger.warning(
            "A replica is left alone for a while",
            metadata: [
                "replica": "\(pools[number].configuration.host ?? "\(number)")", "seconds": "\(pause / .seconds(1))",
                "reason": "\(reason)",
            ])
    }

    // MARK: Knowing

    /// How long a connection that was asked is taken for one to a standby where replicas may be of any age: one that was promoted says so when it
    /// is asked.
    private static let trust = Duration.seconds(10)

    /// The moment from which on all must be seen that was committed; `nil` where none was promised.
    func bound(since: Instant?, _ now: Instant) -> Instant? {
        guard let maximumLag else { return since }
        return max(since ?? now - maximumLag, now - maximumLag)
    }

    /// Whether the caller is to ask the primary where it is, and then to tell.
    func takesUpAsking(_ bound: Instant?, _ now: Instant) -> Bool {
        state.withLock { state in
            guard let newest = state.primary.newest, bound.map({ newest >= $0 }) ?? true else {
                state.isAskingPrimary = true
                return true
            }
            // Before it is needed, and one of all readers: a replica that is behind can be compared with an older place.
            guard let maximumLag, newest < now - maximumLag / 4, !state.isAskingPrimary else { return false }
            state.isAskingPrimary = true
            return true
        }
    }

    func notePrimary(_ place: ReplicationPlace, at asked: Instant) {
        state.withLock { state in
            state.isAskingPrimary = false
            state.primary.note(place, at: asked)
        }
    }

    func primaryFailed() { state.withLock { $0.isAskingPrimary = false } }

    /// Whether it is known where the primary was at that moment or later; for `nil`, whether it is known at all.
    func knowsPrimary(since bound: Instant?) -> Bool {
        state.withLock { state in
            guard let newest = state.primary.newest else { return false }
            return bound.map { newest >= $0 } ?? true
        }
    }

    /// Whether a connection was known by then to lead to a standby of the primary.
    func knew(_ number: Int, _ connection: Int, by time: Instant) -> Bool {
        state.withLock { state in state.replicas[number].known[connection].map { $0.since <= time } ?? false }
    }

    /// Whether everything that was committed by then is seen through a connection; for `nil`, whether it leads to a standby of the primary. It is
    /// read from then.
    func takesUpReading(_ number: Int, _ connection: Int, toShow bound: Instant?, _ now: Instant) -> Bool {
        state.withLock { state in
            guard let known = state.replicas[number].known[connection], isTrusted(known, now),
                bound.map({ bound in known.shows.map { $0 >= bound } ?? false }) ?? true
            else { return false }
            state.replicas[number].failures = 0
            state.replicas[number].restsUntil = nil
            return true
        }
    }

    private func isTrusted(_ known: KnownConnection, _ now: Instant) -> Bool {
        known.asked >= now - (maximumLag ?? Self.trust)
    }

    /// A replica has said how far it is. Returns whether it is one: a standby of the primary.
    func note(_ number: Int, _ connection: Int, is place: ReplicationPlace) -> Bool {
        let now = Instant.now
        return state.withLock { state in
            guard state.primary.isFollowed(by: place) else {
                state.replicas[number].known[connection] = nil
                return false
            }
            if state.replicas[number].known.count > Self.keptConnections {
                // Most are of connections that are closed by now.
                state.replicas[number].known = state.replicas[number].known.filter { isTrusted($0.value, now) }
            }
            var known = state.replicas[number].known[connection] ?? KnownConnection(since: now, asked: now)
            known.asked = now
            if let shown = state.primary.time(shownBy: place) { known.shows = shown }
            state.replicas[number].known[connection] = known
            return true
        }
    }

    private static let keptConnections = 256
}
