/// The part of an identifier that all objects of one class in one store share, so that an identifier is two words.
@usableFromInline package final class EntityIdentity: Sendable, Equatable {
    /// `nil` for objects that were never inserted.
    package let store: String?
    package let entityName: String
    /// Is told of properties that could not be loaded because the context of their object is gone.
    let onOrphanRead: (@Sendable (String) -> Void)?

    package init(store: String?, entityName: String, onOrphanRead: (@Sendable (String) -> Void)? = nil) {
        self.store = store
        self.entityName = entityName
        self.onOrphanRead = onOrphanRead
    }

    @usableFromInline package static func == (lhs: EntityIdentity, rhs: EntityIdentity) -> Bool {
        lhs === rhs || (lhs.entityName == rhs.entityName && lhs.store == rhs.store)
    }
}
