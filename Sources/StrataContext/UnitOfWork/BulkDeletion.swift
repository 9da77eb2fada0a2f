import Foundation
import StrataModels
import StrataRepository

/// A `delete(model:where:)`: carried out by the server with the next save.
final class BulkDeletion {
    let session: StoreSession
    let entity: EntityMapping
    let plan: PredicateDeletion

    /// Plans the deletion, so that what cannot be translated is refused at once.
    init<T: PersistentModel>(
        _ type: T.Type, where predicate: Predicate<T>?, includeSubclasses: Bool, session: StoreSession,
        entity: EntityMapping
    ) throws {
        try entity.requireTable(to: "be deleted")
        self.session = session
        self.entity = entity
        plan = try PredicateDeletion(
            entity, where: predicate, includeSubclasses: includeSubclasses, mapping: session.store.mapping,
            store: session.store.identifier)
    }
}
