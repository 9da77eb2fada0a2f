/// Leads back to an object that stays in one isolation, from what comes to it by way of others, without keeping it alive.
// Unchecked: to read a weak reference is safe anywhere, and the object is touched in its own isolation only: whoever asks for it runs there.
final class WeakReference<Object: AnyObject>: @unchecked Sendable {
    weak let object: Object?

    init(_ object: Object) {
        self.object = object
    }
}
