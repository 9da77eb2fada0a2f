import StrataModels

/// The way to a to-many relationship of which a key path counts the objects: `\Trip.bucketList.count`.
///
/// A key path does not say. It is compared with those that candidates give: each to-many relationship, behind up to two to-one relationships
/// that are never empty.
enum CountPath {
    private static let depth = 3

    /// The relationships; `nil` for a key path that counts nothing.
    static func steps(of keyPath: AnyKeyPath, from start: ModelDescriptor) -> [any ModelProperty]? {
        guard type(of: keyPath).valueType == Int.self else { return nil }
        return search(keyPath, from: start, prefix: nil, steps: [])
    }

    private static func search(
        _ keyPath: AnyKeyPath, from descriptor: ModelDescriptor, prefix: AnyKeyPath?, steps: [any ModelProperty]
    ) -> [any ModelProperty]? {
        guard steps.count < depth else { return nil }
        for relationship in descriptor.relationships {
            guard let path = prefix.map({ $0.appending(path: relationship.keyPath) }) ?? relationship.keyPath else {
                continue
            }
            let passed = steps + [relationship]
            if relationship.isToOne {
                if !relationship.isOptional,
                    let found = search(keyPath, from: relationship.destination, prefix: path, steps: passed)
                {
                    return found
                }
            } else if path.appending(path: count(of: relationship.destinationType)) == keyPath {
                return passed
            }
        }
        return nil
    }

    private static func count<M: PersistentModel>(of _: M.Type) -> AnyKeyPath { \[M].count }
}
