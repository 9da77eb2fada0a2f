/// What a snapshot holds, whatever the class.
package struct SnapshotContent: Sendable, Hashable {
    /// An attribute in PostgreSQL's binary form, which is `Sendable` and comparable whatever the type in Swift; `nil` for NULL.
    package struct Cell: Sendable, Hashable {
        package var bytes: [UInt8]?

        package init(bytes: [UInt8]?) { self.bytes = bytes }
    }

    package enum Relationship: Sendable, Hashable {
        case objects([SnapshotContent])
        case identifiers([PersistentIdentifier])
    }

    /// The object's own class.
    package internal(set) var descriptor: ModelDescriptor
    package var identifier: PersistentIdentifier?
    /// By slot; what is not there is not part of the snapshot.
    package var attributes: [Int: Cell] = [:]
    package var relationships: [Int: Relationship] = [:]
    /// The slots of relationships whose objects are changed and whose membership is not.
    package var keptMemberships: Set<Int> = []
    /// The keys of a patch that are no properties.
    package var unknownKeys: [String] = []

    package init(_ descriptor: ModelDescriptor, identifier: PersistentIdentifier?) {
        self.descriptor = descriptor
        self.identifier = identifier
    }

    /// The values of an object that are in memory, without relationships.
    ///
    /// - Parameter takes: whether an attribute is wanted.
    /// - Throws: ``SwiftDataError`` with the code `invalidValue` for a value that has no stored form.
    package init(attributesOf model: any PersistentModel, taking takes: (AnyAttributeProperty) -> Bool) throws {
        let descriptor = type(of: model)._$descriptor
        let state = model._$state
        self.init(descriptor, identifier: state.identity == nil || state.key == 0 ? nil : model.persistentModelID)
        for case let property as AnyAttributeProperty in descriptor.properties where !property.isEphemeral {
            guard takes(property) else { continue }
            attributes[property.slot] = try property.snapshotCell(in: model)
        }
    }

    package static func == (lhs: SnapshotContent, rhs: SnapshotContent) -> Bool {
        lhs.descriptor === rhs.descriptor && lhs.identifier == rhs.identifier && lhs.attributes == rhs.attributes
            && lhs.relationships == rhs.relationships && lhs.unknownKeys == rhs.unknownKeys
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(descriptor))
        hasher.combine(identifier)
        hasher.combine(attributes)
    }

    /// A superclass's property as the object's own class has it.
    func own(_ property: AnyAttributeProperty) -> AnyAttributeProperty {
        descriptor.properties[property.slot] as? AnyAttributeProperty ?? property
    }

    /// Every identifier in it, for fetching them together.
    package var identifiers: Set<PersistentIdentifier> {
        var all: Set<PersistentIdentifier> = identifier.map { [$0] } ?? []
        for relationship in relationships.values {
            switch relationship {
            case .objects(let objects): for object in objects { all.formUnion(object.identifiers) }
            case .identifiers(let identifiers): all.formUnion(identifiers)
            }
        }
        return all
    }

    /// An object of the class with these values that belongs to no context.
    func detachedObject() -> any PersistentModel {
        let object = descriptor.objectWithDefaults()
        for (slot, cell) in attributes {
            // A cell holds what a coding wrote, so reading it fails only where a transformer does; then the default stays.
            try? (descriptor.properties[slot] as? AnyAttributeProperty)?.assign(cell, to: object)
        }
        for (slot, relationship) in relationships {
            guard case .objects(let contents) = relationship,
                let property = descriptor.properties[slot] as? RelationshipProperty
            else { continue }
            let objects = contents.map { $0.detachedObject() }
            if property.isToOne {
                if let first = objects.first { property.setReference(.object(first), of: object) }
            } else {
                property.setObjects(objects, of: object)
            }
        }
        return object
    }
}

extension ModelDescriptor {
    /// A new object as its declarations make it, without an initializer: attributes with a default have it, relationships
    /// are empty, other attributes have no value.
    package func objectWithDefaults() -> any PersistentModel {
        let object = withUnloadedRow(self) { instance(from: &$0) }
        for property in properties {
            if let attribute = property as? AnyAttributeProperty {
                attribute.assignDefault(to: object)
            } else if let relationship = property as? RelationshipProperty {
                if relationship.isToOne {
                    relationship.setReference(.none, of: object)
                } else {
                    relationship.setObjects([], of: object)
                }
            }
        }
        return object
    }
}
