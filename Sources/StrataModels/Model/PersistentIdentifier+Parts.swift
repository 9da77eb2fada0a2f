import Foundation
import StrataClient

extension PersistentIdentifier {
    /// An identifier made from its parts, as SwiftData's.
    ///
    /// - Parameter primaryKey: the value of the key: a positive integer, a `UUID` or a `String` for a class whose key is one. A text of digits
    ///   is taken for a number, and one of a UUID for that; `ModelContext.model(_:id:)` takes every text for itself.
    /// - Throws: ``SwiftDataError`` with the code `invalidIdentifier` when `primaryKey` is none of them, or no key.
    public static func identifier<T: Codable & Sendable>(
        for storeIdentifier: String, entityName: String, primaryKey: T
    ) throws -> PersistentIdentifier {
        let number = (primaryKey as? any BinaryInteger).flatMap { Int64(exactly: $0) }.map { RowKey($0) }
        guard
            let key = number ?? (primaryKey as? UUID).flatMap({ RowKey($0) }) ?? RowKey(numberOrUUID: "\(primaryKey)")
                ?? (primaryKey as? String).flatMap({ RowKey(text: $0) }), key.isFinal
        else {
            throw SwiftDataError(
                .invalidIdentifier,
                "The primary key \(primaryKey) of \(entityName) is neither a positive integer, nor a UUID, nor a text: Strata's keys "
                    + "are bigint, or uuid or text where the class declares it.")
        }
        return PersistentIdentifier(identity: EntityIdentity(store: storeIdentifier, entityName: entityName), key: key)
    }
}
