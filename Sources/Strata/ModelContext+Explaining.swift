public import StrataContext

extension ModelContext {
    /// How the server would carry out a fetch. One round trip.
    ///
    /// ```swift
    /// let plan = try await context.explain(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]), analyze: true)
    /// print(plan)
    /// ```
    ///
    /// The plan is that of the objects' own statement, prefetching left aside, with unsaved changes as in `fetch`.
    /// - Parameters:
    ///   - descriptor: the fetch.
    ///   - analyze: whether the server carries the fetch out, and says how many rows there were and how long each step took.
    ///   - avoidsSequentialScans: whether the server is to read indexes where it can, although a table may be small enough to be read
    ///     whole: for tests. Not in a transaction.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func explain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans)
    }

    /// How the server would read values, or make groups. One round trip.
    ///
    /// ```swift
    /// let plan = try await context.explain(
    ///     FetchDescriptor<Trip>(), selecting: .key(\.destination), .count, orderBy: [.reverse(.count)], analyze: true)
    /// ```
    ///
    /// It tells whether an index that includes what is selected serves alone (`Index Only Scan`).
    /// - Parameters:
    ///   - descriptor: which objects.
    ///   - columns: what a row has; a property is `.value(\.name)`.
    ///   - condition: which groups are wanted.
    ///   - order: comes before the descriptor's own order.
    ///   - analyze: whether the server carries the query out, and says how many rows there were and how long each step took.
    ///   - avoidsSequentialScans: as for a fetch of objects.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func explain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        having condition: QueryCondition<T>? = nil, orderBy order: [QueryOrder<T>] = [], analyze: Bool = false,
        avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(
            descriptor, selecting: repeat each columns, having: condition, orderBy: order, analyze: analyze,
            avoidsSequentialScans: avoidsSequentialScans)
    }

    /// How the server would read a page behind a cursor. One round trip.
    ///
    /// ```swift
    /// let plan = try await context.explain(byStart, after: page.next, size: 50, analyze: true)
    /// ```
    ///
    /// With a cursor of a deep page it tells whether an index finds the place, or the pages before it are read.
    /// - Parameters:
    ///   - descriptor: which objects, in which order.
    ///   - cursor: where the page begins; `nil` for the first page.
    ///   - size: how many objects the page has.
    ///   - analyze: whether the server carries the query out, and says how many rows there were and how long each step took.
    ///   - avoidsSequentialScans: as for a fetch of objects.
    /// - Throws: ``SwiftDataError``, as `fetchPage`.
    public func explain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, after cursor: PageCursor?, size: Int, analyze: Bool = false,
        avoidsSequentialScans: Bool = false
    ) async throws -> QueryPlan {
        try await suspendingExplain(
            descriptor, after: cursor, size: size, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans)
    }
}
