import StrataModels

/// What a snapshot takes, as a tree: attributes, relationships with their objects, and relationships with identifiers alone.
struct SnapshotTree {
    /// Whether only the attributes that are named are taken. Otherwise all are, but for external storage and hidden ones that are
    /// not named.
    var takesNamedOnly = false
    /// The slots of attributes that are named.
    var named: Set<Int> = []
    var objects: [Int: SnapshotTree] = [:]
    var identifiers: Set<Int> = []

    /// The slots of all relationships.
    var relationships: Set<Int> { identifiers.union(objects.keys) }

    /// Whether the snapshot has this attribute.
    func takes(_ attribute: AnyAttributeProperty) -> Bool {
        named.contains(attribute.slot) || !(takesNamedOnly || attribute.isNamedOnly)
    }

    init() {}

    /// Nothing but what is named.
    init<T: PersistentModel>(only: [PartialKeyPath<T>], identifying: [PartialKeyPath<T>]) throws {
        try self.init(including: only, identifying: identifying)
        takesNamedOnly = true
    }

    /// - Throws: ``SwiftDataError`` with the code `unsupportedKeyPath` for a key path that leads to nothing stored.
    init<T: PersistentModel>(including: [PartialKeyPath<T>], identifying: [PartialKeyPath<T>]) throws {
        for keyPath in including {
            if let attribute = T._$descriptor.property(for: keyPath) as? AnyAttributeProperty {
                guard !attribute.isEphemeral else {
                    throw SwiftDataError(
                        .unsupportedKeyPath,
                        "\(attribute.qualifiedName) is .ephemeral: it is in no snapshot. Read it of the object.")
                }
                named.insert(attribute.slot)
            } else {
                add(try RelationshipPath.of(keyPath, from: T._$descriptor)[...])
            }
        }
        for keyPath in identifying {
            guard let property = T._$descriptor.property(for: keyPath) as? RelationshipProperty else {
                throw SwiftDataError(
                    .unsupportedKeyPath, "\(keyPath) is no relationship of \(T.self): it has no identifiers to include."
                )
            }
            identifiers.insert(property.slot)
        }
    }

    /// Attributes and relationships in these slots, without the objects' own values.
    init(slots: [Int], of descriptor: ModelDescriptor) {
        for slot in slots {
            if descriptor.properties[slot] is RelationshipProperty {
                identifiers.insert(slot)
            } else {
                named.insert(slot)
            }
        }
    }

    /// The relationships that a snapshot has, for loading them before they are set.
    init(relationshipsOf content: SnapshotContent) {
        for slot in content.relationships.keys { objects[slot] = SnapshotTree() }
    }

    private mutating func add(_ path: ArraySlice<RelationshipStep>) {
        guard let step = path.first else { return }
        objects[step.slot, default: SnapshotTree()].add(path.dropFirst())
    }
}
