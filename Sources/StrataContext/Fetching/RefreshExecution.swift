import StrataClient
import StrataModels
import StrataRepository

/// Reads objects again, by their keys: in their class, and those that are not found there once more in its whole hierarchy, as
/// somebody may have made them objects of another class.
final class RefreshExecution<T: PersistentModel>: ContextCall {
    let session: StoreSession
    var purpose: String { T._$descriptor.callNames.refresh }
    private let entity: EntityMapping
    private let models: [T]
    private let fetch: KeyedFetchExecution
    /// What reads the whole hierarchy.
    private var further: KeyedFetchExecution?
    private var hasFetched = false

    /// - Parameter models: saved objects of one context.
    init(of models: [T], unit: UnitOfWork) throws {
        (session, entity) = try unit.place(of: T.self)
        self.models = models
        fetch = try KeyedFetchExecution(T.self, keys: models.map(\._$state.key), unit: unit)
    }

    func next() throws -> PostgresBatch? {
        if let batch = try fetch.next() { return batch }
        if !hasFetched {
            hasFetched = true
            let missing = missing.map(\._$state.key)
            if entity.root !== entity, !missing.isEmpty {
                further = KeyedFetchExecution(entity.root, keys: missing, session: session)
            }
        }
        return try further?.next()
    }

    /// Those of which no row was found, whatever its class.
    private var missing: [T] {
        let found = Set((fetch.result + (further?.result ?? [])).map(\._$state.key))
        return models.filter { !found.contains($0._$state.key) }
    }

    /// Forgets the relationships of all, and deletes the objects whose rows are gone and that have no unsaved changes.
    ///
    /// - Throws: ``SwiftDataError`` with the code `modelNotFound` when rows are gone.
    func finish() throws {
        let unit = session.unit
        unit.forgetRelationships(of: models)
        let missing = missing
        guard !missing.isEmpty else { return }
        unit.end(missing.filter { $0._$state.phase == .registered && $0._$state.changedSlots.isEmpty }, in: session)
        throw SwiftDataError(
            .modelNotFound,
            "\(missing.count) \(T.self) object\(missing.count == 1 ? " is" : "s are") not in the database any more: somebody "
                + "deleted the row\(missing.count == 1 ? "" : "s"). The others were refreshed.",
            identifiers: missing.map(\.persistentModelID))
    }
}
