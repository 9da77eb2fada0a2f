import StrataClient
import StrataModels
import StrataRepository

/// Where new objects of a class belong, and what is asked of the class for each of them.
final class ClassPlace {
    let descriptor: ModelDescriptor
    let session: StoreSession
    let entity: EntityMapping
    /// The property that is the key.
    let keyProperty: AnyAttributeProperty?
    /// What a key of several columns is made of; empty for another.
    let keyParts: [KeyPart]
    /// What leads to the object whose key is this one's too; `nil` where the key is no other's.
    let keyReference: KeyPart?
    /// The property that says whose row an object is.
    let tenant: AnyAttributeProperty?

    init(_ descriptor: ModelDescriptor, _ session: StoreSession, _ entity: EntityMapping) {
        self.descriptor = descriptor
        self.session = session
        self.entity = entity
        keyProperty = descriptor.keyProperty
        keyParts = descriptor.keyParts
        keyReference = entity.key.isSingle ? entity.partsOfKey.first : nil
        tenant = descriptor.tenant
    }

    /// The key that the parts of an object make, or that it has from another; `nil` while it lacks something of that.
    func keyMade(of object: any PersistentModel) -> RowKey? {
        keyParts.isEmpty ? keyReference?.value(in: object) : keyParts.key(of: object)
    }

    /// Whether the key of an object may come later, with what it refers to.
    var makesKeys: Bool { keyReference != nil || !keyParts.isEmpty }
}
