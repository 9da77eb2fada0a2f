/// How often the same thing is said again where nobody watches: in a pipe or a log, a line every ten seconds.
package struct ProgressPace: Sendable {
    private let interval: Duration
    private var last: [String: ContinuousClock.Instant] = [:]

    package init(interval: Duration = .seconds(10)) {
        self.interval = interval
    }

    /// Whether a line is due: the first about its subject is, and the next when the interval has passed.
    package mutating func isDue(_ subject: String, at now: ContinuousClock.Instant) -> Bool {
        if let last = last[subject], last.duration(to: now) < interval { return false }
        last[subject] = now
        return true
    }
}
