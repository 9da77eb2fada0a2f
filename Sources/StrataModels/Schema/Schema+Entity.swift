import Synchronization

extension Schema {
    /// One class of the schema: its properties, constraints and place in the hierarchy.
    public final class Entity: Sendable, Hashable {
        /// The class's own name, without the types it is nested in.
        public let name: String
        package let descriptor: ModelDescriptor
        /// The superclass, if it is a model.
        public internal(set) var superentity: Entity? {
            get { relatives.withLock { $0.superentity } }
            set { relatives.withLock { $0.superentity = newValue } }
        }
        /// The direct subclasses in this schema.
        public internal(set) var subentities: Set<Entity> {
            get { relatives.withLock { $0.subentities } }
            set { relatives.withLock { $0.subentities = newValue } }
        }
        /// The properties this class declares itself, in their order.
        public let storedProperties: [any SchemaProperty]
        /// The properties of its superclasses, those of the root first.
        public internal(set) var inheritedProperties: [any SchemaProperty] {
            get { relatives.withLock { $0.inheritedProperties } }
            set { relatives.withLock { $0.inheritedProperties = newValue } }
        }
        /// The names of the properties that `#PrimaryKey` names, in the order of the columns; empty for a key of one column.
        public let primaryKey: [String]
        /// Property names a `#Unique` or `.unique` names, a set each.
        public var uniquenessConstraints: [[String]] { modelUniques.map(\.names) }
        /// The superclass of an entity that no class stands behind.
        private let describedSuperentityName: String?
        /// The entities of its schema that it is tied to.
        private let relatives: Mutex<Relatives>
        /// Property names of each index.
        public var indices: [[String]] { modelIndices.map { $0.names } }
        /// Whether the database records the history of this class's objects: what the class at the top of its hierarchy
        /// says.
        public var recordsHistory: Bool { descriptor.root.recordsHistory }
        /// Whether there are objects of its subclasses only, because the class says `static let isAbstract = true`. Such an object
        /// cannot be inserted; fetches of the class find those of its subclasses.
        public var isAbstract: Bool { descriptor.isAbstract }
        /// What `@Model` calls the table; `nil` where its name is the class's in snake case.
        public var table: String? { descriptor.names.table }
        /// The PostgreSQL schema in which `@Model` says that the table is; `nil` for that of the store, and for a subclass that has the one of
        /// its superclass.
        public var postgresSchema: String? { descriptor.names.postgresSchema }
        /// What `@Model` calls the column of the key; `nil` for `pk`, and for a subclass, which has the column of its root.
        public var keyColumn: String? { descriptor.names.keyColumn }
        /// What `@Model` calls the column that says which class a row has; `nil` for `class`, and for a subclass.
        public var classColumn: String? { descriptor.names.classColumn }
        /// What `@Model` calls the constraint of the table's primary key; `nil` for a name by rule.
        public var keyConstraint: String? { descriptor.names.keyConstraint }
        /// What `@Model` calls the foreign key by which a subclass's table refers to that of its superclass; `nil` for a name by rule.
        public var superclassConstraint: String? { descriptor.names.superclassConstraint }
        /// Whether `@Model` lets the classes of the hierarchy share a table; `nil` where it says nothing, and for a subclass.
        public var inheritance: Schema.Inheritance? { descriptor.names.inheritance }
        /// What `@Model` says stands in the class column of its rows; `nil` for the class's name.
        public var discriminator: Schema.Discriminator? { descriptor.names.discriminator }
        /// What is unique, from `#Unique` and `.unique`.
        package let modelUniques: [EntityUnique]
        package let modelIndices: [EntityIndex]
        /// What `#Check` declares.
        package let modelChecks: [EntityCheck]
        /// What `#Generated` declares.
        package let modelGenerated: [EntityGenerated]
        /// How `#Partition` divides the table; `nil` for a table that is one.
        package let partition: EntityPartition?
        /// Key paths in `#PrimaryKey`, `#Unique` and `#Index` that name no property, for the validation's message.
        package let unknownConstraintKeyPaths: [String]

