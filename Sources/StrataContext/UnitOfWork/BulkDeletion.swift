import Foundation
import StrataModels
import StrataRepository

/// A `delete(model:where:)` or `delete(model:where:permanently:)`: carried out by the server with the next save.
final class BulkDeletion {
    let session: StoreSession
    let entity: EntityMapping
    let plan: PredicateDeletion
    /// The date that its rows have for queries before the save, which gives them its own.
    let date: Date

    /// Plans the deletion, so that what cannot be translated is refused at once.
    init<T: PersistentModel>(
        _ type: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool, permanently: Bool, date: Date,
        session: StoreSession, entity: EntityMapping
    ) throws {
        try entity.requireTable(to: "be deleted")
        self.session = session
        self.entity = entity
        self.date = date
        plan = try PredicateDeletion(
            entity, where: predicate, includeSubclasses: includeSubclasses, permanently: permanently,
            mapping: session.store.mapping, store: session.store.identifier)
    }
}
