import Synchronization

/// How long one connection waits for the server, where another thread can see it.
///
/// Whoever uses the connection counts the waits; ``AnswerWatch`` looks from time to time whether one of them goes on for too long.
/// So an ordinary wait costs two stores, and needs no clock.
final class AnswerPatience: Sendable {
    /// What another thread sees of it at one moment.
    struct Glance: Equatable {
        /// Odd while somebody waits.
        var waits: UInt64
        /// The longest time without a sign of the server; `nil` for any.
        var silence: Duration?
        /// What is under way has to be over by then; `nil` for any time.
        var end: MonotonicTime?

        var isWaiting: Bool { waits & 1 == 1 }
    }

    /// The longest time without a sign of the server, in nanoseconds; 0 for any.
    private let longestSilence: Atomic<UInt64>
    private let waits = Atomic<UInt64>(0)
    /// Of ``CallLimit``, in nanoseconds; 0 without one.
    private let end = Atomic<UInt64>(0)

    /// The shortest time there is stands for none at all, which 0 cannot.
    private static func code(_ silence: Duration?) -> UInt64 { silence.map { max(1, $0.wholeNanoseconds) } ?? 0 }

    init(silence: Duration?) {
        longestSilence = Atomic(Self.code(silence))
    }

    /// The longest time without a sign of the server; `nil` for any.
    var silence: Duration? {
        get {
            let nanoseconds = longestSilence.load(ordering: .relaxed)
            return nanoseconds == 0 ? nil : .nanoseconds(Int64(clamping: nanoseconds))
        }
        set { longestSilence.store(Self.code(newValue), ordering: .relaxed) }
    }

    var glance: Glance {
        let end = end.load(ordering: .relaxed)
        return Glance(
            // Before the watch decides that nobody waits it has said that it looks no more: see `beginWait()`.
            waits: waits.load(ordering: .sequentiallyConsistent), silence: silence,
            end: end == 0 ? nil : MonotonicTime(nanoseconds: end))
    }

    /// The caller sleeps from now on, until ``endWait()``.
    func beginWait() {
        // One writer. It is seen to wait before it asks whether anybody looks, so that one of the two sees the other.
        waits.store(waits.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
        AnswerWatch.shared.noteWait(isLimited: silence != nil || end.load(ordering: .relaxed) != 0)
    }

    func endWait() {
        waits.store(waits.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// What is under way has to be over by then; `nil` when nothing limits it.
    func setEnd(_ end: MonotonicTime?) {
        self.end.store(end?.nanoseconds ?? 0, ordering: .relaxed)
        if let end { AnswerWatch.shared.look(by: end) }
    }
}
