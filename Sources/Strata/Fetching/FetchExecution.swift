import StrataClient
import StrataModels
import StrataRepository

/// A fetch with its prefetches: the objects first, then each level of relationships in one round trip.
final class FetchExecution<T: PersistentModel>: StoreOperation {
    let session: StoreSession
    private let descriptor: FetchDescriptor<T>
    private let plan: FetchPlan<T>
    private let prefetch: PrefetchTree
    private let merge: PendingMerge<T>?
    private let group: FetchGroup
    // Appended to for every row; nobody else looks at it meanwhile.
    @exclusivity(unchecked) private var objects: [T] = []
    private var hasFetched = false
    private var hasMerged = false
    private var prefetching: PrefetchExecution?

    init(_ descriptor: FetchDescriptor<T>, unit: UnitOfWork) throws {
        self.descriptor = descriptor
        let (session, _) = try unit.place(of: T.self)
        self.session = session
        plan = try FetchPlan(descriptor, mapping: session.store.mapping, store: session.store.identifier)
        prefetch = try PrefetchTree(descriptor.relationshipKeyPathsForPrefetching, mapping: session.store.mapping)
        merge = descriptor.includePendingChanges ? PendingMerge(descriptor, unit: unit) : nil
        group = FetchGroup(root: plan.entity.root.descriptor)
    }

    func next() throws -> PostgresBatch? {
        guard hasFetched else {
            hasFetched = true
            return try fetchBatch()
        }
        if !hasMerged {
            hasMerged = true
            if let merge { objects = try merge.apply(to: objects) }
            guard !prefetch.branches.isEmpty else { return nil }
            prefetching = PrefetchExecution(prefetch, of: objects, session: session)
        }
        return try prefetching?.next()
    }

    private func fetchBatch() throws -> PostgresBatch {
        let (statement, list) = try plan.objects(widenedBy: merge?.extraRows)
        let decoder = RowDecoder(list, registry: session, group: group)
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
