import Synchronization

/// A relationship, without the types of its two classes.
// @unchecked: see ModelProperty; adds immutable values and a cache behind a Mutex.
package class RelationshipProperty: ModelProperty, @unchecked Sendable {
    package let metadata: Schema.RelationshipMetadata
    package let destinationType: any PersistentModel.Type
    package let isToOne: Bool
    package let isOptional: Bool
    private let resolvedInverse = Mutex<InverseResolution?>(nil)

    init(
        name: String, keyPath: AnyKeyPath, destination: any PersistentModel.Type, isToOne: Bool, isOptional: Bool,
        metadata: Schema.RelationshipMetadata
    ) {
        self.metadata = metadata
        self.destinationType = destination
        self.isToOne = isToOne
        self.isOptional = isOptional
        super.init(
            name: name, keyPath: keyPath, originalName: metadata.originalName, hashModifier: metadata.hashModifier)
    }

    package var destination: ModelDescriptor { destinationType._$descriptor }
    package var deleteRule: Schema.Relationship.DeleteRule { metadata.deleteRule }
    /// Whether the order of the objects is stored.
    package var isOrdered: Bool { !isToOne && metadata.options.contains(.ordered) }

    /// The other side, worked out once from both classes (``InverseResolution``).
    package func inverseResolution(of owner: ModelDescriptor) -> InverseResolution {
        resolvedInverse.withLock { known in
            if let known { return known }
            let resolution = InverseResolution(of: self, in: owner)
            known = resolution
            return resolution
        }
    }

    /// Whether the objects at the other end know this end.
    package func hasInverse(in owner: any PersistentModel) -> Bool {
        if case .found = inverseResolution(of: type(of: owner)._$descriptor) { return true }
        return false
    }

    /// The relationship on the other side, as a property of the class of `other`.
    package func inverse(of owner: any PersistentModel, in other: any PersistentModel) -> RelationshipProperty? {
        guard case .found(let slot) = inverseResolution(of: type(of: owner)._$descriptor) else { return nil }
        let properties = type(of: other)._$descriptor.properties
        guard slot < properties.count, let inverse = properties[slot] as? RelationshipProperty else { return nil }
        // The other end may lead to a subclass: then only objects of that have an inverse.
        return type(of: owner)._$descriptor.inherits(from: inverse.destination) ? inverse : nil
    }

    // Raw access to the storage, with Observation's notifications, without inverse maintenance. To-one and to-many
    // override their half.
    package func reference(of owner: any PersistentModel) -> Reference { .none }
    package func setReference(_ reference: Reference, of owner: any PersistentModel) {}
    package func objects(of owner: any PersistentModel) -> [any PersistentModel]? { nil }
    package func setObjects(_ objects: [any PersistentModel]?, of owner: any PersistentModel) {}
    package func append(_ object: any PersistentModel, to owner: any PersistentModel) {}
    package func remove(_ object: any PersistentModel, from owner: any PersistentModel) {}
    package func contains(_ object: any PersistentModel, in owner: any PersistentModel) -> Bool { false }

    override package func currentValue(of model: any PersistentModel) -> OriginalValue? {
        let value = isToOne ? OriginalReference(reference(of: model)) : OriginalObjects(objects(of: model))
        value.slot = slot
        return value
    }

    override package func unknownValue() -> OriginalValue? {
        let value = isToOne ? OriginalReference(.unloaded) : OriginalObjects(nil)
        value.slot = slot
        return value
    }

    override package func announceChange(in model: any PersistentModel) {
        if isToOne {
            setReference(reference(of: model), of: model)
        } else {
            setObjects(objects(of: model), of: model)
        }
    }

    /// The objects in memory at this end, whichever kind it is.
    package func loadedObjects(of owner: any PersistentModel) -> [any PersistentModel] {
        isToOne ? reference(of: owner).object.map { [$0] } ?? [] : objects(of: owner) ?? []
    }
}

/// The storage of a to-one relationship, optional or not.
protocol ToOneStorage {
    associatedtype Destination: PersistentModel
    var reference: Reference { get set }
}
extension ToOne: ToOneStorage {}
extension RequiredToOne: ToOneStorage {}

// @unchecked: see ModelProperty; adds immutable values only.
class AnyToOneProperty<M: PersistentModel, S: ToOneStorage, V>: RelationshipProperty, @unchecked Sendable {
    private let storage: ReferenceWritableKeyPath<M, S>
    private let typedKeyPath: KeyPath<M, V>

    init(
        name: String, keyPath: KeyPath<M, V>, storage: ReferenceWritableKeyPath<M, S>,
        metadata: Schema.RelationshipMetadata, isOptional: Bool
    ) {
        self.storage = storage
        self.typedKeyPath = keyPath
        super.init(
            name: name, keyPath: keyPath, destination: S.Destination.self, isToOne: true, isOptional: isOptional,
            metadata: metadata)
    }

    override func reference(of owner: any PersistentModel) -> Reference {
        (owner as? M)?[keyPath: storage].reference ?? .none
    }

    override func setReference(_ reference: Reference, of owner: any PersistentModel) {
        guard let owner = owner as? M else { return }
        owner._$state.mutate(owner, typedKeyPath) { owner[keyPath: storage].reference = reference }
    }

