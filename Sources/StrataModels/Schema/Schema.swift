/// All entities of one version of a model: the classes that were named, and those reachable from them.
///
/// Building a schema never fails; what is wrong with it is found, all at once, when a container is made.
public final class Schema: Sendable {
    /// A version of the schema, `major.minor.patch`.
    public struct Version: Codable, Comparable, Hashable, Sendable, CustomStringConvertible {
        /// Raised for incompatible changes, by convention.
        public let major: Int
        /// Raised for additions, by convention.
        public let minor: Int
        /// Raised for corrections, by convention.
        public let patch: Int

        /// A version from its three numbers: `Schema.Version(1, 4, 0)`.
        public init(_ major: Int, _ minor: Int, _ patch: Int) {
            (self.major, self.minor, self.patch) = (major, minor, patch)
        }

        /// The numbers with dots between them, such as `1.4.0`.
        public var description: String { "\(major).\(minor).\(patch)" }

        /// Compares major, then minor, then patch.
        public static func < (lhs: Version, rhs: Version) -> Bool {
            (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
        }
    }

    /// The form of the files that ``save(to:)`` writes.
    public static let schemaEncodingVersion = Version(1, 0, 0)
    /// The form of the file that this schema was read from; ``schemaEncodingVersion`` otherwise.
    public let encodingVersion: Version
    /// The version of the model this schema describes; 1.0.0 unless it was given.
    public let version: Version
    /// Ordered by name.
    public let entities: [Entity]
    /// ``entities`` by name.
    public let entitiesByName: [String: Entity]
    /// Classes that share a name: an error the container reports.
    package let duplicateNames: [String]
    /// Classes that inherit from a model but are not marked `@Model`: an error the container reports.
    package let unmarkedTypes: [any PersistentModel.Type]
    /// Which class is meant where a class of another version is named.
    package let classes: VersionClasses
    private let entitiesByType: [ObjectIdentifier: Entity]

    private init(
        _ graph: EntityGraph, version: Version, encodingVersion: Version = schemaEncodingVersion,
        unmarkedTypes: [any PersistentModel.Type] = []
    ) {
        self.version = version
        self.encodingVersion = encodingVersion
        self.unmarkedTypes = unmarkedTypes
        classes = graph.classes
        entities = graph.entities
        entitiesByName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        entitiesByType = Dictionary(
            entities.map { (ObjectIdentifier($0.descriptor), $0) }, uniquingKeysWith: { first, _ in first })
        duplicateNames = Dictionary(grouping: entities, by: \.name).filter { $0.value.count > 1 }.keys.sorted()
    }

    /// A schema of these classes and all classes their relationships lead to. Subclasses are not inferred: name them.
    public convenience init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
        self.init(
            EntityGraph(types.map { $0._$descriptor }), version: version,
            unmarkedTypes: types.filter { !$0._$descriptor.describes($0) })
    }

    /// A schema of these classes and all classes their relationships lead to: `Schema(Trip.self, BusinessTrip.self)`.
    public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    /// A schema without entities.
    public convenience init() {
        self.init([] as [any PersistentModel.Type])
    }

    /// A schema of entities, those of a class, by their classes; the others, to be compared and looked at, are taken with their
    /// subentities as they are described.
    public convenience init(
        _ entity: Entity, _ others: Entity..., version: Version = Version(1, 0, 0)
    ) {
        let entities = [entity] + others
        let described = entities.filter { !$0.hasClass }.flatMap { $0.family(of: nil) }
        self.init(EntityGraph(entities.filter(\.hasClass).map(\.descriptor), described), version: version)
    }

    /// The schema of a released version: its classes, and all classes their relationships lead to.
    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }

    /// The entity of a class, if the class belongs to this schema.
    public func entity<T: PersistentModel>(for type: T.Type) -> Entity? { entity(for: type._$descriptor) }

    package func entity(for descriptor: ModelDescriptor) -> Entity? { entitiesByType[ObjectIdentifier(descriptor)] }

    /// The name of a class's entity.
    public static func entityName<T: PersistentModel>(for type: T.Type) -> String { type._$descriptor.entityName }

    /// The names of several classes' entities, for predicates on history.
    public static func entityNames(_ types: any PersistentModel.Type...) -> [String] {
        types.map { $0._$descriptor.entityName }
    }
}

extension Schema: Hashable {
    /// Schemas are equal when they have the same version, and entities that are described alike.
    public static func == (lhs: Schema, rhs: Schema) -> Bool {
        lhs === rhs || (lhs.version == rhs.version && lhs.entities == rhs.entities)
    }

    /// Hashes the version and the entities' names.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(entities.map(\.name))
    }
}

extension Schema: Codable {
    /// Reads what ``encode(to:)`` writes: a schema that no classes stand behind.
    ///
    /// It can be looked at and compared with one of classes. To open a container with it is an error.
    /// - Throws: `DecodingError`, also for a form that is newer than this release.
    public convenience init(from decoder: any Decoder) throws {
        let description = try SchemaDescription(from: decoder)
        guard description.encodingVersion.major <= Self.schemaEncodingVersion.major else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "The schema was written in the form \(description.encodingVersion), and this release knows "
                        + "\(Self.schemaEncodingVersion). Use the release that wrote it."))
        }
        self.init(
            EntityGraph([], description.entities.map { Entity($0) }), version: description.version,
            encodingVersion: description.encodingVersion)
    }

    /// Writes what the schema is, without its classes: entities, properties, constraints and indexes; not the default values of
    /// attributes.
    public func encode(to encoder: any Encoder) throws {
        try SchemaDescription(
            encodingVersion: Self.schemaEncodingVersion, version: version,
            entities: entities.map { EntityDescription($0) }
        ).encode(to: encoder)
    }
}

/// One released version of a model: the classes it holds, usually nested in the type that conforms.
///
/// ```swift
/// enum TripsV1: VersionedSchema {
///     static let versionIdentifier = Schema.Version(1, 0, 0)
///     static var models: [any PersistentModel.Type] { [Trip.self, BucketListItem.self] }
///     @Model final class Trip { … }
///     @Model final class BucketListItem { … }
/// }
/// let container = try await ModelContainer(for: Schema(versionedSchema: TripsV1.self))
/// ```
public protocol VersionedSchema: SendableMetatype {
    /// The classes of this version. Superclasses and the targets of relationships are found by themselves; name
    /// subclasses.
    ///
    /// A version may have classes of another one: `TripsV2.models.replacing(Trip.self)` are those of version 2, but for `Trip`. What they
    /// refer to is then what this version has under the same name. Code that migrates objects, and containers, need versions whose
    /// related classes are all of their own.
    static var models: [any PersistentModel.Type] { get }
    /// The version, different from that of every other released one.
    static var versionIdentifier: Schema.Version { get }
}
