/// The values of one object, without the object: what crosses isolation and becomes JSON.
///
/// A snapshot holds every attribute (except `.ephemeral` ones, and external storage and `.hidden` ones that were not asked for), the
/// object's class and identifier, and those relationships that were asked for. With `only:` it holds what was named. It is `Sendable` and `Codable` whatever the
/// types of the attributes are. Attributes read as on the model; so do its computed properties, on what the snapshot has:
///
/// ```swift
/// let snapshot = try trip.snapshot(including: \.bucketList)
/// let name: String = snapshot.name
/// let titles = snapshot.bucketList?.map(\.title)
/// let json = try JSONEncoder().encode(snapshot)
/// ```
///
/// An object fetched by a base class keeps its own class in the snapshot: `snapshot.as(BusinessTrip.self)?.perdiem`.
///
/// The way back is a context's `insert(_:allowing:)`, `update(from:allowing:)` and `apply(_:to:allowing:)`. What a client sends is
/// a ``ModelPatch``.
///
/// In JSON it is an object with the names of the properties, `class`, and `persistentModelID` (left out before `insert`);
/// dates and data follow the coder's strategies. Relationships are arrays or objects of the same form, or identifiers. What
/// JSON leaves out is left alone when it is applied; a property that is not optional and has no default must be there.
@dynamicMemberLookup
public struct ModelSnapshot<Model: PersistentModel>: Sendable, Hashable {
    package var content: SnapshotContent

    package init(_ content: SnapshotContent) { self.content = content }

    /// The class of the object, by its name: `Model` or one of its subclasses.
    public var entityName: String { content.descriptor.entityName }

    /// The object's identifier; `nil` when it was never inserted, or JSON did not say.
    public var persistentModelID: PersistentIdentifier? {
        get { content.identifier }
        set { content.identifier = newValue }
    }

    /// The same snapshot as one of a subclass or superclass; `nil` when the object is of another class.
    public func `as`<Other: PersistentModel>(_: Other.Type) -> ModelSnapshot<Other>? {
        content.descriptor.inherits(from: Other._$descriptor) ? ModelSnapshot<Other>(content) : nil
    }

    /// Whether the snapshot has a value for this property, or the objects (or identifiers) of this relationship.
    public func contains(_ keyPath: PartialKeyPath<Model>) -> Bool {
        guard let property = Model._$descriptor.property(for: keyPath) else { return false }
        return content.attributes[property.slot] != nil || content.relationships[property.slot] != nil
    }

    /// Gives an attribute another value.
    ///
    /// - Throws: ``SwiftDataError`` with the code `invalidValue` when the value could not be stored, and
    ///   `unsupportedKeyPath` when the key path is not that of a stored attribute.
    public mutating func set<Value>(_ keyPath: KeyPath<Model, Value>, to value: Value) throws {
        guard let property = Model._$descriptor.property(for: keyPath) as? AnyAttributeProperty else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(keyPath) is not a stored attribute of \(Model.self); a snapshot can set nothing else.")
        }
        content.attributes[property.slot] = try content.own(property).snapshotCell(of: value)
    }

    /// The identifiers of a relationship's objects; `nil` when the snapshot does not include the relationship.
    public func identifiers(of keyPath: PartialKeyPath<Model>) -> [PersistentIdentifier]? {
        guard let property = Model._$descriptor.property(for: keyPath) else { return nil }
        switch content.relationships[property.slot] {
        case .objects(let objects): return objects.compactMap(\.identifier)
        case .identifiers(let identifiers): return identifiers
        case nil: return nil
        }
    }

    /// A to-one relationship; `nil` when there is no object, or the snapshot does not include the relationship.
    public subscript<Destination: PersistentModel>(dynamicMember keyPath: KeyPath<Model, Destination?>)
        -> ModelSnapshot<Destination>?
    {
        objects(of: keyPath, as: Destination.self)?.first
    }

    /// A required to-one relationship; `nil` when the snapshot does not include it.
    public subscript<Destination: PersistentModel>(dynamicMember keyPath: KeyPath<Model, Destination>)
        -> ModelSnapshot<Destination>?
    {
        objects(of: keyPath, as: Destination.self)?.first
    }

    /// A to-many relationship; `nil` when the snapshot does not include it.
    public subscript<Destination: PersistentModel>(dynamicMember keyPath: KeyPath<Model, [Destination]>)
        -> [ModelSnapshot<Destination>]?
    {
        objects(of: keyPath, as: Destination.self)
    }

    /// A to-many relationship declared optional; `nil` when the snapshot does not include it.
    public subscript<Destination: PersistentModel>(dynamicMember keyPath: KeyPath<Model, [Destination]?>)
        -> [ModelSnapshot<Destination>]?
    {
        objects(of: keyPath, as: Destination.self)
    }

    private func objects<Destination>(of keyPath: PartialKeyPath<Model>, as _: Destination.Type)
        -> [ModelSnapshot<Destination>]?
    {
        guard let property = Model._$descriptor.property(for: keyPath),
            case .objects(let objects) = content.relationships[property.slot]
        else { return nil }
        return objects.map { ModelSnapshot<Destination>($0) }
    }

    /// An attribute, or a computed property of the model, worked out from what the snapshot has.
    ///
    /// An attribute that was not included reads as the model reads a value that could not be loaded: its default, `nil`
    /// or empty; ``contains(_:)`` tells.
    @_disfavoredOverload
    public subscript<Value>(dynamicMember keyPath: KeyPath<Model, Value>) -> Value {
        if let property = Model._$descriptor.property(for: keyPath) as? AnyAttributeProperty,
            let cell = content.attributes[property.slot],
            let value = content.own(property).snapshotValue(cell) as? Value
        {
            return value
        }
        // A model's `id`, unless it declares one of its own.
        if Value.self == PersistentIdentifier.self, let identifier = content.identifier as? Value { return identifier }
        let object = content.detachedObject() as? Model
        guard let object else {
            // Our own bug: by every way in which a snapshot is made its class is Model or a subclass of it.
            preconditionFailure("A snapshot of \(content.descriptor.entityName) is no \(Model.self)")
        }
        return object[keyPath: keyPath]
    }
}

extension ModelSnapshot {
    /// What the subscript by name gives, for a property whose name is also that of a member of the snapshot, such as
    /// `entityName`.
    public func value<Value>(of keyPath: KeyPath<Model, Value>) -> Value { self[dynamicMember: keyPath] }
}

extension ModelSnapshot: CustomDebugStringConvertible {
    /// Class and identifier. Holds no stored values, so it may be logged.
    public var debugDescription: String {
        "snapshot of \(content.identifier?.description ?? content.descriptor.entityName)"
    }
}
