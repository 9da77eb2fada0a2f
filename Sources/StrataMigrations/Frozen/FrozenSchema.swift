package import StrataModels
package import StrataRepository

/// A released schema version, as plain values that can be written down: the classes, their properties, and the tables and
/// columns they lie in.
///
/// Frozen once, compared ever after: migrations are planned between two of these, never between live classes, so that
/// the files depend on nothing that may have been edited since.
package struct FrozenSchema: Codable, Hashable, Sendable {
    package var version: Schema.Version
    /// The classes that have tables, sorted by name. A class that reads a view is the view alone: nothing of it goes on.
    package var entities: [FrozenEntity]
    /// The tables, sorted; without PostgreSQL's schema, which is a parameter of rendering.
    package var database: DatabaseDefinition

    package init(version: Schema.Version, entities: [FrozenEntity], database: DatabaseDefinition) {
        self.version = version
        self.entities = entities
        self.database = database
    }

    package func entity(named name: String) -> FrozenEntity? { entities.first { $0.name == name } }

    /// Whether a foreign key is the one by which the table of a subclass has the rest of an object: another table may have the key of one, too.
    func isToSuperclass(_ key: ForeignKeyDefinition, of table: TableDefinition) -> Bool {
        key.columns == table.primaryKey?.columns
            && entities.contains { entity in
                entity.table == table.name
                    && entity.parent.flatMap { self.entity(named: $0) }?.table == key.referencedTable
            }
    }

    /// From the root down to the entity itself.
    package func chain(of entity: FrozenEntity) -> [FrozenEntity] {
        (entity.parent.flatMap { self.entity(named: $0) }.map { chain(of: $0) } ?? []) + [entity]
    }

    package func children(of entity: FrozenEntity) -> [FrozenEntity] { entities.filter { $0.parent == entity.name } }

    /// Whether a subclass has its properties in the table of its superclass.
    package func sharesTable(_ entity: FrozenEntity) -> Bool {
        entity.parent.flatMap { self.entity(named: $0) }?.table == entity.table
    }

    /// Whether all classes of the hierarchy of a class have their properties in one table; `nil` where it has no subclass.
    package func isSingleTable(_ entity: FrozenEntity) -> Bool? {
        let classes = family(of: chain(of: entity).first ?? entity).dropFirst()
        return classes.isEmpty ? nil : classes.allSatisfy(sharesTable)
    }

    /// The entity and all its subclasses at any depth.
    package func family(of entity: FrozenEntity) -> [FrozenEntity] {
        [entity] + children(of: entity).flatMap { family(of: $0) }
    }
}

/// A class.
package struct FrozenEntity: Codable, Hashable, Sendable {
    package var name: String
    /// The superclass, by name.
    package var parent: String?
    /// The table of its own properties: its own, or that of its superclass.
    package var table: String
    /// What stands in the `class` column of the root for rows of this class.
    package var discriminator: String
    /// Its own properties only, in the order of declaration.
    package var attributes: [FrozenAttribute]
    package var relationships: [FrozenRelationship]
    /// Its own properties that memory computes, and their columns (`#Generated`); absent where it has none.
    package var computed: [String: String]?
    /// Names of properties that are unique together.
    package var uniques: [[String]]
    package var indexes: [FrozenIndex]
    /// `false` where the history of the hierarchy is not recorded, and absent otherwise.
    package var recordsHistory: Bool?
    /// `true` for a class of whose subclasses alone there are objects, and absent otherwise. No part of the fingerprint: it
    /// changes no table.
    package var isAbstract: Bool?

    package init(
        name: String, parent: String? = nil, table: String, discriminator: String, attributes: [FrozenAttribute] = [],
        relationships: [FrozenRelationship] = [], computed: [String: String] = [:], uniques: [[String]] = [],
        indexes: [FrozenIndex] = [], recordsHistory: Bool = true, isAbstract: Bool = false
    ) {
        self.name = name
        self.parent = parent
        self.table = table
        self.discriminator = discriminator
        self.attributes = attributes
        self.relationships = relationships
        self.computed = computed.isEmpty ? nil : computed
        self.uniques = uniques
        self.indexes = indexes
        self.recordsHistory = recordsHistory ? nil : false
        self.isAbstract = isAbstract ? true : nil
    }
}

