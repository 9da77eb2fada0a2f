import StrataModels
import StrataRepository

/// Updates by predicate that set relationships, beside deleted objects of one save.
///
/// The updates come first, so the rows say by which relationships delete rules lead on, and the server follows them. What rules would
/// have to know of objects in memory before that is refused.
enum MovedEnds {
    /// - Throws: `unsupportedFeature`, where an object would have to be read again between the update and the deletions.
    static func refuse(
        _ moved: [RelationshipMapping], changed: [any PersistentModel], deleted: [any PersistentModel],
        _ mapping: StoreMapping
    ) throws {
        guard !moved.isEmpty, !deleted.isEmpty else { return }
        let reach = DeletePlan(
            deleting: deleted.compactMap { mapping.entity(for: type(of: $0))?.root }, mapping: mapping
        ).reach
        for relationship in moved {
            let name = relationship.property.qualifiedName
            if reach.contains(relationship.owner.root.index),
                [.cascade, .deny].contains(relationship.property.deleteRule)
            {
                throw refusal(
                    "an update by predicate sets \(name), by whose delete rule (\(relationship.property.deleteRule)) deleted objects lead on"
                )
            }
            guard reach.contains(relationship.destination.root.index) else { continue }
            let unknown = changed.filter { model in
                type(of: model)._$descriptor.inherits(from: relationship.owner.descriptor)
                    && !model._$state.changedSlots.contains(relationship.property.slot)
            }
            guard unknown.isEmpty else {
                throw refusal(
                    "an update by predicate sets \(name), \(relationship.destination.name) objects are deleted, and "
                        + "\(unknown.count) \(relationship.owner.name) object\(unknown.count == 1 ? "" : "s") with other unsaved changes may lead to one of them",
                    unknown)
            }
        }
    }

    private static func refusal(_ reason: String, _ models: [any PersistentModel] = []) -> SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "Nothing was saved: \(reason). Save one before the other (within a transaction that commits nothing), or call rollback().",
            identifiers: models.map(\.persistentModelID))
    }
}
