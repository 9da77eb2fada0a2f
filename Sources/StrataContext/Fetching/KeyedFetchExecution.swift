import StrataClient
import StrataModels
import StrataRepository

/// Fetches objects by their keys.
final class KeyedFetchExecution: StoreOperation {
    let session: StoreSession
    private let entity: EntityMapping
    private let keys: [RowKey]
    private var isDone = false
    private(set) var result: [any PersistentModel] = []

    init(_ type: any PersistentModel.Type, keys: [RowKey], unit: UnitOfWork) throws {
        let (session, entity) = try unit.place(of: type)
        self.session = session
        self.entity = entity
        self.keys = keys
    }

    init(_ entity: EntityMapping, keys: [RowKey], session: StoreSession) {
        self.session = session
        self.entity = entity
        self.keys = keys
    }

    init(_ identifier: PersistentIdentifier, unit: UnitOfWork) throws {
        (session, entity) = try unit.place(of: identifier)
        keys = [identifier.key]
    }

    func next() throws -> PostgresBatch? {
        guard !isDone else { return nil }
        isDone = true
        let (statement, list) = try KeyedFetch.statement(entity, keys: keys, mapping: session.store.mapping)
        let decoder = RowDecoder(list, registry: session, group: FetchGroup(root: entity.root.descriptor))
        var batch = PostgresBatch()
        batch.add(
            statement, onResult: { try decoder.check($0) },
            onRow: { self.result.append(try decoder.object(from: $0)) })
        return batch
    }
}
