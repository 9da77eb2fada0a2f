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
        try perform(PageExecution(descriptor, PageRequest(cursor, .forward, size: size), unit: unit)).result
    }

    /// The page of objects that comes before a cursor, in the descriptor's order; blocks this thread.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, before cursor: PageCursor?, size: Int)
        throws -> CursorPage<T>
    {
        try perform(PageExecution(descriptor, PageRequest(cursor, .backward, size: size), unit: unit)).result
    }

    /// What asynchronous callers get as `fetchPage(_:after:size:)`: see the module Strata.
    package func suspendingFetchPage<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, after cursor: PageCursor?, size: Int
    ) async throws -> CursorPage<T> {
        try await perform(
            PageExecution(descriptor, PageRequest(cursor, .forward, size: size), unit: unit)
        ).result
    }

    /// What asynchronous callers get as `fetchPage(_:before:size:)`: see the module Strata.
    package func suspendingFetchPage<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, before cursor: PageCursor?, size: Int
    ) async throws -> CursorPage<T> {
        try await perform(
            PageExecution(descriptor, PageRequest(cursor, .backward, size: size), unit: unit)
        ).result
    }
}
