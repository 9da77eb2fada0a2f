/// Leads to an observer without keeping it alive, from what keeps it up to date.
// Unchecked: the observer is touched in its own isolation only, which is that of the functions that look here; reading a weak
// reference is safe anywhere.
final class WeakObserver<Observer: AnyObject>: @unchecked Sendable {
    weak let observer: Observer?

    init(_ observer: Observer) {
        self.observer = observer
    }
}
