import StrataModels

/// Takes the values of objects that are in memory.
struct SnapshotCapture {
    /// - Throws: ``SwiftDataError``: `unfulfilledFault` for what could not be loaded, `invalidValue` for a value that has no
    ///   stored form.
    static func content(of model: any PersistentModel, _ tree: SnapshotTree) throws -> SnapshotContent {
        var content = try SnapshotContent(attributesOf: model, taking: tree.takes)
        for slot in tree.identifiers {
            content.relationships[slot] = .identifiers(try objects(at: slot, of: model).map(\.persistentModelID))
        }
        for (slot, subtree) in tree.objects {
            content.relationships[slot] = .objects(
                try objects(at: slot, of: model).map { try self.content(of: $0, subtree) })
        }
        return content
    }

    private static func objects(at slot: Int, of model: any PersistentModel) throws -> [any PersistentModel] {
        guard let property = type(of: model)._$descriptor.properties[slot] as? RelationshipProperty else { return [] }
        if let objects = inMemory(property, of: model) { return objects }
        // A new object's relationships are empty until they are set.
        guard let context = model._$state.context else {
            if model._$state.identity == nil { return [] }
            throw unfulfilled(property, model)
        }
        context.loadRelationship(property, of: model)
        guard let objects = inMemory(property, of: model) else { throw unfulfilled(property, model) }
        return objects
    }

    private static func inMemory(_ property: RelationshipProperty, of model: any PersistentModel)
        -> [any PersistentModel]?
    {
        property.isToOne ? property.target(of: model) : property.objects(of: model)
    }

    private static func unfulfilled(_ property: RelationshipProperty, _ model: any PersistentModel) -> SwiftDataError {
        SwiftDataError(
            .unfulfilledFault, "\(property.qualifiedName) could not be loaded, so there is no snapshot with it.",
            identifiers: [model.persistentModelID])
    }
}
