public import StrataClient

/// What an object asks of the context it belongs to. `ModelContext` in the umbrella module is the one conformer.
@usableFromInline package protocol ObjectContext: AnyObject {
    /// The object is freed: its entry leaves the identity map.
    func forget(_ state: ModelState)
    /// The first property of a registered object was written.
    func modelDidChange(_ state: ModelState)
    /// A property was written of an object that the context knows to be unsaved: it is inserted, or being saved.
    func insertedModelDidChange(_ state: ModelState)
    /// Whether the context wants to know of every write before it happens, as an undo manager does.
    var watchesWrites: Bool { get }
    /// A property is about to be written; called only if ``watchesWrites``.
    ///
    /// - Returns: the value it has, if the context has just noted it.
    func willWrite(_ slot: Int, of state: ModelState) -> OriginalValue?
    /// An object that belongs to no context was related to one of this context.
    func insertRelated(_ model: any PersistentModel)
    /// The registered object with this key in the hierarchy of `descriptor`, if there is one; no I/O.
    func registered(key: RowKey, root: ModelDescriptor) -> (any PersistentModel)?
    /// Whether the row of `model` says where a to-one relationship leads, and not that of its target.
    func hasColumn(_ property: RelationshipProperty, of model: any PersistentModel) -> Bool
    /// Whether it only finds out what a key path asks for: then nothing is computed.
    var isProbe: Bool { get }
    /// Loads an attribute that was not fetched, for all siblings of `model`; notes the error if it cannot.
    func loadAttribute(_ property: any ModelProperty, of model: any PersistentModel)
    /// Loads a relationship that was not fetched, for all siblings of `model`; notes the error if it cannot.
    func loadRelationship(_ property: RelationshipProperty, of model: any PersistentModel)
    /// A getter had to return a neutral value, or a setter to leave everything as it was, because loading failed.
    func noteUnfulfilled(_ property: any ModelProperty, of model: any PersistentModel)
    /// Objects came to a to-many relationship without an inverse: they do not know to whom.
    func noteClaim(on targets: [any PersistentModel], by owner: any PersistentModel)
    /// A relationship was set between objects of two contexts; the setter could not throw.
    func noteForeignObject(_ property: RelationshipProperty, of model: any PersistentModel)
}

extension ObjectContext {
    package var watchesWrites: Bool { false }
    package func willWrite(_ slot: Int, of state: ModelState) -> OriginalValue? { nil }
    package func hasColumn(_ property: RelationshipProperty, of model: any PersistentModel) -> Bool { false }
    package var isProbe: Bool { false }
    package func noteClaim(on targets: [any PersistentModel], by owner: any PersistentModel) {}
}
