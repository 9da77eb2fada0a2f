public import StrataModels
import StrataRepository

extension ModelContext {
    /// The page of objects that follows a cursor, in the descriptor's order; blocks this thread.
    ///
    /// ```swift
    /// let first = try context.fetchPage(descriptor, size: 50)
    /// let second = try context.fetchPage(descriptor, after: first.next, size: 50)
    /// ```
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, after cursor: PageCursor? = nil, size: Int
    )
        throws -> CursorPage<T>
    {
        try page(descriptor, PageRequest(cursor, .forward, size: size))
    }

    /// The page of objects that comes before a cursor, in the descriptor's order; blocks this thread.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, before cursor: PageCursor?, size: Int)
        throws -> CursorPage<T>
    {
        try page(descriptor, PageRequest(cursor, .backward, size: size))
    }

    /// What asynchronous callers get as `fetchPage(_:after:size:)`: see the module Strata.
    package func suspendingFetchPage<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, after cursor: PageCursor?, size: Int
    ) async throws -> CursorPage<T> {
        try await suspendingPage(descriptor, PageRequest(cursor, .forward, size: size))
    }

    /// What asynchronous callers get as `fetchPage(_:before:size:)`: see the module Strata.
    package func suspendingFetchPage<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, before cursor: PageCursor?, size: Int
    ) async throws -> CursorPage<T> {
        try await suspendingPage(descriptor, PageRequest(cursor, .backward, size: size))
    }

    private func page<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ request: PageRequest) throws
        -> CursorPage<T>
    {
        var execution = try PageExecution(descriptor, request, unit: unit)
        do {
            try perform(
                &execution, in: execution.session, for: "fetch a page of \(T.self)",
                rows: rowLimit(for: request, in: execution.session))
        } catch { throw request.explain(error, T.self) }
        return execution.result
    }

    private func suspendingPage<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ request: PageRequest)
        async throws -> CursorPage<T>
    {
        try await readingWhatIsSaved {
            var execution = try PageExecution(descriptor, request, unit: unit)
            do {
                try await perform(
                    &execution, in: execution.session, for: "fetch a page of \(T.self)",
                    rows: rowLimit(for: request, in: execution.session))
            } catch { throw request.explain(error, T.self) }
            return execution.result
        }
    }

    /// A page reads one row beyond its size, to see whether there is a next one: that is none of those that it gives.
    private func rowLimit(for request: PageRequest, in session: StoreSession) -> Int? {
        guard let limit = unit.rowLimit(in: session), limit < .max else { return nil }
        return request.size > limit ? limit : limit + 1
    }
}

extension PageRequest {
    /// What a page's failure means: a cursor that somebody made up may hold texts that are no values of their columns.
    ///
    /// Nothing else in the statement is a text that the server reads as something else, so a data exception (class 22) is the cursor's.
    fileprivate func explain(_ error: any Error, _ type: Any.Type) -> any Error {
        guard cursor != nil, let underlying = (error as? SwiftDataError)?.underlying,
            underlying.sqlState?.hasPrefix("22") == true
        else { return error }
        return SwiftDataError(
            .invalidPageCursor,
            "A page cursor of \(type) holds what is no place in the order of the fetch. Begin with the first page.",
            underlying: underlying)
    }
}
