import Dispatch
import Foundation
import Logging
import StrataClient
import StrataRepository
import Synchronization

/// Tells whoever observes a store that something was committed: observers in this process directly, other processes with a
/// notification of the server.
///
/// Only after the commit, never in the transaction: one that notifies keeps a lock of the whole server while it commits. Nobody
/// waits for it, and a burst of saves makes one wake-up every 20 ms. What is lost is made up for: observers look by themselves.
final class HistoryNotifier: Sendable {
    private struct State {
        var coalescer = EdgeCoalescer<ContinuousClock.Instant>(interval: .milliseconds(20))
        var isSending = false
        /// Something was committed while a notification was on its way.
        var mustSendAgain = false
    }

    private let feed: HistoryFeed
    private let channel: String
    private let pool: PostgresPool
    private let logger: Logger
    private let state = Mutex(State())
    /// Whether observers are told soon anyway: who saves then needs no lock.
    private let isTimerRunning = Atomic(false)
    private static let timers = DispatchQueue(label: "strata.notifier")

    init(_ feed: HistoryFeed, channel: String, pool: PostgresPool, logger: Logger) {
        self.feed = feed
        self.channel = channel
        self.pool = pool
        self.logger = logger
    }

    /// A transaction of this process was committed.
    func committed() {
        if isTimerRunning.load(ordering: .relaxed) { return }
        switch state.withLock({ $0.coalescer.event(at: .now) }) {
        case .nothing: return
        case .fire: tell()
        case .startTimer(let due):
            isTimerRunning.store(true, ordering: .relaxed)
            let pause = max(0, ContinuousClock.now.duration(to: due).inSeconds)
            Self.timers.asyncAfter(deadline: .now() + pause) { [self] in
                isTimerRunning.store(false, ordering: .relaxed)
                state.withLock { $0.coalescer.timerFired(at: .now) }
                tell()
            }
        }
    }

    private func tell() {
        feed.wake(channel)
        if feed.send(to: channel) { return }
        let begins = state.withLock { state in
            guard !state.isSending else {
                state.mustSendAgain = true
                return false
            }
            state.isSending = true
            return true
        }
        if begins { Task.detached(priority: .utility) { [self] in await sendThroughPool() } }
    }

    private func sendThroughPool() async {
        repeat {
            do {
                try await pool.withConnection(for: "notify of a commit") { connection in
                    var notification = try HistoryWatch.notification(to: channel)
                    notification.isAwaited = false
                    try await connection.run(notification)
                }
            } catch {
                logger.debug("Other processes were not told of a commit.", metadata: ["error": "\(error)"])
            }
        } while state.withLock({ state in
            state.isSending = state.mustSendAgain
            state.mustSendAgain = false
            return state.isSending
        })
    }
}
