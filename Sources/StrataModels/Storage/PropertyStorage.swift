/// What a property's value is kept in: an ``AttributeStorage``, or one of the ends of a relationship.
///
/// Which one it is, `_storage(of:)` decides once. From then on the type of the storage says everything, so the calls that `@Model`
/// writes have nothing left to choose among: overload resolution of each call was two thirds of what a class took to be type-checked.
public protocol PropertyStorage {
    /// The type of the property in Swift.
    associatedtype Value
    /// The arguments of the property's `@Attribute` or `@Relationship`.
    associatedtype Metadata
    /// What a property without either has.
    static var undeclared: Metadata { get }
    /// Holds a value that an initializer assigns.
    init(stored value: Value)
    /// Describes the property `keypath`, which has a storage of this type.
    static func describe<M: PersistentModel>(
        name: String, keypath: KeyPath<M, Value>, storage: @escaping @Sendable () -> ReferenceWritableKeyPath<M, Self>,
        metadata: Metadata, defaultValue: (@Sendable () -> Value)?
    ) -> Schema.PropertyMetadata
}

extension AttributeStorage: PropertyStorage {
    /// No `@Attribute`.
    public static var undeclared: Schema.AttributeMetadata { .attribute() }

    /// A loaded value.
    @inlinable
    public init(stored value: Coding.Value) { self.init(value) }

    /// An attribute.
    public static func describe<M: PersistentModel>(
        name: String, keypath: KeyPath<M, Coding.Value>,
        storage: @escaping @Sendable () -> ReferenceWritableKeyPath<M, AttributeStorage>,
        metadata: Schema.AttributeMetadata,
        defaultValue: (@Sendable () -> Coding.Value)?
    ) -> Schema.PropertyMetadata {
        Schema.PropertyMetadata(name: name, keypath: keypath) { place in
            AttributeProperty(
                at: place, name: name, keyPath: keypath, storage: storage, metadata: metadata,
                defaultValue: defaultValue)
        }
    }
}

extension ToOne: PropertyStorage {
    /// No `@Relationship`.
    public static var undeclared: Schema.RelationshipMetadata { .relationship() }

    /// Keeps its object alive; empty for `nil`.
    @inlinable
    public init(stored value: Destination?) { self.init(value.map { .object($0) } ?? .none) }

    /// A to-one relationship that is optional.
    public static func describe<M: PersistentModel>(
        name: String, keypath: KeyPath<M, Destination?>,
        storage: @escaping @Sendable () -> ReferenceWritableKeyPath<M, ToOne>,
        metadata: Schema.RelationshipMetadata, defaultValue: (@Sendable () -> Destination?)?
    ) -> Schema.PropertyMetadata {
        Schema.PropertyMetadata(name: name, keypath: keypath) { place in
            RelationshipProperty(
                at: place, name: name, keyPath: keypath, storage: storage, end: \.held, destination: Destination.self,
                isOptional: true, metadata: metadata)
        }
    }
}

extension RequiredToOne: PropertyStorage {
    /// No `@Relationship`.
    public static var undeclared: Schema.RelationshipMetadata { .relationship() }

    /// Keeps its object alive.
    @inlinable
    public init(stored value: Destination) { self.init(.object(value)) }

    /// A to-one relationship that is not optional.
    public static func describe<M: PersistentModel>(
        name: String, keypath: KeyPath<M, Destination>,
        storage: @escaping @Sendable () -> ReferenceWritableKeyPath<M, RequiredToOne>,
        metadata: Schema.RelationshipMetadata,
        defaultValue: (@Sendable () -> Destination)?
    ) -> Schema.PropertyMetadata {
        Schema.PropertyMetadata(name: name, keypath: keypath) { place in
            RelationshipProperty(
                at: place, name: name, keyPath: keypath, storage: storage, end: \.held, destination: Destination.self,
                isOptional: false, metadata: metadata)
        }
    }
}

extension ToMany: PropertyStorage {
    /// No `@Relationship`.
    public static var undeclared: Schema.RelationshipMetadata { .relationship() }

    /// Loaded, with these objects.
    @inlinable
    public init(stored value: [Destination]) { self.init(_eachOnce(value)) }

    /// A to-many relationship.
    public static func describe<M: PersistentModel>(
        name: String, keypath: KeyPath<M, [Destination]>,
        storage: @escaping @Sendable () -> ReferenceWritableKeyPath<M, ToMany>,
        metadata: Schema.RelationshipMetadata, defaultValue: (@Sendable () -> [Destination])?
    ) -> Schema.PropertyMetadata {
        Schema.PropertyMetadata(name: name, keypath: keypath) { place in
            RelationshipProperty(
                at: place, name: name, keyPath: keypath, storage: storage, end: \.members,
                destination: Destination.self,
                isOptional: false, metadata: metadata)
        }
    }
}

extension OptionalToMany: PropertyStorage {
    /// No `@Relationship`.
    public static var undeclared: Schema.RelationshipMetadata { .relationship() }

    /// Loaded, with these objects; none for `nil`.
    @inlinable
    public init(stored value: [Destination]?) { self.init(_eachOnce(value ?? [])) }

    /// A to-many relationship declared optional.
    public static func describe<M: PersistentModel>(
        name: String, keypath: KeyPath<M, [Destination]?>,
        storage: @escaping @Sendable () -> ReferenceWritableKeyPath<M, OptionalToMany>,
        metadata: Schema.RelationshipMetadata,
        defaultValue: (@Sendable () -> [Destination]?)?
    ) -> Schema.PropertyMetadata {
        Schema.PropertyMetadata(name: name, keypath: keypath) { place in
            RelationshipProperty(
                at: place, name: name, keyPath: keypath, storage: storage, end: \.members,
                destination: Destination.self,
                isOptional: true, metadata: metadata)
        }
    }
}

/// The objects without those that have come before: a relationship has each once.
@usableFromInline
func _eachOnce<M: PersistentModel>(_ objects: [M]) -> [M] {
    guard objects.count > 1 else { return objects }
    if objects.count <= 8 {
        let isUnique = objects.indices.allSatisfy { index in !objects[..<index].contains { $0 === objects[index] } }
        if isUnique { return objects }
    }
    var seen = Set<ObjectIdentifier>(minimumCapacity: objects.count)
    return objects.filter { seen.insert(ObjectIdentifier($0)).inserted }
}