        private struct Relatives {
            weak var superentity: Entity?
            var subentities: Set<Entity> = []
            var inheritedProperties: [any SchemaProperty] = []
        }

        init(_ descriptor: ModelDescriptor, _ classes: VersionClasses) {
            self.descriptor = descriptor
            name = descriptor.entityName
            describedSuperentityName = nil
            let all = descriptor.properties.map { Self.schemaProperty($0, of: descriptor, classes) }
            storedProperties = Array(all[descriptor.ownSlots])
            relatives = Mutex(Relatives(inheritedProperties: Array(all[..<descriptor.ownSlots.lowerBound])))
            var unknown: [String] = []
            var uniques = storedProperties.compactMap { $0.isUnique ? EntityUnique([$0.name]) : nil }
            var indices: [EntityIndex] = []
            var checks: [EntityCheck] = []
            var generated: [EntityGenerated] = []
            var primaryKey: [String] = []
            var partition: EntityPartition?
            func names(_ keyPaths: [AnyKeyPath]) -> [String] {
                keyPaths.compactMap { keyPath in
                    if let property = classes.property(keyPath, in: descriptor) { return property.name }
                    unknown.append("\(keyPath)")
                    return nil
                }
            }
            let inheritedConstraints = descriptor.superclass?.constraints.count ?? 0
            for constraint in descriptor.constraints.dropFirst(inheritedConstraints) {
                switch constraint {
                case .primaryKey(let parts): primaryKey = names(parts)
                case .unique(let sets): uniques += sets.map { EntityUnique($0, names: names) }
                case .index(let list): indices += list.map { EntityIndex($0, names: names) }
                case .check(let check):
                    checks.append(
                        EntityCheck(
                            name: check.name, givenName: check.givenName, condition: check.condition,
                            source: check.condition.source))
                case .generated(let declared):
                    generated += names([declared.keyPath]).map {
                        EntityGenerated(name: $0, declared: declared, source: declared.source)
                    }
                case .partition(let declared):
                    partition = names([declared.keyPath]).first.map {
                        EntityPartition(name: $0, period: declared.period)
                    }
                }
            }
            let spotlight = storedProperties.compactMap { $0 as? Attribute }.filter(\.isSearchedText).map(\.name)
            if !spotlight.isEmpty, !indices.contains(where: { $0.method.language != nil }) {
                indices.append(EntityIndex(.fullText(language: "simple"), spotlight))
            }
            self.primaryKey = primaryKey
            self.partition = partition
            modelUniques = uniques.map { $0.withinTenant(of: descriptor) }
            modelIndices = indices.map { $0.withinTenant(of: descriptor) }
            modelChecks = checks
            modelGenerated = generated
            unknownConstraintKeyPaths = unknown
        }

        init(_ description: EntityDescription) {
            name = description.name
            descriptor = ModelDescriptor(
                described: description.name, recordsHistory: description.recordsHistory,
                isAbstract: description.isAbstract,
                names: ClassNames(
                    table: description.table, postgresSchema: description.postgresSchema,
                    keyColumn: description.keyColumn, classColumn: description.classColumn,
                    keyConstraint: description.keyConstraint, superclassConstraint: description.superclassConstraint,
                    inheritance: description.inheritance, discriminator: description.discriminator))
            describedSuperentityName = description.superentityName
            storedProperties = description.properties.map(\.property)
            relatives = Mutex(Relatives())
            primaryKey = description.primaryKey ?? []
            partition = description.partition
            modelUniques = description.uniquenessConstraints.map { EntityUnique($0) }
            modelIndices = description.indices.map { EntityIndex($0) }
            modelChecks = (description.checks ?? []).map {
                EntityCheck(name: $0.name, givenName: $0.givenName, condition: nil, source: $0.source)
            }
            modelGenerated = (description.generated ?? []).map {
                EntityGenerated(name: $0.name, declared: nil, source: $0.source)
            }
            unknownConstraintKeyPaths = []
        }

        /// This entity and its subentities, made anew to be tied together in a schema.
        func family(of superentityName: String?) -> [Entity] {
            let copy = Entity(self, of: superentityName ?? self.superentityName)
            return [copy] + subentities.flatMap { $0.family(of: name) }
        }

