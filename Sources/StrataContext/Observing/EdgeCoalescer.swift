/// Thins out events: the first fires at once, then at most one an interval does, and the last is never swallowed.
///
/// A value without a clock: whoever drives it says what time it is and keeps the timer.
struct EdgeCoalescer<Instant: InstantProtocol> {
    enum Action: Equatable {
        case fire
        /// Call ``timerFired(at:)`` then.
        case startTimer(Instant)
        /// A timer runs: its firing covers this event too.
        case nothing
    }

    let interval: Instant.Duration
    private var lastFired: Instant?
    private var isTimerRunning = false

    init(interval: Instant.Duration) {
        self.interval = interval
    }

    mutating func event(at now: Instant) -> Action {
        if isTimerRunning { return .nothing }
        if let lastFired, lastFired.advanced(by: interval) > now {
            isTimerRunning = true
            return .startTimer(lastFired.advanced(by: interval))
        }
        lastFired = now
        return .fire
    }

    mutating func timerFired(at now: Instant) {
        isTimerRunning = false
        lastFired = now
    }
}
