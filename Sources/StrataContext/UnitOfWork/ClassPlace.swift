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
    /// The property that says whose row an object is.
    let tenant: AnyAttributeProperty?

    init(_ descriptor: ModelDescriptor, _ session: StoreSession, _ entity: EntityMapping) {
        self.descriptor = descriptor
        self.session = session
        self.entity = entity
        keyProperty = descriptor.keyProperty
        keyParts = descriptor.keyParts
        tenant = descriptor.tenant
    }
}