        private init(_ other: Entity, of superentityName: String?) {
            name = other.name
            descriptor = other.descriptor
            describedSuperentityName = superentityName
            storedProperties = other.storedProperties
            relatives = Mutex(Relatives())
            primaryKey = other.primaryKey
            partition = other.partition
            modelUniques = other.modelUniques
            modelIndices = other.modelIndices
            modelChecks = other.modelChecks
            modelGenerated = other.modelGenerated
            unknownConstraintKeyPaths = []
        }

        /// An entity that no class stands behind, to be compared with those of other schemas.
        ///
        /// ```swift
        /// Schema.Entity("Trip", properties: Schema.Attribute(name: "title", valueType: String.self))
        /// ```
        /// A container cannot be opened with it: ``SwiftDataError/invalidSchema``.
        public init(
            _ name: String, table: String? = nil, postgresSchema: String? = nil, keyColumn: String? = nil,
            classColumn: String? = nil, keyConstraint: String? = nil, superclassConstraint: String? = nil,
            inheritance: Schema.Inheritance? = nil, discriminator: Schema.Discriminator? = nil,
            subentities: Entity..., properties: any SchemaProperty...
        ) {
            self.name = name
            descriptor = ModelDescriptor(
                described: name, recordsHistory: true, isAbstract: false,
                names: ClassNames(
                    table: table, postgresSchema: postgresSchema, keyColumn: keyColumn, classColumn: classColumn,
                    keyConstraint: keyConstraint, superclassConstraint: superclassConstraint,
                    inheritance: inheritance, discriminator: discriminator))
            describedSuperentityName = nil
            storedProperties = properties
            relatives = Mutex(Relatives(subentities: Set(subentities)))
            primaryKey = []
            partition = nil
            modelUniques = properties.filter(\.isUnique).map { EntityUnique([$0.name]) }
            modelIndices = []
            modelChecks = []
            modelGenerated = []
            unknownConstraintKeyPaths = []
        }

        private static func schemaProperty(
            _ property: any ModelProperty, of owner: ModelDescriptor, _ classes: VersionClasses
        ) -> any SchemaProperty {
            if let relationship = property as? RelationshipProperty {
                return Relationship(relationship, of: owner, classes)
            }
            return Attribute(property)
        }

