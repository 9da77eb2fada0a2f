import StrataModels
import Synchronization

/// What was found out about key paths from a class, once for each: as many as a program spells.
final class KeyPathCache<Found: Sendable>: Sendable {
    private struct Key: Hashable {
        let keyPath: SendableKeyPath
        let start: ModelDescriptor

        static func == (lhs: Key, rhs: Key) -> Bool { lhs.start === rhs.start && lhs.keyPath == rhs.keyPath }
        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(start))
            hasher.combine(keyPath)
        }
    }

    private let found = Mutex<[Key: Found]>([:])

    subscript(keyPath: AnyKeyPath, start: ModelDescriptor) -> Found? {
        get {
            let key = Key(keyPath: sendable(keyPath), start: start)
            return found.withLock { $0[key] }
        }
        set {
            let key = Key(keyPath: sendable(keyPath), start: start)
            found.withLock { $0[key] = newValue }
        }
    }
}
