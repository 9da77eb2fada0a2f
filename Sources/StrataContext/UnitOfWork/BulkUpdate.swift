import Foundation
import StrataModels
import StrataRepository

/// An `update(model:where:)`: carried out by the server with the next save.
final class BulkUpdate {
    let session: StoreSession
    let plan: PredicateUpdate
    /// What the caller will see of it.
    let result = UpdateByPredicate()
    let reportsIdentifiers: Bool
    /// The objects with unsaved changes that matched, and were changed in memory at once.
    let changedInMemory: [any PersistentModel]

    init(
        _ plan: PredicateUpdate, session: StoreSession, reportsIdentifiers: Bool,
        changedInMemory: [any PersistentModel]
    ) {
        self.plan = plan
        self.session = session
        self.reportsIdentifiers = reportsIdentifiers
        self.changedInMemory = changedInMemory
    }
}
