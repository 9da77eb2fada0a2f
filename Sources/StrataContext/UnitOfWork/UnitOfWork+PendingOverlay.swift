import Foundation
import StrataModels
import StrataRepository

extension UnitOfWork {
    /// What is unsaved in one store, for a query that takes part in it; `nil` when nothing is.
    ///
    /// What a save would refuse counts as if it did not: nobody wants to hear of it from a fetch.
    func overlay(of session: StoreSession) throws -> PendingOverlay? {
        guard hasChanges else { return nil }
        giveKeysOfParts(leavesOutTwins: false)
        let mapping = session.store.mapping
        func ours(_ models: [any PersistentModel]) -> [any PersistentModel] {
            models.filter { mapping.entity(for: type(of: $0)) != nil }
        }
        let moved = unsaved.bulkChanges.filter { $0.session === session }.flatMap { change -> [RelationshipMapping] in
            if case .update(let update) = change { update.plan.relationships } else { [] }
        }
        let deleted = try DeletePropagation(
            ours(unsaved.deletedModels), mapping: mapping, registered: session, moved: moved, refuses: false
        ).deleted
        // An object for which there was no key cannot be told from others.
        let request = SaveRequest(
            inserted: ours(unsaved.insertedModels).filter { $0._$state.key != 0 }, changed: ours(unsaved.changedModels),
            deleted: deleted, uniquePolicy: context?.uniquePolicy ?? .upsert,
            date: unsaved.deletionDate ?? .now)
        if let classChange = unsaved.classChange, sessions[Int(classChange.model._$state.storeIndex)] === session {
            request.classChange = classChange
        }
        let changes = unsaved.bulkChanges.filter { $0.session === session }.map(\.pending)
        return try PendingOverlay(request, bulkChanges: changes, mapping: mapping)
    }

    /// The same for a fetch.
    func overlay<T: PersistentModel>(for descriptor: FetchDescriptor<T>, in session: StoreSession) throws
        -> PendingOverlay?
    {
        descriptor.includePendingChanges ? try overlay(of: session) : nil
    }
}
