/// What somebody wants to change in an object: the properties that a JSON body names, and nothing else.
///
/// ```swift
/// let patch = try JSONDecoder().decode(ModelPatch<Trip>.self, from: body)
/// try await context.apply(patch, to: trip, allowing: \.name, \.destination)
/// ```
/// The keys are those of ``ModelSnapshot``. Reading fails for a value of the wrong type. A key that is no property is kept, and
/// refused when the patch is applied. A patch belongs to no context and crosses isolation.
public struct ModelPatch<Model: PersistentModel>: Sendable, Hashable {
    package var content: SnapshotContent

    /// A patch of everything that a snapshot has.
    public init(_ snapshot: ModelSnapshot<Model>) { content = snapshot.content }

    /// The class that the body names, `Model` if it names none.
    public var entityName: String { content.descriptor.entityName }

    /// The identifier that the body names.
    public var persistentModelID: PersistentIdentifier? { content.identifier }

    /// Every key that the body names, those that are no properties last.
    public var keys: [String] {
        content.descriptor.properties.filter { has($0) }.map(\.name) + content.unknownKeys
    }

    /// Whether the body names this property.
    public func contains(_ keyPath: PartialKeyPath<Model>) -> Bool {
        Model._$descriptor.property(for: keyPath).map(has) ?? false
    }

    /// The value that the body gives an attribute, to be checked before it is applied; `nil` when the body does not name it.
    ///
    /// ```swift
    /// if let name = patch.value(of: \.name), name.isEmpty { throw Refusal.emptyName }
    /// ```
    public func value<Value>(of keyPath: KeyPath<Model, Value>) -> Value? {
        guard let property = Model._$descriptor.property(for: keyPath) as? AnyAttributeProperty,
            let cell = content.attributes[property.slot]
        else { return nil }
        return content.own(property).snapshotValue(cell) as? Value
    }

    private func has(_ property: any ModelProperty) -> Bool {
        content.attributes[property.slot] != nil || content.relationships[property.slot] != nil
    }
}

extension ModelPatch: Decodable {
    /// Reads the properties that an object in JSON names.
    ///
    /// - Throws: `DecodingError` for a value of another type, and for a class that is not `Model` or one of its subclasses (a
    ///   subclass is known once a container with it was made).
    public init(from decoder: any Decoder) throws {
        content = try SnapshotContent(from: decoder, of: Model._$descriptor, reading: .patch)
    }
}

extension ModelPatch: CustomDebugStringConvertible {
    /// Class and identifier. Holds no values, so it may be logged.
    public var debugDescription: String {
        "patch of \(content.identifier?.description ?? content.descriptor.entityName)"
    }
}

/// Values that a context can give to an object: a ``ModelSnapshot`` or a ``ModelPatch``.
public protocol ModelValues<Model>: Sendable {
    /// The class of the object.
    associatedtype Model: PersistentModel
    /// What is written: all that a snapshot has, or that a body names.
    var patch: ModelPatch<Model> { get }
}

extension ModelPatch: ModelValues {
    /// The patch itself.
    public var patch: ModelPatch<Model> { self }
}

extension ModelSnapshot: ModelValues {
    /// A patch of everything that the snapshot has.
    public var patch: ModelPatch<Model> { ModelPatch(self) }
}
