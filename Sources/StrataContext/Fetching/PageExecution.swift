import StrataClient
import StrataModels
import StrataRepository

/// A fetch of one page by a cursor, with its prefetches.
final class PageExecution<T: PersistentModel>: ContextCall {
    let session: StoreSession
    var purpose: String { T._$descriptor.callNames.fetchPage }
    /// A page reads one row beyond its size, to see whether there is a next one: that is none of those that it gives.
    var rowLimit: Int? {
        guard let limit = session.rowLimit, limit < .max else { return nil }
        return request.size > limit ? limit : limit + 1
    }
    private let query: FetchQuery<T, PageStatement<SelectList>>
    private let request: PageRequest
    private var prefetch: FollowingPrefetch
    private let group: FetchGroup
    private var objects: [T] = []
    private var firstPlace: PageCursor?
    private var lastPlace: PageCursor?
    /// Whether there is an object beyond the page, away from its cursor.
    private var goesOn = false
    private var hasFetched = false

    init(_ descriptor: FetchDescriptor<T>, _ request: PageRequest, unit: UnitOfWork) throws {
        self.request = request
        query = try FetchQuery(descriptor, unit: unit) { try $0.page(request) }
        session = query.session
        prefetch = try FollowingPrefetch(of: descriptor, in: session)
        group = FetchGroup(root: query.entity.root.descriptor)
    }

    /// What a page's failure means: a cursor that somebody made up may hold texts that are no values of their columns.
    ///
    /// Nothing else in the statement is a text that the server reads as something else, so a data exception (class 22) is the cursor's.
    func explain(_ error: any Error) -> any Error {
        guard request.cursor != nil, let underlying = (error as? SwiftDataError)?.underlying,
            underlying.sqlState?.hasPrefix("22") == true
        else { return error }
        return SwiftDataError(
            .invalidPageCursor,
            "A page cursor of \(T.self) holds what is no place in the order of the fetch. Begin with the first page.",
            underlying: underlying)
    }

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
                guard self.objects.count < self.request.size else {
                    self.goesOn = true
                    return
                }
                // The plan selects rows of `T` and its subclasses only.
                self.objects.append(unsafeDowncast(try decoder.object(from: row), to: T.self))
                if self.objects.count == 1 { self.firstPlace = page.cursor(at: row) }
                if self.objects.count == self.request.size { self.lastPlace = page.cursor(at: row) }
            })
        return batch
    }

    /// The page; the way back leads to what lies before its first object, or around its cursor where it has none.
    var result: CursorPage<T> {
        let away = goesOn ? lastPlace : nil
        let back = request.cursor.map { firstPlace ?? $0.moved(by: request.direction == .forward ? 1 : -1) }
        switch request.direction {
        case .forward: return CursorPage(objects: objects, next: away, previous: back)
        case .backward: return CursorPage(objects: objects.reversed(), next: back, previous: away)
        }
    }
}
