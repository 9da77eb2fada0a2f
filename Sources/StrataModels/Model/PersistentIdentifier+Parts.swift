import Foundation
import StrataClient

extension PersistentIdentifier {
    /// An identifier made from its parts, as SwiftData's.
    ///
    /// - Parameter primaryKey: the value of the key: a positive integer, or a `UUID` for a class whose key is one; also as text.
    /// - Throws: ``SwiftDataError`` with the code `invalidIdentifier` when `primaryKey` is neither.
    public static func identifier<T: Codable & Sendable>(
        for storeIdentifier: String, entityName: String, primaryKey: T
    ) throws -> PersistentIdentifier {
        let number = (primaryKey as? any BinaryInteger).flatMap { Int64(exactly: $0) }.map { RowKey($0) }
        guard let key = number ?? (primaryKey as? UUID).flatMap({ RowKey($0) }) ?? RowKey("\(primaryKey)"), key.isFinal
        else {
            throw SwiftDataError(
                .invalidIdentifier,
                "The primary key \(primaryKey) of \(entityName) is neither a positive integer nor a UUID: Strata's keys are bigint, "
                    + "or uuid where the class declares it.")
        }
        return PersistentIdentifier(identity: EntityIdentity(store: storeIdentifier, entityName: entityName), key: key)
    }
}
