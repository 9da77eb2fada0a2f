import StrataModels

/// Wakes observers of results when something is edited in their context.
///
/// It does not keep them: whoever is gone is left out with the next edit.
struct EditWatch {
    private struct Watcher {
        weak var signal: WakeSignal?
        /// The classes whose edits may concern it.
        let classes: Set<ObjectIdentifier>
    }

    private var watchers: [Watcher] = []

    /// Whether nobody watches any more.
    var isEmpty: Bool { watchers.isEmpty }

    /// Wakes `signal` at every edit of an object of these classes, and at everything that may concern all classes.
    mutating func add(_ signal: WakeSignal, classes: Set<ObjectIdentifier>) {
        remove(signal)
        watchers.append(Watcher(signal: signal, classes: classes))
    }

    mutating func remove(_ signal: WakeSignal) {
        watchers.removeAll { $0.signal === signal || $0.signal == nil }
    }

    /// An object of a class was edited, or is about to be.
    func edited(_ descriptor: ModelDescriptor) {
        let edited = ObjectIdentifier(descriptor)
        for watcher in watchers where watcher.classes.contains(edited) { watcher.signal?.wake() }
    }

    /// Something changed that may have consequences for objects of any class.
    mutating func edited() {
        watchers.removeAll { $0.signal == nil }
        for watcher in watchers { watcher.signal?.wake() }
    }
}