    override func isLoaded(in model: any PersistentModel) -> Bool { reference(of: model).isLoaded }

    override func contains(_ object: any PersistentModel, in owner: any PersistentModel) -> Bool {
        reference(of: owner).points(to: object)
    }
}

// @unchecked: see ModelProperty.
final class ToOneProperty<M: PersistentModel, D: PersistentModel>: AnyToOneProperty<M, ToOne<D>, D?>,
    @unchecked Sendable
{
    init(
        name: String, keyPath: KeyPath<M, D?>, storage: ReferenceWritableKeyPath<M, ToOne<D>>,
        metadata: Schema.RelationshipMetadata
    ) {
        super.init(name: name, keyPath: keyPath, storage: storage, metadata: metadata, isOptional: true)
    }
}

// @unchecked: see ModelProperty.
final class RequiredToOneProperty<M: PersistentModel, D: PersistentModel>: AnyToOneProperty<M, RequiredToOne<D>, D>,
    @unchecked Sendable
{
    init(
        name: String, keyPath: KeyPath<M, D>, storage: ReferenceWritableKeyPath<M, RequiredToOne<D>>,
        metadata: Schema.RelationshipMetadata
    ) {
        super.init(name: name, keyPath: keyPath, storage: storage, metadata: metadata, isOptional: false)
    }
}

/// The storage of a to-many relationship, optional or not.
protocol ToManyStorage {
    associatedtype Destination: PersistentModel
    var objects: [Destination]? { get set }
}
extension ToMany: ToManyStorage {}
extension OptionalToMany: ToManyStorage {}

// @unchecked: see ModelProperty; adds immutable values only.
class AnyToManyProperty<M: PersistentModel, S: ToManyStorage, V>: RelationshipProperty, @unchecked Sendable {
    private let storage: ReferenceWritableKeyPath<M, S>
    private let typedKeyPath: KeyPath<M, V>

    init(
        name: String, keyPath: KeyPath<M, V>, storage: ReferenceWritableKeyPath<M, S>,
        metadata: Schema.RelationshipMetadata, isOptional: Bool
    ) {
        self.storage = storage
        self.typedKeyPath = keyPath
        super.init(
            name: name, keyPath: keyPath, destination: S.Destination.self, isToOne: false, isOptional: isOptional,
            metadata: metadata)
    }

    override func objects(of owner: any PersistentModel) -> [any PersistentModel]? {
        (owner as? M)?[keyPath: storage].objects
    }

    override func setObjects(_ objects: [any PersistentModel]?, of owner: any PersistentModel) {
        guard let owner = owner as? M else { return }
        let typed = objects.map { $0.compactMap { $0 as? S.Destination } }
        owner._$state.mutate(owner, typedKeyPath) { owner[keyPath: storage].objects = typed }
    }

    override func append(_ object: any PersistentModel, to owner: any PersistentModel) {
        guard let owner = owner as? M, let object = object as? S.Destination else { return }
        owner._$state.mutate(owner, typedKeyPath) {
            if owner[keyPath: storage].objects == nil {
                owner[keyPath: storage].objects = [object]
            } else {
                owner[keyPath: storage].objects?.append(object)
            }
        }
    }

    override func remove(_ object: any PersistentModel, from owner: any PersistentModel) {
        guard let owner = owner as? M,
            let index = owner[keyPath: storage].objects?.firstIndex(where: { $0 === object })
        else { return }
        owner._$state.mutate(owner, typedKeyPath) { _ = owner[keyPath: storage].objects?.remove(at: index) }
    }

    override func contains(_ object: any PersistentModel, in owner: any PersistentModel) -> Bool {
        guard let objects = (owner as? M)?[keyPath: storage].objects else { return false }
        // Bulk building appends at the end: look there first.
        return objects.last === object || objects.contains { $0 === object }
    }

    override func isLoaded(in model: any PersistentModel) -> Bool {
        (model as? M)?[keyPath: storage].objects != nil
    }
}

// @unchecked: see ModelProperty.
final class ToManyProperty<M: PersistentModel, D: PersistentModel>: AnyToManyProperty<M, ToMany<D>, [D]>,
    @unchecked Sendable
{
    init(
        name: String, keyPath: KeyPath<M, [D]>, storage: ReferenceWritableKeyPath<M, ToMany<D>>,
        metadata: Schema.RelationshipMetadata
    ) {
        super.init(name: name, keyPath: keyPath, storage: storage, metadata: metadata, isOptional: false)
    }
}

// @unchecked: see ModelProperty.
final class OptionalToManyProperty<M: PersistentModel, D: PersistentModel>:
    AnyToManyProperty<M, OptionalToMany<D>, [D]?>, @unchecked Sendable
{
    init(
        name: String, keyPath: KeyPath<M, [D]?>, storage: ReferenceWritableKeyPath<M, OptionalToMany<D>>,
        metadata: Schema.RelationshipMetadata
    ) {
        super.init(name: name, keyPath: keyPath, storage: storage, metadata: metadata, isOptional: true)
    }
}
