/// Decides whether a connection has waited for too long. Knows no clock: the times are given to it.
struct WaitMeter {
    enum Verdict: Equatable {
        /// Nobody waits.
        case idle
        /// It need not be looked at before.
        case patient(until: MonotonicTime?)
        case overdue(QueryCancellation.Reason)
    }

    private var seen: UInt64 = 0
    private var since = MonotonicTime(nanoseconds: 0)

    mutating func look(_ glance: AnswerPatience.Glance, now: MonotonicTime) -> Verdict {
        guard glance.isWaiting else { return .idle }
        if glance.waits != seen {
            seen = glance.waits
            since = now
        }
        // Who gives a call its time means that, and not how long the server may be silent in it.
        if let end = glance.end { return end <= now ? .overdue(.callLimit) : .patient(until: end) }
        guard let silence = glance.silence else { return .patient(until: nil) }
        let patience = since + silence
        return patience <= now ? .overdue(.silence) : .patient(until: patience)
    }

    /// The server has given a sign that the caller has not read yet: a silence begins here at the earliest.
    mutating func hear(at now: MonotonicTime) { since = now }
}
