import StrataClient
import StrataModels

/// Takes the keys of the objects to which a relationship of inserted rows leads.
final class RowReference {
    private let property: RelationshipProperty
    private let mapping: StoreMapping
    private let store: String
    /// The last identity that was seen to fit: all rows have the same, as a rule.
    private var fitting: EntityIdentity?

    init(_ property: RelationshipProperty, mapping: StoreMapping, store: String) {
        self.property = property
        self.mapping = mapping
        self.store = store
    }

    /// Throws ``SwiftDataError`` with the code `invalidIdentifier` for an object that cannot be at the end of the relationship.
    func key(of identifier: PersistentIdentifier) throws -> RowKey {
        if identifier.identity === fitting { return identifier.key }
        guard identifier.storeIdentifier == store, let entity = mapping.entity(named: identifier.entityName),
            entity.descriptor.inherits(from: property.destination)
        else {
            throw SwiftDataError(
                .invalidIdentifier,
                "\(property.qualifiedName) cannot be \(identifier): it is of another store, of an object that was never saved, or not of "
                    + "\(property.destination.entityName).", identifiers: [identifier])
        }
        fitting = identifier.identity
        return identifier.key
    }
}
