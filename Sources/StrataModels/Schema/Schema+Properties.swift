/// A property of an entity.
public protocol SchemaProperty: Sendable {
    /// The property's name in Swift. The column's is the same in snake case.
    var name: String { get }
    /// The name in the schema version before, the name itself if it was not renamed.
    var originalName: String { get }
    /// The declared type of an attribute, such as `String?`; the class at the other end of a relationship.
    var valueType: Any.Type { get }
    /// Whether it is an ``Schema/Attribute``.
    var isAttribute: Bool { get }
    /// Whether it is a ``Schema/Relationship``.
    var isRelationship: Bool { get }
    /// Whether it is not stored.
    var isTransient: Bool { get }
    /// Whether it may be `nil`.
    var isOptional: Bool { get }
    /// Whether it is marked `.unique` itself; `#Unique` does not count.
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
            /// The history keeps the value when the object is deleted (``HistoryTombstone``).
            case preserveValueOnDeletion
            /// Accepted for source compatibility; there is no CloudKit on a server.
            case allowsCloudEncryption
            /// Accepted for source compatibility; there is no Spotlight on a server.
            case spotlight
            /// Stored through an ``AttributeTransformer``.
            case transformable(by: ObjectIdentifier)

            /// Stored through an ``AttributeTransformer``: `@Attribute(.transformable(by: MoneyTransformer.self))`.
            public static func transformable<T: AttributeTransformer>(by type: T.Type) -> Option {
                .transformable(by: ObjectIdentifier(type))
            }

            /// Stored through the ``AttributeTransformer`` registered under this name (``AttributeTransformer/register(as:)``):
            /// `@Attribute(.transformable(by: "MoneyTransformer"))`.
            public static func transformable(by name: String) -> Option {
                .transformable(by: ObjectIdentifier((any NamedTransformer).self))
            }
        }

        package let property: AnyAttributeProperty?
        /// The property's name in Swift.
        public let name: String
        /// The name in the schema version before, ``name`` if it was not renamed.
        public let originalName: String
        /// What `@Attribute` was given, in that order.
        public let options: [Option]
        /// What marks a change that the structure does not show, for migrations.
        public let hashModifier: String?
        /// The declared type.
        public var valueType: Any.Type { property?.valueType ?? Any.self }
        /// The value of the property's initializer expression.
        public var defaultValue: Any? { property?.defaultValue }
        /// Whether the value may be `nil` and the column NULL.
        public var isOptional: Bool { property?.isOptional ?? false }
        /// Whether it is marked `.unique`; `#Unique` does not count.
        public var isUnique: Bool { options.contains(.unique) }
        /// Always `true`.
        public var isAttribute: Bool { true }
        /// Always `false`.
        public var isRelationship: Bool { false }
        /// Whether it has no column (`.ephemeral`).
        public var isTransient: Bool { options.contains(.ephemeral) }
        /// Whether an ``AttributeTransformer`` stands between value and column.
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
        /// What deleting an object does to the objects at the other end.
        ///
        /// Applied by `save()` to the objects in memory, and by foreign keys (`ON DELETE`) to those that are not.
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
            /// A to-many relationship that keeps the order of its array: a column with positions, which no property
            /// shows, survives what is read again.
            case ordered
        }

        package let property: RelationshipProperty
        package let inverseProperty: RelationshipProperty?
        package let resolution: InverseResolution
        /// The property's name in Swift.
        public let name: String
        /// The name in the schema version before, ``name`` if it was not renamed.
        public let originalName: String
        /// The key path of the property, rooted at the class of the entity that was asked.
        public var keypath: AnyKeyPath { property.keyPath }
        /// What `@Relationship` was given, in that order.
        public var options: [Option] { property.metadata.options }
        /// The class at the other end.
        public var valueType: Any.Type { property.destinationType }
        /// The name of the entity at the other end.
        public let destination: String
        /// What deleting an object does to the objects at the other end.
        public var deleteRule: DeleteRule { property.deleteRule }
        /// The name of the property at the other end, declared or inferred; `nil` for a one-way relationship.
        public var inverseName: String? { inverseProperty?.name }
        /// The key path of the property at the other end; `nil` for a one-way relationship.
        public var inverseKeyPath: AnyKeyPath? { inverseProperty?.keyPath }
        /// The least number of objects that `save()` accepts; 0 for no limit.
        public var minimumModelCount: Int? { property.metadata.minimumModelCount }
        /// The greatest number of objects that `save()` accepts; 0 for no limit.
        public var maximumModelCount: Int? { property.metadata.maximumModelCount }
        /// What marks a change that the structure does not show, for migrations.
        public var hashModifier: String? { property.hashModifier }
        /// Whether it leads to one object at most; otherwise it is an array.
        public var isToOneRelationship: Bool { property.isToOne }
        /// Whether the property is declared optional.
        public var isOptional: Bool { property.isOptional }
        /// Whether no two objects may have the same target.
        public var isUnique: Bool { options.contains(.unique) }
        /// Whether the array's order is stored (`.ordered`).
        public var isOrdered: Bool { options.contains(.ordered) }
        /// Always `false`.
        public var isAttribute: Bool { false }
        /// Always `true`.
        public var isRelationship: Bool { true }
        /// Always `false`: relationships are stored.
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
