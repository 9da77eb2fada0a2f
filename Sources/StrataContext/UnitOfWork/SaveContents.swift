import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// Everything unsaved of one store, as the save found it: decided before anything is sent.
final class SaveContents {
    let request: SaveRequest
    /// What delete rules did to objects in memory: applied when the save has succeeded.
    let propagation: DeletePropagation
    let bulkChanges: [BulkChange]
    /// How each update by predicate goes on.
    let updates: [BulkUpdateExecution]
    /// The objects whose deletion was asked for, without those that rules take along.
    let explicitlyDeleted: [any PersistentModel]
    /// The objects that get a date of deletion, and whether others lose theirs.
    let softlyDeleted: [any PersistentModel]
    let restores: Bool

    /// - Parameter date: the date of the save.
    init(_ unit: UnitOfWork, session: StoreSession, context: ModelContext, date: Date) throws {
        let unsaved = unit.unsaved
        bulkChanges = unsaved.bulkChanges.filter { $0.session === session }
        updates = bulkChanges.compactMap { change in
            guard case .update(let update) = change else { return nil }
            return BulkUpdateExecution(update, unsaved: unsaved.changedModels)
        }
        let mapping = session.store.mapping
        func ours(_ models: [any PersistentModel]) -> [any PersistentModel] {
            unit.sessions.count == 1 ? models : models.filter { mapping.entity(for: type(of: $0)) != nil }
        }
        let inserted = ours(unsaved.insertedModels)
        if !unit.lackingParts.isEmpty { try Self.requireParts(of: inserted, mapping) }
        if unit.lacksKeys, inserted.contains(where: { $0._$state.key == 0 }) {
            if let failure = session.store.keys.failure as? SwiftDataError { throw failure }
            throw SwiftDataError(
                .storeFailure, "No keys could be reserved for the new objects.",
                underlying: session.store.keys.failure as? PostgresError)
        }
        explicitlyDeleted = ours(unsaved.deletedModels)
        let changedBefore = ours(unsaved.changedModels)
        try Self.refuseRows(ofViewsIn: mapping, changed: changedBefore, deleted: explicitlyDeleted)
        let moved = updates.flatMap(\.relationships)
        try MovedEnds.refuse(moved, changed: changedBefore, deleted: explicitlyDeleted, mapping)
        let followsOthers = bulkChanges.contains(where: \.isDeletion)
        var propagation = try DeletePropagation(
            explicitlyDeleted, mapping: mapping, registered: session, followsOthers: followsOthers, moved: moved)
        while unit.loadForUndo(propagation.deleted) {
            // What was read now may go along.
            propagation = try DeletePropagation(
                explicitlyDeleted, mapping: mapping, registered: session, followsOthers: followsOthers, moved: moved)
        }
        let changed = ours(unit.unsaved.changedModels).filter { !propagation.isDeleted($0) }
        self.propagation = propagation
        let dated = mapping.deletesSoftly ? changed.filter { SoftDeletion(of: $0) != nil } : []
        softlyDeleted = dated.filter { SoftDeletion(of: $0) == .deletes }
        restores = softlyDeleted.count < dated.count
        let request = SaveRequest(
            inserted: inserted, changed: changed,
            deleted: propagation.deleted, conflictPolicy: context.conflictPolicy, uniquePolicy: context.uniquePolicy,
            date: date, authorship: try context.authorship(in: session.store),
            asksForMoment: session.store.recordsHistory)
        if let change = unit.unsaved.classChange, unit.sessions[Int(change.model._$state.storeIndex)] === session {
            request.classChange = change
        }
        request.beginning = unit
        request.claims = unit.unsaved.claims
        if !propagation.deleted.isEmpty { request.registeredRoots = session.registeredRoots }
        if context.conflictPolicy != .overwrite { request.followed = propagation.followed }
        self.request = request
    }

    /// A row has all parts of its key, or the object that it has it from.
    private static func requireParts(of inserted: [any PersistentModel], _ mapping: StoreMapping) throws {
        for model in inserted where model._$state.key == 0 {
            let parts = mapping.entity(for: type(of: model))?.partsOfKey ?? []
            guard let part = parts.missing(in: model) else { continue }
            throw SaveError.missingPart(part, of: model)
        }
    }
}
