/// A property of an entity.
public protocol SchemaProperty: Codable, Hashable, Sendable {
    /// The property's name in Swift. The column's is the same in snake case, unless the model gives it another.
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
            /// The value is the key of the object's row: a `UUID`, or an `Int` that you assign.
            ///
            /// ```swift
            /// @Model final class User {
            ///     @Attribute(.primaryKey) var id: UUID = .v7()
            /// }
            /// let user: User? = try await context.existingModel(User.self, id: id)
            /// ```
            ///
            /// Of the class at the top of a hierarchy, one property, not optional. Its column is the table's primary key, and foreign keys to it
            /// have its type. Whatever the property holds when the object is inserted is the object's key from then on: a save throws where it
            /// was changed. Without it a class has a column `pk bigint` whose keys Strata gives.
            case primaryKey
            /// `bytea` stored out of line, uncompressed (`STORAGE EXTERNAL`), and read only when it is touched.
            case externalStorage
            /// One `jsonb` value, whatever the type.
            case codable
            /// Tracked and observed, never stored.
            case ephemeral
            /// The history keeps the value when the object is deleted (``HistoryTombstone``).
            case preserveValueOnDeletion
            /// When the object was made: a `Date` that the save sets which inserts the object, whatever it was before.
            ///
            /// ```swift
            /// @Attribute(.creationDate) var created = Date.now
            /// @Attribute(.modificationDate) var changed: Date?
            /// ```
            ///
            /// It is the time of this machine, in microseconds, the same for all objects of a save, so it can be part of nothing unique. A row that
            /// an upsert finds keeps its date, which the new object reads when it is next touched. Rows that are inserted without objects have one
            /// date, unless they bring theirs. No round trip. What other programs insert has what they say.
            case creationDate
            /// When the object was last changed: a `Date` that each save sets which writes an edit of the object's row, unless it was assigned
            /// since the last one.
            ///
            /// As ``creationDate``; updates by predicate and upserts set it as well, unless they name it. It is no conflict where somebody else
            /// has changed the object in the meantime: the date of the later save stays. Rows that are written because of others' edits (a
            /// delete rule clears a reference, an order moves) have no new date.
            case modificationDate
            /// When the object was deleted; `nil` while it is there: an optional `Date` of the root of a hierarchy.
            ///
            /// ```swift
            /// @Attribute(.deletionDate) var deletedAt: Date?
            /// ```
            ///
            /// Deleting such an object sets the date and keeps the row and all its references; delete rules of `.cascade` and `.deny` are followed.
            /// Fetches and to-many relationships leave it out, unless ``FetchDescriptor/includeDeleted`` says otherwise; to-one
            /// relationships lead to it still. Setting the date to `nil` restores the object. It is deleted for good by
            /// `delete(_:permanently:)`. No round trip; two statements more where a rule is `.cascade` or `.deny`.
            case deletionDate
            /// Whose row it is, where one table has the rows of many tenants: `String`, `UUID`, `Int` or `Int64`, of the root of a hierarchy.
            ///
            /// ```swift
            /// @Attribute(.tenant) var tenant = ""
            /// ```
            ///
            /// A context of `ModelContainer.tenant(_:)` gives it to objects that are inserted with `nil`, `""`, 0 or a UUID of zeros, and refuses
            /// those that name another tenant. The tables have a policy of row-level security (PostgreSQL manual, 5.8): a statement sees the rows of the tenant
            /// that its context tells the server, and none without. What is unique is unique within a tenant, and what is indexed is searched within one: the property is
            /// the first column. No round trip.
            case tenant
            /// A `Decimal` of at most so many digits, `scale` of them behind the point: `numeric(12,2)`.
            ///
            /// ```swift
            /// @Attribute(.precision(12, scale: 2)) var price: Decimal
            /// ```
            ///
            /// PostgreSQL would round a number with more digits behind the point. A save that would store one throws
            /// ``SwiftDataError/invalidValue`` before anything is sent, and so do rows without objects and updates by predicate. Up to 38 digits, as many as any
            /// `Decimal` holds.
            case precision(Int, scale: Int = 0)
            /// Computed by the database: a column `GENERATED ALWAYS AS (…) STORED` (PostgreSQL manual, 5.3). It is searched and sorted by as any other,
            /// and never written; the property has no setter.
            ///
            /// ```swift
            /// @Attribute(.generated) var total: Decimal?
            /// ```
            ///
            /// In tables of Strata ``Generated(_:_:)`` says what it is computed by: memory computes it then, whenever it is read.
            ///
            /// In a table that others have made it is read, and optional: it is `nil` until the object is saved. After each save of the object, and after updates by
            /// predicate, the value is read when it is next touched, for all objects that were read together: one round trip, where it is asked for. A
            /// changed object has the value of its row until then.
            case generated
            /// The initializer's constant is the default of the column too (`DEFAULT 'new'`), for other programs that insert rows.
            ///
            /// ```swift
            /// @Attribute(.serverDefault) var state = "new"
            /// ```
            ///
            /// Objects and rows of this program bring their values as ever; the server computes nothing for them, and nothing is read back. In tables of
            /// Strata, of a property whose initializer gives the same value each time. A stage changes the default with the initializer; rows that are
            /// there keep what they have.
            case serverDefault
            /// In no ``ModelSnapshot`` and no JSON, unless it is asked for by name. The database knows nothing of it.
            case hidden
            /// Accepted for source compatibility; there is no CloudKit on a server.
            case allowsCloudEncryption
            /// The words of a `String` are found by `matches`, together with those of the class's other properties that are marked so.
            ///
            /// It is an index (GIN) of the table for the text search configuration `simple`. For a language of your choice, declare
            /// `#Index<Trip>(.fullText([\.name], language: "english"))` instead. Without effect on other types.
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
        /// What is known of an attribute that no class stands behind.
        private let described: DescribedValue?
        /// The property's name in Swift.
        public let name: String
        /// What `@Attribute` calls the column; `nil` where its name is the property's in snake case.
        public let column: String?
        /// The name in the schema version before, ``name`` if it was not renamed.
        public let originalName: String
        /// What `@Attribute` was given, in that order.
        public let options: [Option]
        /// What marks a change that the structure does not show, for migrations.
        public let hashModifier: String?
        /// The declared type; `Any` where a schema that was loaded names a type that only its program knows.
        public var valueType: Any.Type { property?.valueType ?? described?.type ?? Any.self }
        /// The name of the declared type, such as `Optional<String>`.
        public var valueTypeName: String {
            described?.typeName ?? property.map { _typeName($0.valueType, qualified: false) } ?? ""
        }
        /// The value of the property's initializer expression. Not written with a schema.
        public var defaultValue: Any? { property.map(\.defaultValue) ?? described?.defaultValue }
        /// Whether the value may be `nil` and the column NULL.
        public var isOptional: Bool { property?.isOptional ?? described?.isOptional ?? false }
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

