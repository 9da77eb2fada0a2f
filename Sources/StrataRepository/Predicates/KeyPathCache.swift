import StrataModels
import Synchronization

/// What was found out about key paths from a class, once for each: as many as a program spells.
final class KeyPathCache<Found: Sendable>: Sendable {
    // @unchecked: neither a key path nor a class changes.
    private struct Key: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
        let start: ModelDescriptor

        static func == (lhs: Key, rhs: Key) -> Bool { lhs.start === rhs.start && lhs.keyPath == rhs.keyPath }
        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(start))
            hasher.combine(keyPath)
        }
    }

    private let found = Mutex<[Key: Found]>([:])

    subscript(keyPath: AnyKeyPath, start: ModelDescriptor) -> Found? {
        get { found.withLock { $0[Key(keyPath: keyPath, start: start)] } }
        set { found.withLock { $0[Key(keyPath: keyPath, start: start)] = newValue } }
    }
}
