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

    /// Values of some properties of the objects of the page that follows a cursor, in the descriptor's order; blocks this thread.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting keyPaths: repeat KeyPath<T, each Value>,
        after cursor: PageCursor? = nil, size: Int
    ) throws -> ValuePage<(repeat each Value)> {
        try valuePage(
            descriptor, Self.valueQuery((repeat QueryColumn<T, each Value>.value(each keyPaths))),
            PageRequest(cursor, .forward, size: size),
            .tuples(of: repeat (each Value).self))
    }

    /// Values of some properties of the objects of the page that comes before a cursor, in the descriptor's order; blocks this thread.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting keyPaths: repeat KeyPath<T, each Value>,
        before cursor: PageCursor?, size: Int
    ) throws -> ValuePage<(repeat each Value)> {
        try valuePage(
            descriptor, Self.valueQuery((repeat QueryColumn<T, each Value>.value(each keyPaths))),
            PageRequest(cursor, .backward, size: size),
            .tuples(of: repeat (each Value).self))
    }

    /// Values of the objects of the page that follows a cursor, in the descriptor's order; blocks this thread.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        after cursor: PageCursor? = nil, size: Int
    ) throws -> ValuePage<(repeat each Value)> {
        try valuePage(
            descriptor, Self.valueQuery((repeat each columns)), PageRequest(cursor, .forward, size: size),
            .tuples(of: repeat (each Value).self))
    }

    /// Values of the objects of the page that comes before a cursor, in the descriptor's order; blocks this thread.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        before cursor: PageCursor?, size: Int
    ) throws -> ValuePage<(repeat each Value)> {
        try valuePage(
            descriptor, Self.valueQuery((repeat each columns)), PageRequest(cursor, .backward, size: size),
            .tuples(of: repeat (each Value).self))
    }

    private func valuePage<T: PersistentModel, Row>(
        _ descriptor: FetchDescriptor<T>, _ query: ValueQuery, _ request: PageRequest, _ reading: ValueReading<Row>
    ) throws -> ValuePage<Row> {
        try perform(ValuePageExecution(descriptor, query, reading, request, isLimited: true, unit: unit)).takeResult()
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

    /// What asynchronous callers get as `fetchPage(_:selecting:after:size:)`: see the module Strata.
    package func suspendingValuePage<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, _ columns: repeat QueryColumn<T, each Value>, after cursor: PageCursor?,
        size: Int
    ) async throws -> ValuePage<(repeat each Value)> {
        try await suspendingValuePage(
            descriptor, Self.valueQuery((repeat each columns)), PageRequest(cursor, .forward, size: size),
            .tuples(of: repeat (each Value).self))
    }

    /// What asynchronous callers get as `fetchPage(_:selecting:before:size:)`: see the module Strata.
    package func suspendingValuePage<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, _ columns: repeat QueryColumn<T, each Value>, before cursor: PageCursor?,
        size: Int
    ) async throws -> ValuePage<(repeat each Value)> {
        try await suspendingValuePage(
            descriptor, Self.valueQuery((repeat each columns)), PageRequest(cursor, .backward, size: size),
            .tuples(of: repeat (each Value).self))
    }

    private func suspendingValuePage<T: PersistentModel, Row>(
        _ descriptor: FetchDescriptor<T>, _ query: ValueQuery, _ request: PageRequest, _ reading: ValueReading<Row>
    ) async throws -> ValuePage<Row> {
        try await perform(
            ValuePageExecution(descriptor, query, reading, request, isLimited: true, unit: unit)
        ).takeResult()
    }
}