        /// The name of the superclass's entity; `nil` for a root.
        public var superentityName: String? { superentity?.name ?? describedSuperentityName }
        /// Whether a class stands behind it. One that was loaded from a file or made by its name can be looked at and compared,
        /// and not opened.
        public var hasClass: Bool { !descriptor.isDescribed }
        /// Inherited properties first.
        public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }
        /// All properties with a value, inherited ones first.
        public var attributes: [Attribute] { properties.compactMap { $0 as? Attribute } }
        /// All properties that lead to other objects, inherited ones first.
        public var relationships: [Relationship] { properties.compactMap { $0 as? Relationship } }
        /// ``attributes`` by the name of the property.
        public var attributesByName: [String: Attribute] { Self.byName(attributes) }
        /// ``relationships`` by the name of the property.
        public var relationshipsByName: [String: Relationship] { Self.byName(relationships) }
        /// ``storedProperties`` by name.
        public var storedPropertiesByName: [String: any SchemaProperty] {
            Dictionary(storedProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
        /// ``inheritedProperties`` by name.
        public var inheritedPropertiesByName: [String: any SchemaProperty] {
            Dictionary(inheritedProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        private static func byName<P: SchemaProperty>(_ list: [P]) -> [String: P] {
            Dictionary(list.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// Entities are equal when they are described alike: name, superclass, properties, constraints and indexes.
        public static func == (lhs: Entity, rhs: Entity) -> Bool {
            lhs === rhs || EntityDescription(lhs) == EntityDescription(rhs)
        }
        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}

extension Schema.Entity: Codable {
    /// Reads what ``encode(to:)`` writes: an entity that no class stands behind.
    public convenience init(from decoder: any Decoder) throws { self.init(try EntityDescription(from: decoder)) }

    /// Writes what describes the entity itself: the name of its superclass, but none of its subclasses.
    public func encode(to encoder: any Encoder) throws { try EntityDescription(self).encode(to: encoder) }
}

extension EntityDescription {
    init(_ entity: Schema.Entity) {
        self.init(
            name: entity.name, superentityName: entity.superentityName, isAbstract: entity.isAbstract,
            recordsHistory: entity.recordsHistory, table: entity.table, postgresSchema: entity.postgresSchema,
            keyColumn: entity.keyColumn, classColumn: entity.classColumn, keyConstraint: entity.keyConstraint,
            superclassConstraint: entity.superclassConstraint, inheritance: entity.inheritance,
            discriminator: entity.discriminator,
            primaryKey: entity.primaryKey.isEmpty ? nil : entity.primaryKey,
            partition: entity.partition,
            properties: entity.storedProperties.map { PropertyDescription($0) },
            uniquenessConstraints: entity.modelUniques.map { Unique($0) },
            indices: entity.modelIndices.map { Index($0) },
            checks: entity.modelChecks.isEmpty
                ? nil : entity.modelChecks.map { Check(name: $0.name, givenName: $0.givenName, source: $0.source) },
            generated: entity.modelGenerated.isEmpty
                ? nil : entity.modelGenerated.map { Check(name: $0.name, source: $0.source) })
    }
}

/// Builds the entities and ties them together.
struct EntityGraph {
    let entities: [Schema.Entity]
    /// Which class is meant where a class of another version is named.
    let classes: VersionClasses

    /// - Parameters:
    ///   - named: the classes that the schema names; those that their relationships lead to are found.
    ///   - described: entities that no classes stand behind, made for this schema.
    init(_ named: [ModelDescriptor], _ described: [Schema.Entity] = []) {
        let classes = VersionClasses(named)
        self.classes = classes
        let modeled = Self.closure(of: named, classes).map { Schema.Entity($0, classes) }
        entities = described.isEmpty ? modeled : (modeled + described).sorted { $0.name < $1.name }
        let byDescriptor = Dictionary(
            modeled.map { (ObjectIdentifier($0.descriptor), $0) }, uniquingKeysWith: { first, _ in first })
        Self.tie(modeled) { entity in entity.descriptor.superclass.flatMap { byDescriptor[ObjectIdentifier($0)] } }
        let byName = Dictionary(described.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        Self.tie(described) { entity in entity.superentityName.flatMap { byName[$0] } }
        for entity in described { entity.inheritedProperties = Self.inherited(by: entity) }
    }

    /// The named classes, their superclasses, and everything relationships lead to.
    private static func closure(of named: [ModelDescriptor], _ classes: VersionClasses) -> [ModelDescriptor] {
        var found: [ObjectIdentifier: ModelDescriptor] = [:]
        var pending = named
        while let descriptor = pending.popLast() {
            guard found.updateValue(descriptor, forKey: ObjectIdentifier(descriptor)) == nil else { continue }
            if let parent = descriptor.superclass { pending.append(parent) }
            pending.append(contentsOf: descriptor.relationships.map { classes.own($0.destination) })
        }
        // Classes of the same name are refused later; until then they have an order of their own.
        return found.values.sorted {
            $0.entityName == $1.entityName
                ? String(reflecting: $0.type) < String(reflecting: $1.type) : $0.entityName < $1.entityName
        }
    }

    private static func tie(_ entities: [Schema.Entity], _ parent: (Schema.Entity) -> Schema.Entity?) {
        for entity in entities {
            guard let superentity = parent(entity) else { continue }
            entity.superentity = superentity
            superentity.subentities.insert(entity)
        }
    }

    /// What the superclasses declare, as far as the file leads back to a root.
    private static func inherited(by entity: Schema.Entity) -> [any SchemaProperty] {
        var properties: [any SchemaProperty] = []
        var visited: Set<String> = [entity.name]
        var next = entity.superentity
        while let parent = next, visited.insert(parent.name).inserted {
            properties = parent.storedProperties + properties
            next = parent.superentity
        }
        return properties
    }
}