        /// Whether it is a text that `.spotlight` has an index made for.
        var isSearchedText: Bool {
            options.contains(.spotlight) && !isTransient && (valueType == String.self || valueType == String?.self)
        }

        init(_ property: any ModelProperty) {
            let attribute = property as? AnyAttributeProperty
            self.property = attribute
            described = nil
            name = property.name
            column = property.declaredColumn
            originalName = property.originalName ?? property.name
            options = attribute?.options ?? []
            hashModifier = property.hashModifier
        }

        /// An attribute that no class stands behind, to be compared with those of other schemas.
        ///
        /// ```swift
        /// Schema.Attribute(name: "title", options: [.unique], valueType: String.self)
        /// ```
        public convenience init(
            name: String, originalName: String? = nil, options: [Option] = [], valueType: Any.Type,
            defaultValue: (any Sendable)? = nil, column: String? = nil, hashModifier: String? = nil
        ) {
            self.init(
                name: name, column: column, originalName: originalName ?? name, options: options,
                hashModifier: hashModifier,
                DescribedValue(
                    type: valueType, typeName: _typeName(valueType, qualified: false),
                    isOptional: valueType is any OptionalType.Type, defaultValue: defaultValue))
        }

        /// What `@Attribute` is given, of an attribute without name and type.
        public convenience init(
            _ options: Option..., column: String? = nil, originalName: String? = nil, hashModifier: String? = nil
        ) {
            self.init(
                name: "", originalName: originalName, options: options, valueType: Any.self, column: column,
                hashModifier: hashModifier)
        }

