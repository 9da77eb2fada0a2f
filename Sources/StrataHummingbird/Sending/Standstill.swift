#if Hummingbird
/// Since when something that is waited for has not moved.
struct Standstill<Mark: Equatable> {
    private var mark: Mark?
    private var since = ContinuousClock.now

    /// Whether anything is waited for.
    var isWaiting: Bool { mark != nil }

    /// Notes how far it is; `nil` when nothing is waited for.
    mutating func observe(_ mark: Mark?, at now: ContinuousClock.Instant) {
        if mark != self.mark { (self.mark, since) = (mark, now) }
    }

    /// Whether it has been where it is for so long.
    func lasts(_ limit: Duration, at now: ContinuousClock.Instant) -> Bool { isWaiting && now - since >= limit }
}
#endif
