import Synchronization

/// The properties of a class that key paths were found to name, by the identity of the key path.
///
/// Equal key paths are mostly different objects, one for each place of a program where one is written, and to compare two of them takes
/// longer than a look-up here. A key path that was found is kept, so that no other gets its identity.
final class NamedKeyPaths: Sendable {
    private struct Named: Sendable {
        /// Kept for its identity, and never read.
        let keyPath: SendableKeyPath
        let property: any ModelProperty
    }

    /// Key paths follow from the code of a program; generic code makes new ones each time.
    private static let capacity = 1000
    private let known = Mutex<[ObjectIdentifier: Named]>([:])

    /// - Parameter find: looks for the property when it is not known.
    func property(for keyPath: AnyKeyPath, _ find: () -> (any ModelProperty)?) -> (any ModelProperty)? {
        if let known = known.withLock({ $0[ObjectIdentifier(keyPath)]?.property }) { return known }
        guard let property = find() else { return nil }
        let named = Named(keyPath: sendable(keyPath), property: property)
        known.withLock { known in
            if known.count >= Self.capacity { known = [:] }
            known[ObjectIdentifier(keyPath)] = named
        }
        return property
    }
}
