import StrataModels
import StrataRepository

extension SaveContents {
    /// Throws for objects that are rows of a view: nothing of them can be written.
    static func refuseRows(
        ofViewsIn mapping: StoreMapping, changed: [any PersistentModel], deleted: [any PersistentModel]
    ) throws {
        guard mapping.hasViews else { return }
        for model in deleted {
            try mapping.entity(for: type(of: model))?.requireTable(to: "be deleted")
        }
        for model in changed {
            guard let entity = mapping.entity(for: type(of: model)), entity.isView else { continue }
            let edited = entity.descriptor.properties.filter { model._$state.changedSlots.contains($0.slot) }
            throw SwiftDataError(
                .unsupportedFeature,
                "Nothing was saved: \(edited.map(\.qualifiedName).joined(separator: ", ")) was changed, and objects of \(entity.name) "
                    + "are rows of a view (DatabaseView). Change the objects of the classes that it reads, and call rollback().",
                identifiers: [model.persistentModelID])
        }
    }
}
