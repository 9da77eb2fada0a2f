extension ModelSnapshot: Codable {
    /// Reads an object as ``encode(to:)`` writes it.
    ///
    /// - Throws: `DecodingError`: for a value of another type, for a class that is not `Model` or one of its subclasses (a
    ///   subclass is known once a container with it was made), and for a property that is missing though it is not optional
    ///   and has no default.
    public init(from decoder: any Decoder) throws {
        content = try SnapshotContent(from: decoder, of: Model._$descriptor, reading: .snapshot)
    }

    /// Writes class, identifier, attributes and the included relationships.
    public func encode(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
    }
}

/// The name of a property, or of what a snapshot says beside them. No property can be named like the latter.
struct SnapshotKey: CodingKey {
    static let entity = SnapshotKey(stringValue: "class")
    static let identifier = SnapshotKey(stringValue: "persistentModelID")

    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension SnapshotContent {
    /// What an object in JSON is read as.
    enum Reading {
        /// Every attribute has to be there that a new object could not do without. Unknown keys are passed over.
        case snapshot
        /// Only what is there is meant. Unknown keys are noted.
        case patch
    }

    init(from decoder: any Decoder, of base: ModelDescriptor, reading: Reading) throws {
        let container = try decoder.container(keyedBy: SnapshotKey.self)
        let name = try container.decodeIfPresent(String.self, forKey: .entity)
        guard let descriptor = name == nil ? base : base.descendant(named: name ?? "") else {
            throw DecodingError.dataCorruptedError(
                forKey: .entity, in: container,
                debugDescription:
                    "\"\(name ?? "")\" is neither \(base.entityName) nor one of its subclasses that a container "
                    + "has been made with.")
        }
        self.init(
            descriptor, identifier: try container.decodeIfPresent(PersistentIdentifier.self, forKey: .identifier))
        for property in descriptor.properties {
            let key = SnapshotKey(stringValue: property.name)
            if let attribute = property as? AnyAttributeProperty {
                guard !attribute.isEphemeral else { continue }
                if container.contains(key) {
                    attributes[property.slot] = try attribute.snapshotCell(from: container, key)
                } else if reading == .snapshot {
                    try Self.requireDispensable(attribute, key, in: container)
                }
            } else if let relationship = property as? RelationshipProperty, container.contains(key) {
                relationships[property.slot] = try Self.relationship(relationship, from: container, key, reading)
            }
        }
        if reading == .patch { unknownKeys = unknown(among: container.allKeys) }
    }

    private func unknown(among keys: [SnapshotKey]) -> [String] {
        let names = descriptor.properties.lazy.filter { ($0 as? AnyAttributeProperty)?.isEphemeral != true }.map(\.name)
        let known = Set(names).union([SnapshotKey.entity.stringValue, SnapshotKey.identifier.stringValue])
        return keys.map(\.stringValue).filter { !known.contains($0) }.sorted()
    }

    /// Throws where an attribute is missing that a snapshot always has and no object can do without.
    private static func requireDispensable(
        _ property: AnyAttributeProperty, _ key: SnapshotKey, in container: KeyedDecodingContainer<SnapshotKey>
    ) throws {
        guard !property.isOptional, property.defaultValue == nil, !property.isNamedOnly else { return }
        throw DecodingError.keyNotFound(
            key,
            DecodingError.Context(
                codingPath: container.codingPath,
                debugDescription: "\(property.qualifiedName) is neither optional nor has a default."))
    }

    private static func relationship(
        _ property: RelationshipProperty, from container: KeyedDecodingContainer<SnapshotKey>, _ key: SnapshotKey,
        _ reading: Reading
    ) throws -> Relationship {
        guard try !container.decodeNil(forKey: key) else { return .objects([]) }
        if property.isToOne {
            if let identifier = try? container.decode(PersistentIdentifier.self, forKey: key) {
                return .identifiers([identifier])
            }
            return .objects([
                try SnapshotContent(
                    from: container.superDecoder(forKey: key), of: property.destination, reading: reading)
            ])
        }
        if let identifiers = try? container.decode([PersistentIdentifier].self, forKey: key), !identifiers.isEmpty {
            return .identifiers(identifiers)
        }
        var elements = try container.nestedUnkeyedContainer(forKey: key)
        var objects: [SnapshotContent] = []
        while !elements.isAtEnd {
            objects.append(
                try SnapshotContent(from: elements.superDecoder(), of: property.destination, reading: reading))
        }
        return .objects(objects)
    }
}

extension SnapshotContent: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: SnapshotKey.self)
        try container.encode(descriptor.entityName, forKey: .entity)
        try container.encodeIfPresent(identifier, forKey: .identifier)
        for property in descriptor.properties {
            let key = SnapshotKey(stringValue: property.name)
            if let attribute = property as? AnyAttributeProperty, let cell = attributes[property.slot] {
                try attribute.encode(cell, to: &container, key)
            } else if let relationship = property as? RelationshipProperty, let value = relationships[property.slot] {
                try Self.encode(value, isToOne: relationship.isToOne, to: &container, key)
            }
        }
    }

    private static func encode(
        _ relationship: Relationship, isToOne: Bool, to container: inout KeyedEncodingContainer<SnapshotKey>,
        _ key: SnapshotKey
    ) throws {
        switch relationship {
        case .objects(let objects) where isToOne: try container.encode(objects.first, forKey: key)
        case .objects(let objects): try container.encode(objects, forKey: key)
        case .identifiers(let identifiers) where isToOne: try container.encode(identifiers.first, forKey: key)
        case .identifiers(let identifiers): try container.encode(identifiers, forKey: key)
        }
    }
}
