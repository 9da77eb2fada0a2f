import Dispatch
import Foundation
import Synchronization

/// Looks after connections that wait for the server: one timer for all of them, and none while nobody waits.
///
/// A wait that goes on for too long is not ended here: the server is asked to stop, and if it does not, the connection is cut
/// (``QueryCancellation``). Then the wait ends by itself.
final class AnswerWatch: Sendable {
    static let shared = AnswerWatch()

    private struct Watched {
        let patience: AnswerPatience
        let cancellation: QueryCancellation
        var meter = WaitMeter()
    }

    private struct State {
        var watched: [Int: Watched] = [:]
        /// When it looks next; `nil` while it does not.
        var nextLook: MonotonicTime?
        /// Which of the timers that were set counts: the one for ``nextLook``.
        var epoch = 0

        /// How long a wait may remain unseen: a part of the shortest silence.
        var pause: Duration {
            let shortest = watched.values.compactMap(\.patience.silence).min() ?? AnswerWatch.longestPause * 4
            return min(max(shortest / 4, AnswerWatch.shortestPause), AnswerWatch.longestPause)
        }
    }

    private static let longestPause = Duration.seconds(1)
    private static let shortestPause = Duration.milliseconds(5)

    private let state = Mutex(State())
    private let isLooking = Atomic(false)
    private static let timers = DispatchQueue(label: "strata.watch")

    /// When it looks next; `nil` while it does not.
    var nextLook: MonotonicTime? { state.withLock(\.nextLook) }

    // MARK: What is watched

    func add(_ id: Int, _ patience: AnswerPatience, _ cancellation: QueryCancellation) {
        state.withLock { $0.watched[id] = Watched(patience: patience, cancellation: cancellation) }
    }

    func remove(_ id: Int) {
        state.withLock { _ = $0.watched.removeValue(forKey: id) }
    }

    /// Somebody begins to wait.
    func noteWait(isLimited: Bool) {
        guard isLimited, !isLooking.load(ordering: .sequentiallyConsistent) else { return }
        state.withLock { state in
            guard state.nextLook == nil else { return }
            schedule(.now + state.pause, &state)
        }
    }

    /// Something has to be over by then.
    func look(by end: MonotonicTime) {
        state.withLock { state in
            // Not later than the other connections need: a wait sets no timer while one is set.
            let time = min(end, .now + state.pause)
            if let next = state.nextLook, next <= time { return }
            schedule(time, &state)
        }
    }

    // MARK: Looking

    private func schedule(_ time: MonotonicTime, _ state: inout State) {
        state.nextLook = time
        state.epoch += 1
        isLooking.store(true, ordering: .sequentiallyConsistent)
        let epoch = state.epoch
        let delay = MonotonicTime.now.duration(to: time)
        Self.timers.asyncAfter(deadline: .now() + delay.timeInterval) { self.look(epoch) }
    }

    private func look(_ epoch: Int) {
        let overdue = state.withLock { state -> [(QueryCancellation, QueryCancellation.Reason)] in
            guard state.epoch == epoch else { return [] }
            state.nextLook = nil
            // Who begins to wait from here on is seen below, or sees this and sets the timer again when the lock is free.
            isLooking.store(false, ordering: .sequentiallyConsistent)
            return lookAtAll(&state)
        }
        for (cancellation, reason) in overdue { cancellation.request(because: reason) }
    }

    private func lookAtAll(_ state: inout State) -> [(QueryCancellation, QueryCancellation.Reason)] {
        let now = MonotonicTime.now
        var overdue: [(QueryCancellation, QueryCancellation.Reason)] = []
        var next: MonotonicTime?
        for id in Array(state.watched.keys) {
            guard var watched = state.watched[id] else { continue }
            switch watched.meter.look(watched.patience.glance, now: now) {
            case .idle: break
            case .overdue(.silence) where watched.cancellation.hasUnreadAnswer:
                watched.meter.hear(at: now)
                next = min(next ?? now + state.pause, now + state.pause)
            case .patient(let end):
                let unseen = now + state.pause
                next = min(next ?? unseen, end.map { min($0, unseen) } ?? unseen)
            case .overdue(let reason):
                overdue.append((watched.cancellation, reason))
                // What it is asked to stop may wait again.
                next = min(next ?? now + state.pause, now + state.pause)
            }
            state.watched[id] = watched
        }
        if let next { schedule(max(next, now + Self.shortestPause), &state) }
        return overdue
    }
}
