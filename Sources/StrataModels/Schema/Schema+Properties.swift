/// A property of an entity.
public protocol SchemaProperty: Sendable {
    var name: String { get }
    /// The name in the schema version before, the name itself if it was not renamed.
    var originalName: String { get }
    var valueType: Any.Type { get }
    var isAttribute: Bool { get }
    var isRelationship: Bool { get }
    var isTransient: Bool { get }
    var isOptional: Bool { get }
    var isUnique: Bool { get }
}

extension Schema {
    /// A property with a value.
    public final class Attribute: SchemaProperty {
        /// How an attribute is stored.
        public enum Option: Hashable, Sendable {
            /// One object a value: saving a second one updates the first (upsert).
            case unique
            /// `bytea` stored out of line, uncompressed (`STORAGE EXTERNAL`), and read only when it is touched.
            case externalStorage
            /// One `jsonb` value, whatever the type.
            case codable
            /// Tracked and observed, never stored.
            case ephemeral
            /// Kept in the history when the object is deleted.
            case preserveValueOnDeletion
            /// Accepted for source compatibility; there is no CloudKit on a server.
            case allowsCloudEncryption
            /// Accepted for source compatibility; there is no Spotlight on a server.
            case spotlight
            /// Stored through an ``AttributeTransformer``.
            case transformable(by: ObjectIdentifier)

            public static func transformable<T: AttributeTransformer>(by type: T.Type) -> Option {
                .transformable(by: ObjectIdentifier(type))
            }
        }

        package let property: AnyAttributeProperty?
        public let name: String
        public let originalName: String
        public let options: [Option]
        public let hashModifier: String?
        public var valueType: Any.Type { property?.valueType ?? Any.self }
        /// The value of the property's initializer expression.
        public var defaultValue: Any? { property?.defaultValue }
        public var isOptional: Bool { property?.isOptional ?? false }
        public var isUnique: Bool { options.contains(.unique) }
        public var isAttribute: Bool { true }
        public var isRelationship: Bool { false }
        /// Whether it has no column (`.ephemeral`).
        public var isTransient: Bool { options.contains(.ephemeral) }
        public var isTransformable: Bool {
            options.contains { if case .transformable = $0 { true } else { false } }
        }

        init(_ property: ModelProperty) {
            let attribute = property as? AnyAttributeProperty
            self.property = attribute
            name = property.name
            originalName = property.originalName ?? property.name
            options = attribute?.options ?? []
            hashModifier = property.hashModifier
        }
    }

    /// A property that leads to other objects.
    public final class Relationship: SchemaProperty {
        /// What deleting an object does to the objects at the other end (12.6).
        public enum DeleteRule: String, Codable, Hashable, Sendable {
            /// Nothing: the reference dangles. PostgreSQL's foreign keys cannot dangle, so there is none for it.
            case noAction
            /// Their reference becomes `nil`.
            case nullify
            /// They are deleted too.
            case cascade
            /// The deletion is refused while there are any.
            case deny
        }

        /// How a relationship is stored.
        public enum Option: Hashable, Sendable {
            /// No two objects have the same target.
            case unique
        }

        package let property: RelationshipProperty
        package let inverseProperty: RelationshipProperty?
        package let resolution: InverseResolution
        public let name: String
        public let originalName: String
        public var keypath: AnyKeyPath { property.keyPath }
        public var options: [Option] { property.metadata.options }
        public var valueType: Any.Type { property.destinationType }
        /// The name of the entity at the other end.
        public let destination: String
        public var deleteRule: DeleteRule { property.deleteRule }
        public var inverseName: String? { inverseProperty?.name }
        public var inverseKeyPath: AnyKeyPath? { inverseProperty?.keyPath }
        public var minimumModelCount: Int? { property.metadata.minimumModelCount }
        public var maximumModelCount: Int? { property.metadata.maximumModelCount }
        public var hashModifier: String? { property.hashModifier }
        public var isToOneRelationship: Bool { property.isToOne }
        public var isOptional: Bool { property.isOptional }
        public var isUnique: Bool { options.contains(.unique) }
        public var isAttribute: Bool { false }
        public var isRelationship: Bool { true }
        public var isTransient: Bool { false }

        init(_ property: RelationshipProperty, of owner: ModelDescriptor) {
            self.property = property
            name = property.name
            originalName = property.originalName ?? property.name
            destination = property.destination.entityName
            resolution = property.inverseResolution(of: owner)
            if case .found(let slot) = resolution {
                inverseProperty = property.destination.properties[slot] as? RelationshipProperty
            } else {
                inverseProperty = nil
            }
        }
    }
}
