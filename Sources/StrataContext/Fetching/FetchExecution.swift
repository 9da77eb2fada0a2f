import StrataClient
import StrataModels
import StrataRepository

/// A fetch with its prefetches: the objects first, then each level of relationships in one round trip.
final class FetchExecution<T: PersistentModel>: StoreOperation {
    let session: StoreSession
    private let query: FetchQuery<T, (statement: PostgresStatement, list: SelectList)>
    private let prefetch: PrefetchTree
    private let group: FetchGroup
    // Appended to for every row; nobody else looks at it meanwhile.
    @exclusivity(unchecked) private var objects: [T] = []
    private var hasFetched = false
    private var prefetching: PrefetchExecution?

    init(_ descriptor: FetchDescriptor<T>, unit: UnitOfWork) throws {
        query = try FetchQuery(descriptor, unit: unit) { try $0.objects() }
        session = query.session
        prefetch = try PrefetchTree(descriptor.relationshipKeyPathsForPrefetching, mapping: session.store.mapping)
        group = FetchGroup(root: query.entity.root.descriptor)
    }

    func next() throws -> PostgresBatch? {
        guard hasFetched else {
            if let lookup = try query.lookUp() { return lookup }
            hasFetched = true
            return try fetchBatch()
        }
        if prefetching == nil {
            guard !prefetch.branches.isEmpty else { return nil }
            prefetching = PrefetchExecution(prefetch, of: objects, session: session)
        }
        return try prefetching?.next()
    }

    private func fetchBatch() throws -> PostgresBatch {
        let (statement, list) = try query.planned()
        let decoder = RowDecoder(list, registry: session, group: group, replacements: query.replacements)
        var batch = PostgresBatch()
        batch.add(
            statement,
            onResult: { try decoder.check($0) },
            onRow: { row in
                // The plan selects rows of T and its subclasses only, so every decoded object is one.
                self.objects.append(unsafeDowncast(try decoder.object(from: row) as AnyObject, to: T.self))
            })
        return batch
    }

    var result: [T] { objects }
}