package struct FrozenIndex: Codable, Hashable, Sendable {
    package var method: String
    package var properties: [String]

    package init(method: String, properties: [String]) {
        self.method = method
        self.properties = properties
    }
}

/// A property with a column of its own.
package struct FrozenAttribute: Codable, Hashable, Sendable {
    package var name: String
    /// What an earlier version called it, where `@Attribute(originalName:)` says so.
    package var originalName: String?
    package var column: String
    package var type: ColumnType
    /// Swift's type without its module, for messages and for changes of a Codable's shape.
    package var valueType: String
    package var isOptional: Bool
    /// Sorted.
    package var options: [Option]
    package var hashModifier: String?
    /// The raw values of an enum that is `CaseIterable`, or of the elements of an array of one, as texts, in order of
    /// declaration; `nil` for anything else.
    package var cases: [String]?
    /// The property's default as an SQL expression (`'new'::text`, `0`, `gen_random_uuid()`); `nil` if it has none, or
    /// none that SQL can say.
    package var defaultExpression: String?

    package init(
        name: String, originalName: String? = nil, column: String, type: ColumnType, valueType: String,
        isOptional: Bool = false, options: [Option] = [], hashModifier: String? = nil, cases: [String]? = nil,
        defaultExpression: String? = nil
    ) {
        self.name = name
        self.originalName = originalName
        self.column = column
        self.type = type
        self.valueType = valueType
        self.isOptional = isOptional
        self.options = options
        self.hashModifier = hashModifier
        self.cases = cases
        self.defaultExpression = defaultExpression
    }

    /// What `@Attribute` says of a property, by the words that files have for it. Of `.hidden` a database knows nothing.
    package enum Option: String, Codable, Comparable, Sendable {
        case allowsCloudEncryption, codable, deletionDate, ephemeral, externalStorage, preserveValueOnDeletion,
            spotlight
        case transformable, unique

        package static func < (left: Option, right: Option) -> Bool { left.rawValue < right.rawValue }
    }
}

/// A property that leads to other objects.
package struct FrozenRelationship: Codable, Hashable, Sendable {
    /// Where the links lie.
    package enum Storage: Codable, Hashable, Sendable {
        /// In a column of the table of the class that declares the property; one row, one target.
        case foreignKey(table: String, column: String)
        /// In a column of the other side's table.
        case inverseForeignKey(table: String, column: String)
        /// In a table of pairs; `own` holds keys of the class that declares the property.
        case joinTable(table: String, own: String, other: String)
    }

    package var name: String
    package var originalName: String?
    package var destination: String
    /// The property at the other end.
    package var inverse: String?
    package var deleteRule: String
    package var isToOne: Bool
    package var isOptional: Bool
    package var minimumCount: Int
    package var maximumCount: Int
    package var hashModifier: String?
    package var storage: Storage
    /// All columns of a foreign key of several, of which ``storage`` names the first, in a table of pairs of `own`; absent otherwise.
    package var columns: [String]?
    /// Those of them that no other property has.
    package var owned: [String]?
    /// In a table of pairs all columns of `other`, where they are several; absent otherwise.
    package var otherColumns: [String]?
    /// The column with the positions, in the table where the links lie; absent where the order is not stored.
    package var position: String?

    package init(
        name: String, originalName: String? = nil, destination: String, inverse: String? = nil, deleteRule: String,
        isToOne: Bool, isOptional: Bool, minimumCount: Int = 0, maximumCount: Int = 0, hashModifier: String? = nil,
        storage: Storage, columns: [String]? = nil, owned: [String]? = nil, otherColumns: [String]? = nil,
        position: String? = nil
    ) {
        self.name = name
        self.originalName = originalName
        self.destination = destination
        self.inverse = inverse
        self.deleteRule = deleteRule
        self.isToOne = isToOne
        self.isOptional = isOptional
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount
        self.hashModifier = hashModifier
        self.storage = storage
        self.columns = columns
        self.owned = owned
        self.otherColumns = otherColumns
        self.position = position
    }
}
