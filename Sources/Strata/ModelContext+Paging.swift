public import StrataContext

extension ModelContext {
    /// The page of objects that follows a cursor, in the descriptor's order. One round trip, and one a level of prefetching.
    ///
    /// ```swift
    /// let first = try await context.fetchPage(descriptor, size: 50)
    /// let second = try await context.fetchPage(descriptor, after: first.next, size: 50)
    /// ```
    ///
    /// Without a cursor, the first page. A page is found by comparing with the values of the object before it, which an index on
    /// the order's leading properties serves: a page deep in the result costs as much as the first one. Descending by an
    /// optional property, the server passes over all rows before the page, since `nil` comes last there. Objects
    /// that come or go meanwhile move no page. Unsaved changes take part as in `fetch`.
    /// - Parameters:
    ///   - descriptor: which objects, in which order, without limit and offset.
    ///   - cursor: ``CursorPage/next`` of the page before; `nil` for the first page.
    ///   - size: how many objects at most.
    /// - Throws: ``SwiftDataError``, as `fetch`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, after cursor: PageCursor? = nil, size: Int
    )
        async throws -> CursorPage<T>
    {
        try await suspendingFetchPage(descriptor, after: cursor, size: size)
    }

    /// The page of objects that comes before a cursor, in the descriptor's order. One round trip, and one a level of
    /// prefetching.
    ///
    /// As `fetchPage(_:after:size:)`, the other way; without a cursor, the last page. The objects come in the descriptor's order.
    /// - Parameters:
    ///   - descriptor: which objects, in which order, without limit and offset.
    ///   - cursor: ``CursorPage/previous`` of the page behind; `nil` for the last page.
    ///   - size: how many objects at most.
    /// - Throws: ``SwiftDataError``, as `fetch`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, before cursor: PageCursor?, size: Int)
        async throws -> CursorPage<T>
    {
        try await suspendingFetchPage(descriptor, before: cursor, size: size)
    }

    /// Values of some properties of the objects of the page that follows a cursor, in the descriptor's order. One round trip.
    ///
    /// ```swift
    /// let first = try await context.fetchPage(byStart, selecting: \.name, \.startDate, size: 50)
    /// let second = try await context.fetchPage(byStart, selecting: \.name, \.startDate, after: first.next, size: 50)
    /// ```
    ///
    /// Without a cursor, the first page. Pages are cut, and cursors hold, as `fetchPage(_:after:size:)` has them: a cursor of a page of
    /// objects in the same order leads to the same place. No object is made.
    /// - Parameters:
    ///   - descriptor: which objects, in which order, without limit and offset.
    ///   - keyPaths: what is read of each object.
    ///   - cursor: ``ValuePage/next`` of the page before; `nil` for the first page.
    ///   - size: how many rows at most.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting keyPaths: repeat KeyPath<T, each Value>,
        after cursor: PageCursor? = nil, size: Int
    ) async throws -> ValuePage<(repeat each Value)> {
        try await suspendingValuePage(
            descriptor, repeat QueryColumn<T, each Value>.value(each keyPaths), after: cursor, size: size)
    }

    /// Values of some properties of the objects of the page that comes before a cursor, in the descriptor's order. One round trip.
    ///
    /// As the page that follows a cursor, the other way; without a cursor, the last page. The rows come in the descriptor's order.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting keyPaths: repeat KeyPath<T, each Value>,
        before cursor: PageCursor?, size: Int
    ) async throws -> ValuePage<(repeat each Value)> {
        try await suspendingValuePage(
            descriptor, repeat QueryColumn<T, each Value>.value(each keyPaths), before: cursor, size: size)
    }

    /// Values of the objects of the page that follows a cursor, in the descriptor's order. One round trip.
    ///
    /// ```swift
    /// let page = try await context.fetchPage(
    ///     byStart, selecting: .value(\.name), .value(#Expression { $0.bucketList.count }), size: 50)
    /// ```
    ///
    /// As the form with key paths. Keys and aggregates are refused: groups are fetched.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        after cursor: PageCursor? = nil, size: Int
    ) async throws -> ValuePage<(repeat each Value)> {
        try await suspendingValuePage(descriptor, repeat each columns, after: cursor, size: size)
    }

    /// Values of the objects of the page that comes before a cursor, in the descriptor's order. One round trip.
    ///
    /// As the form with key paths.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`; `invalidPageCursor` for a cursor of another class or order.
    public func fetchPage<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        before cursor: PageCursor?, size: Int
    ) async throws -> ValuePage<(repeat each Value)> {
        try await suspendingValuePage(descriptor, repeat each columns, before: cursor, size: size)
    }
}
