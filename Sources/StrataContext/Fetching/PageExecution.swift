import StrataClient
import StrataModels
import StrataRepository

/// A fetch of one page by a cursor, with its prefetches.
final class PageExecution<T: PersistentModel>: ContextCall {
    let session: StoreSession
    var purpose: String { T._$descriptor.callNames.fetchPage }
    var rowLimit: Int? { rows.limit(session.rowLimit) }
    private let query: FetchQuery<T, PageStatement<SelectList>>
    private var rows: PageRows
    private var prefetch: FollowingPrefetch
    private let group: FetchGroup
    private var objects: [T] = []
    private var hasFetched = false

    init(_ descriptor: FetchDescriptor<T>, _ request: PageRequest, unit: UnitOfWork) throws {
        rows = PageRows(request)
        query = try FetchQuery(descriptor, unit: unit) { try $0.page(request) }
        session = query.session
        prefetch = try FollowingPrefetch(of: descriptor, in: session)
        group = FetchGroup(root: query.entity.root.descriptor)
    }

    func explain(_ error: any Error) -> any Error { rows.explain(error, of: T.self) }

    func next() throws -> PostgresBatch? {
        guard hasFetched else {
            if let lookup = try query.lookUp() { return lookup }
            hasFetched = true
            return try fetchBatch()
        }
        return try prefetch.next(for: objects)
    }

    private func fetchBatch() throws -> PostgresBatch {
        let page = try query.planned()
        let decoder = RowDecoder(
            page.content, registry: session, group: group, replacements: query.replacements, saveStamp: query.saveStamp)
        var batch = PostgresBatch()
        batch.add(
            page.statement,
            onResult: { try decoder.check($0) },
            onRow: { row in
                guard self.rows.isNext() else { return }
                // The plan selects rows of `T` and its subclasses only.
                self.objects.append(unsafeDowncast(try decoder.object(from: row), to: T.self))
                self.rows.note(page.cursor(at: row))
            })
        return batch
    }

    /// The page.
    var result: CursorPage<T> {
        CursorPage(objects: rows.inOrder(objects), next: rows.next, previous: rows.previous)
    }
}
