/// One persisted property of one class: its name, its key path, how it is stored. An ``AnyAttributeProperty`` or a ``RelationshipProperty``.
@usableFromInline package protocol ModelProperty: AnyObject, Sendable {
    var name: String { get }
    var keyPath: SendableKeyPath { get }
    /// Its place among the properties of its class, inherited ones first.
    var slot: Int { get }
    /// The class that declares it, by the name of its entity.
    var declaringEntity: String { get }
    /// What the model calls the column, where it does.
    var declaredColumn: String? { get }
    var originalName: String? { get }
    var hashModifier: String? { get }
    /// The value of the declared initializer expression, if there is one.
    var defaultValue: Any? { get }

    /// The value in memory, to be put back later; not loaded, if the property is not.
    func currentValue(of model: any PersistentModel) -> OriginalValue?

    /// A value that nobody knows: the property is not loaded then.
    func unknownValue() -> OriginalValue?

    /// Whether the property has a value in memory.
    func isLoaded(in model: any PersistentModel) -> Bool

    /// Tells Observation that the value changed behind the setter's back.
    func announceChange(in model: any PersistentModel)
}

extension ModelProperty {
    /// `Trip.name`, for messages.
    package var qualifiedName: String { "\(declaringEntity).\(name)" }
}

/// Where a class has a property.
struct PropertyPlace {
    let slot: Int
    /// The class that declares it, by the name of its entity.
    let declaringEntity: String
}
