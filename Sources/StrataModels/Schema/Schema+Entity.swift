extension Schema {
    /// One class of the schema: its properties, constraints and place in the hierarchy.
    ///
    /// `@unchecked Sendable`: assembled by EntityGraph before anyone else sees it, immutable afterwards.
    public final class Entity: @unchecked Sendable, Hashable {
        /// The class's own name, without the types it is nested in.
        public let name: String
        package let descriptor: ModelDescriptor
        /// The superclass, if it is a model.
        public package(set) weak var superentity: Entity?
        /// The direct subclasses in this schema.
        public package(set) var subentities: Set<Entity> = []
        /// The properties this class declares itself, in their order.
        public let storedProperties: [any SchemaProperty]
        /// The properties of its superclasses, those of the root first.
        public let inheritedProperties: [any SchemaProperty]
        /// Property names a `#Unique` or `.unique` names, a set each.
        public let uniquenessConstraints: [[String]]
        /// Property names of each index.
        public var indices: [[String]] { modelIndices.map { $0.names } }
        /// Whether the database records the history of this class's objects: what the class at the top of its hierarchy
        /// says.
        public var recordsHistory: Bool { descriptor.root.recordsHistory }
        /// Whether there are objects of its subclasses only, because the class says `static let isAbstract = true`. Such an object
        /// cannot be inserted; fetches of the class find those of its subclasses.
        public var isAbstract: Bool { descriptor.isAbstract }
        package let modelIndices: [(method: ModelIndex.Method, names: [String])]
        /// Key paths in `#Unique` and `#Index` that name no property, for the validation's message.
        package let unknownConstraintKeyPaths: [String]

        init(_ descriptor: ModelDescriptor) {
            self.descriptor = descriptor
            name = descriptor.entityName
            let all = descriptor.properties.map { Self.schemaProperty($0, of: descriptor) }
            storedProperties = Array(all[descriptor.ownSlots])
            inheritedProperties = Array(all[..<descriptor.ownSlots.lowerBound])
            var unknown: [String] = []
            var unique: [[String]] = storedProperties.compactMap { $0.isUnique ? [$0.name] : nil }
            var indices: [(method: ModelIndex.Method, names: [String])] = []
            func names(_ keyPaths: [AnyKeyPath]) -> [String] {
                keyPaths.compactMap { keyPath in
                    if let property = descriptor.property(for: keyPath) { return property.name }
                    unknown.append("\(keyPath)")
                    return nil
                }
            }
            let inheritedConstraints = descriptor.superclass?.constraints.count ?? 0
            for constraint in descriptor.constraints.dropFirst(inheritedConstraints) {
                switch constraint {
                case .unique(let sets): unique += sets.map(names)
                case .index(let list): indices += list.map { ($0.method, names($0.keyPaths)) }
                }
            }
            uniquenessConstraints = unique
            modelIndices = indices
            unknownConstraintKeyPaths = unknown
        }

        private static func schemaProperty(_ property: ModelProperty, of owner: ModelDescriptor) -> any SchemaProperty {
            if let relationship = property as? RelationshipProperty {
                return Relationship(relationship, of: owner)
            }
            return Attribute(property)
        }

        /// The name of the superclass's entity; `nil` for a root.
        public var superentityName: String? { superentity?.name }
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

        /// Entities are equal when they stand for the same class, in whichever schema.
        public static func == (lhs: Entity, rhs: Entity) -> Bool { lhs.descriptor === rhs.descriptor }
        /// Hashes the class.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(descriptor)) }
    }
}

/// Builds the entities and ties them together.
struct EntityGraph {
    let entities: [Schema.Entity]

    init(_ descriptors: [ModelDescriptor]) {
        entities = descriptors.map { Schema.Entity($0) }
        let byDescriptor = Dictionary(
            entities.map { (ObjectIdentifier($0.descriptor), $0) }, uniquingKeysWith: { first, _ in first })
        for entity in entities {
            guard let parent = entity.descriptor.superclass, let superentity = byDescriptor[ObjectIdentifier(parent)]
            else { continue }
            entity.superentity = superentity
            superentity.subentities.insert(entity)
        }
    }
}
