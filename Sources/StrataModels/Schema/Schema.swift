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
    private let entitiesByType: [ObjectIdentifier: Entity]

    /// A schema of these classes and all classes their relationships lead to. Subclasses are not inferred: name them.
    public init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
        self.version = version
        unmarkedTypes = types.filter { !$0._$descriptor.describes($0) }
        let descriptors = Self.closure(of: types.map { $0._$descriptor })
        let graph = EntityGraph(descriptors)
        entities = graph.entities
        entitiesByName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        entitiesByType = Dictionary(
            entities.map { (ObjectIdentifier($0.descriptor), $0) }, uniquingKeysWith: { first, _ in first })
        duplicateNames = Dictionary(grouping: entities, by: \.name).filter { $0.value.count > 1 }.keys.sorted()
    }

    /// A schema of these classes and all classes their relationships lead to: `Schema(Trip.self, BusinessTrip.self)`.
    public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
        self.init(types, version: version)
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

    /// The named classes, their superclasses, and everything relationships lead to.
    private static func closure(of roots: [ModelDescriptor]) -> [ModelDescriptor] {
        var found: [ObjectIdentifier: ModelDescriptor] = [:]
        var pending = roots
        while let descriptor = pending.popLast() {
            guard found.updateValue(descriptor, forKey: ObjectIdentifier(descriptor)) == nil else { continue }
            if let parent = descriptor.superclass { pending.append(parent) }
            pending.append(contentsOf: descriptor.relationships.map(\.destination))
        }
        // Classes of the same name are refused later; until then they have an order of their own.
        return found.values.sorted {
            $0.entityName == $1.entityName
                ? String(reflecting: $0.type) < String(reflecting: $1.type) : $0.entityName < $1.entityName
        }
    }
}

extension Schema: Hashable {
    /// Schemas are equal when they hold the same classes in the same version.
    public static func == (lhs: Schema, rhs: Schema) -> Bool {
        lhs.version == rhs.version
            && lhs.entities.map { ObjectIdentifier($0.descriptor) }
                == rhs.entities.map { ObjectIdentifier($0.descriptor) }
    }

    /// Hashes the version and the entities' names.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(entities.map(\.name))
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
    static var models: [any PersistentModel.Type] { get }
    /// The version, different from that of every other released one.
    static var versionIdentifier: Schema.Version { get }
}
