extension PersistentIdentifier {
    /// An identifier made from its parts, as SwiftData's.
    ///
    /// - Throws: ``SwiftDataError`` with the code `invalidIdentifier` when `primaryKey` is not a positive integer.
    public static func identifier<T: Codable & Sendable>(
        for storeIdentifier: String, entityName: String, primaryKey: T
    ) throws -> PersistentIdentifier {
        guard let key = (primaryKey as? any BinaryInteger).flatMap({ Int64(exactly: $0) }) ?? Int64("\(primaryKey)"),
            key > 0
        else {
            throw SwiftDataError(
                .invalidIdentifier,
                "The primary key \(primaryKey) of \(entityName) is not a positive integer; Strata's keys are bigint.")
        }
        return PersistentIdentifier(identity: EntityIdentity(store: storeIdentifier, entityName: entityName), key: key)
    }
}
