public import Foundation

extension ModelSnapshot: Codable {
    /// Reads an object as ``encode(to:)`` writes it.
    ///
    /// - Throws: `DecodingError`: for a value of another type, for a class that is not `Model` or one of its subclasses (a
    ///   subclass is known once a container with it was made), and for a property that is missing though it is not optional
    ///   and has no default.
    public init(from decoder: any Decoder) throws {
        content = try SnapshotContent(from: decoder, of: Model._$descriptor, beginningWith: nil)
    }

    /// Writes class, identifier, attributes and the included relationships.
    public func encode(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
    }
}

extension ModelSnapshot: DecodableWithConfiguration {
    /// Reads an object that says only what differs from `configuration`: JSON's `PATCH`.
    ///
    /// ```swift
    /// let changed = try JSONDecoder().decode(
    ///     ModelSnapshot<Trip>.self, from: body, configuration: try trip.snapshot())
    /// try context.apply(changed, to: trip)
    /// ```
    public init(from decoder: any Decoder, configuration: ModelSnapshot<Model>) throws {
        content = try SnapshotContent(from: decoder, of: Model._$descriptor, beginningWith: configuration.content)
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
    init(from decoder: any Decoder, of base: ModelDescriptor, beginningWith start: SnapshotContent?) throws {
        let container = try decoder.container(keyedBy: SnapshotKey.self)
        let name = try container.decodeIfPresent(String.self, forKey: .entity)
        guard let descriptor = name == nil ? start?.descriptor ?? base : base.descendant(named: name ?? "") else {
            throw DecodingError.dataCorruptedError(
                forKey: .entity, in: container,
                debugDescription:
                    "\"\(name ?? "")\" is neither \(base.entityName) nor one of its subclasses that a container "
                    + "has been made with.")
        }
        if let start, start.descriptor !== descriptor {
            throw DecodingError.dataCorruptedError(
                forKey: .entity, in: container,
                debugDescription: "The object is a \(start.descriptor.entityName); its class cannot become "
                    + "\(descriptor.entityName).")
        }
        self = start ?? SnapshotContent(descriptor, identifier: nil)
        if let identifier = try container.decodeIfPresent(PersistentIdentifier.self, forKey: .identifier) {
            self.identifier = identifier
        }
        for property in descriptor.properties {
            let key = SnapshotKey(stringValue: property.name)
            if let attribute = property as? AnyAttributeProperty {
                try read(attribute, from: container, key)
            } else if let relationship = property as? RelationshipProperty, container.contains(key) {
                relationships[property.slot] = try Self.relationship(relationship, from: container, key)
            }
        }
    }

    private mutating func read(
        _ property: AnyAttributeProperty, from container: KeyedDecodingContainer<SnapshotKey>, _ key: SnapshotKey
    ) throws {
        guard !property.isEphemeral else { return }
        guard container.contains(key) else {
            guard attributes[property.slot] != nil || property.isOptional || property.defaultValue != nil else {
                throw DecodingError.keyNotFound(
                    key,
                    DecodingError.Context(
                        codingPath: container.codingPath,
                        debugDescription: "\(property.qualifiedName) is neither optional nor has a default."))
            }
            return
        }
        attributes[property.slot] = try property.snapshotCell(from: container, key)
    }

    private static func relationship(
        _ property: RelationshipProperty, from container: KeyedDecodingContainer<SnapshotKey>, _ key: SnapshotKey
    ) throws -> Relationship {
        guard try !container.decodeNil(forKey: key) else { return .objects([]) }
        if property.isToOne {
            if let identifier = try? container.decode(PersistentIdentifier.self, forKey: key) {
                return .identifiers([identifier])
            }
            return .objects([
                try SnapshotContent(
                    from: container.superDecoder(forKey: key), of: property.destination, beginningWith: nil)
            ])
        }
        if let identifiers = try? container.decode([PersistentIdentifier].self, forKey: key), !identifiers.isEmpty {
            return .identifiers(identifiers)
        }
        var elements = try container.nestedUnkeyedContainer(forKey: key)
        var objects: [SnapshotContent] = []
        while !elements.isAtEnd {
            objects.append(
                try SnapshotContent(from: elements.superDecoder(), of: property.destination, beginningWith: nil))
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