        init(
            name: String, column: String?, originalName: String, options: [Option], hashModifier: String?,
            _ described: DescribedValue
        ) {
            property = nil
            self.described = described
            self.name = name
            self.column = column
            self.originalName = originalName
            self.options = options
            self.hashModifier = hashModifier
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
        public enum Option: String, Codable, Hashable, Sendable {
            /// No two objects have the same target.
            case unique
            /// A to-many relationship that keeps the order of its array: a column with positions, which no property
            /// shows, survives what is read again.
            case ordered
        }

        /// `nil` for a relationship that no class stands behind.
        package let property: RelationshipProperty?
        package let resolution: InverseResolution
        let description: RelationshipDescription
        /// The property's name in Swift.
        public var name: String { description.name }
        /// The name in the schema version before, ``name`` if it was not renamed.
        public var originalName: String { description.originalName }
        /// The key path of the property, rooted at the class of the entity that was asked; `nil` where there is no class.
        public var keypath: AnyKeyPath? { property?.keyPath }
        /// What `@Relationship` was given, in that order.
        public var options: [Option] { description.options }
        /// The class at the other end; `Any` where there is no class.
        public var valueType: Any.Type { property?.destinationType ?? Any.self }
        /// The name of the entity at the other end.
        public var destination: String { description.destination }
        /// What deleting an object does to the objects at the other end.
        public var deleteRule: DeleteRule { description.deleteRule }
        /// The name of the property at the other end, declared or inferred; `nil` for a one-way relationship.
        public var inverseName: String? { description.inverseName }
        /// The key path of the property at the other end; `nil` for a one-way relationship, and where there is no class.
        public var inverseKeyPath: AnyKeyPath? { inverse }
        private let inverse: SendableKeyPath?
        /// The least number of objects that `save()` accepts; 0 for no limit.
        public var minimumModelCount: Int? { description.minimumModelCount }
        /// The greatest number of objects that `save()` accepts; 0 for no limit.
        public var maximumModelCount: Int? { description.maximumModelCount }
        /// What marks a change that the structure does not show, for migrations.
        public var hashModifier: String? { description.hashModifier }
        /// Whether it leads to one object at most; otherwise it is an array.
        public var isToOneRelationship: Bool { description.isToOne }
        /// Whether the property is declared optional.
        public var isOptional: Bool { description.isOptional }
        /// What `@Relationship` calls the table of pairs of a many-to-many relationship, at this end.
        public var table: String? { description.table }
        /// What `@Relationship` calls the column of the foreign key.
        public var column: String? { description.column }
        /// What `@Relationship` calls the columns of a foreign key of several.
        public var columns: [String]? { description.columns }
        /// What `@Relationship` calls the column of a table of pairs that has the keys of the other end.
        public var inverseColumn: String? { description.inverseColumn }
        /// What `@Relationship` calls the constraint of the foreign key; `nil` for a name by rule.
        public var constraint: String? { description.constraint }
        /// What `@Relationship` calls the constraint of the primary key of a table of pairs; `nil` for a name by rule.
        public var keyConstraint: String? { description.keyConstraint }
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

        init(_ property: RelationshipProperty, of owner: ModelDescriptor, _ classes: VersionClasses) {
            self.property = property
            resolution = property.inverseResolution(of: owner, among: classes)
            let inverse: (any ModelProperty)? =
                if case .found(let slot) = resolution { classes.own(property.destination).properties[slot] } else {
                    nil
                }
            self.inverse = inverse?.keyPath
            description = RelationshipDescription(property, inverse: inverse)
        }

        init(_ description: RelationshipDescription, inverseKeyPath: AnyKeyPath? = nil) {
            property = nil
            resolution = .none
            inverse = inverseKeyPath.map { sendable($0) }
            self.description = description
        }

        /// A relationship that no class stands behind, to be compared with those of other schemas.
        ///
        /// ```swift
        /// Schema.Relationship(name: "stops", destination: "Stop", isToOne: false, deleteRule: .cascade)
        /// ```
        /// - Parameters:
        ///   - options: what `@Relationship` is given.
        ///   - name: the property's name.
        ///   - destination: the name of the entity at the other end.
        ///   - isToOne: whether it leads to one object at most.
        ///   - isOptional: whether the property is declared optional.
        ///   - deleteRule: what deleting an object does to the objects at the other end.
        ///   - minimumModelCount: the least number of objects; 0 for no limit.
        ///   - maximumModelCount: the greatest number of objects; 0 for no limit.
        ///   - table: the table of pairs of a many-to-many relationship.
        ///   - column: the column of the foreign key.
        ///   - columns: the columns of a foreign key of several.
        ///   - inverseColumn: the column with the keys of the other end, in a table of pairs.
        ///   - constraint: the constraint of the foreign key.
        ///   - keyConstraint: the constraint of the primary key of a table of pairs.
        ///   - originalName: the name in the version before.
        ///   - inverse: the key path of the property at the other end.
        ///   - inverseName: its name, where there is no key path.
        ///   - hashModifier: what marks a change that the structure does not show.
        public convenience init(
            _ options: Option..., name: String = "", destination: String = "", isToOne: Bool = true,
            isOptional: Bool = true, deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
            maximumModelCount: Int? = 0, table: String? = nil, column: String? = nil, columns: [String]? = nil,
            inverseColumn: String? = nil, constraint: String? = nil, keyConstraint: String? = nil,
            originalName: String? = nil, inverse: AnyKeyPath? = nil,
            inverseName: String? = nil, hashModifier: String? = nil
        ) {
            let model = inverse.flatMap { type(of: $0).rootType as? any PersistentModel.Type }
            let property = inverse.flatMap { model?._$descriptor.property(for: $0) }
            self.init(
                RelationshipDescription(
                    name: name, originalName: originalName ?? name, options: options, destination: destination,
                    deleteRule: deleteRule, inverseName: inverseName ?? property?.name,
                    minimumModelCount: minimumModelCount ?? 0, maximumModelCount: maximumModelCount ?? 0,
                    hashModifier: hashModifier, isToOne: isToOne, isOptional: isOptional, table: table,
                    column: column, columns: columns, inverseColumn: inverseColumn, constraint: constraint,
                    keyConstraint: keyConstraint),
                inverseKeyPath: inverse)
        }
    }
}

extension Schema.Attribute {
    /// Attributes are equal when they are described alike: name, type, options and what is said for migrations.
    public static func == (lhs: Schema.Attribute, rhs: Schema.Attribute) -> Bool {
        AttributeDescription(lhs) == AttributeDescription(rhs)
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Reads what ``encode(to:)`` writes: an attribute that no class stands behind.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try AttributeDescription(from: decoder))
    }

    /// Writes what describes the attribute; not its default value.
    public func encode(to encoder: any Encoder) throws { try AttributeDescription(self).encode(to: encoder) }
}

extension Schema.Relationship {
    /// Relationships are equal when they are described alike.
    public static func == (lhs: Schema.Relationship, rhs: Schema.Relationship) -> Bool {
        lhs.description == rhs.description
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Reads what ``encode(to:)`` writes: a relationship that no class stands behind.
    public convenience init(from decoder: any Decoder) throws {
        self.init(try RelationshipDescription(from: decoder))
    }

    /// Writes what describes the relationship.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

/// Tells whether a declared type is optional.
private protocol OptionalType {}

extension Optional: OptionalType {}
