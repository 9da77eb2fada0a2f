import StrataClient
import StrataModels
import StrataRepository

/// A fetch with its prefetches: the objects first, then each level of relationships in one round trip.
final class FetchExecution<T: PersistentModel>: StoreOperation {
    let session: StoreSession
    private let query: FetchQuery<T, (statement: PostgresStatement, list: SelectList)>
    private let prefetch: PrefetchTree
    private let group: FetchGroup
    // Appended to for every row: without checks for overlapping access, and not generic, which would look the type up each time.
    @exclusivity(unchecked) private var objects: [AnyObject] = []
    /// The same as models, for what is prefetched with them.
    @exclusivity(unchecked) private var owners: [any PersistentModel] = []
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
            prefetching = PrefetchExecution(prefetch, of: owners, session: session)
        }
        return try prefetching?.next()
    }

    private func fetchBatch() throws -> PostgresBatch {
        let (statement, list) = try query.planned()
        let decoder = RowDecoder(
            list, registry: session, group: group, replacements: query.replacements, saveStamp: query.saveStamp)
        let prefetches = !prefetch.branches.isEmpty
        var batch = PostgresBatch()
        batch.add(
            statement,
            onResult: { try decoder.check($0) },
            onRow: { row in
                let object = try decoder.object(from: row)
                self.objects.append(object)
                if prefetches { self.owners.append(object) }
            })
        return batch
    }

    /// The plan selects rows of `T` and its subclasses only, so every object is one; an array of objects is laid out alike
    /// whatever their class.
    var result: [T] { unsafeBitCast(objects, to: [T].self) }
}
