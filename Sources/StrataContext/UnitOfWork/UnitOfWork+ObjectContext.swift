import Logging
import StrataClient
import StrataModels
import StrataRepository

/// What objects tell their context, and ask of it.
extension UnitOfWork: ObjectContext {
    func forget(_ state: ModelState) {
        sessions[Int(state.storeIndex)].remove(state)
    }

    func modelDidChange(_ state: ModelState) {
        mayHoldCycles = true
        noteEdit(of: state)
        if let model = state.model { noteChanged(model) }
    }

    func insertedModelDidChange(_ state: ModelState) {
        noteEdit(of: state)
    }

    func insertRelated(_ model: any PersistentModel) {
        insert(model)
    }

    func registered(key: RowKey, root: ModelDescriptor) -> (any PersistentModel)? {
        for session in sessions {
            guard let entity = session.store.mapping.entity(for: root) else { continue }
            return session.state(key: key, root: entity)?.model
        }
        return nil
    }

    func hasColumn(_ property: RelationshipProperty, of model: any PersistentModel) -> Bool {
        session(for: type(of: model)._$descriptor)?.entity.columns[property.slot] != nil
    }

    func noteUnfulfilled(_ property: any ModelProperty, of model: any PersistentModel) {
        // The first error is thrown, and mostly says already why this could not be loaded.
        if reported.isEmpty {
            report(
                SwiftDataError(
                    .unfulfilledFault, "\(property.qualifiedName) could not be loaded; the row may be gone.",
                    identifiers: [model.persistentModelID]))
        }
        logger.error(
            "A property could not be loaded",
            metadata: ["property": "\(property.qualifiedName)", "object": "\(model.persistentModelID)"])
    }

    /// Keeps the error of a getter that reads a row.
    func noteUnread(_ identifier: PersistentIdentifier, _ error: any Error) {
        report(
            error as? SwiftDataError
                ?? SwiftDataError(
                    .unfulfilledFault, "The \(identifier.entityName) with this identifier could not be read: \(error)",
                    identifiers: [identifier], underlying: error as? PostgresError))
    }

    func noteClaim(on targets: [any PersistentModel], by owner: any PersistentModel) {
        unsaved.claims.note(targets, by: owner)
    }

    func noteForeignObject(_ property: RelationshipProperty, of model: any PersistentModel) {
        report(
            SwiftDataError(
                .foreignObject,
                "\(property.qualifiedName) was set to an object of another context; it was left unchanged. Fetch the object "
                    + "in this context by its persistentModelID.", identifiers: [model.persistentModelID]))
    }
}
