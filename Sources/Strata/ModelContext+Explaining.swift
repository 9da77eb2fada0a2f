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
}
