public import StrataModels

// Each call has a blocking form here, and one that suspends, which the module Strata shows.

/// Plans of the server.
extension ModelContext {
    /// How the server would carry out a fetch; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func explain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        try plan(.objects(descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would count objects; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetchCount`.
    public func explainCount<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        try plan(.count(descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read values; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`.
    public func explain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting keyPaths: repeat KeyPath<T, each Value>, distinct: Bool = false,
        analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        try plan(
            .values(
                descriptor, repeat QueryColumn<T, each Value>.value(each keyPaths), isDistinct: distinct,
                analyze: analyze, avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read values, or make groups; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch(_:selecting:)`.
    public func explain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        having condition: QueryCondition<T>? = nil, orderBy order: [QueryOrder<T>] = [], analyze: Bool = false,
        avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        try plan(
            .values(
                descriptor, repeat each columns, having: condition, orderBy: order, analyze: analyze,
                avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read a page behind a cursor; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetchPage`.
    public func explain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, after cursor: PageCursor?, size: Int, analyze: Bool = false,
        avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        try plan(
            .page(
                descriptor, after: cursor, size: size, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read the page before a cursor; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetchPage`.
    public func explain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, before cursor: PageCursor?, size: Int, analyze: Bool = false,
        avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        try plan(
            .page(
                descriptor, before: cursor, size: size, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read a page of values behind a cursor; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetchPage`.
    public func explain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        after cursor: PageCursor?, size: Int, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        try plan(
            .valuePage(
                descriptor, repeat each columns, after: cursor, size: size, analyze: analyze,
                avoidsSequentialScans: avoidsSequentialScans))
    }

    /// How the server would read the page of values before a cursor; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetchPage`.
    public func explain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        before cursor: PageCursor?, size: Int, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        try plan(
            .valuePage(
                descriptor, repeat each columns, before: cursor, size: size, analyze: analyze,
                avoidsSequentialScans: avoidsSequentialScans))
    }

    private func plan<T: PersistentModel>(_ request: ExplainRequest<T>) throws -> QueryPlan {
        try perform(ExplainExecution(request, unit: unit)).plan()
    }

    /// What asynchronous callers get as `explain`: see the module Strata.
    package func suspendingExplain<T: PersistentModel>(_ request: ExplainRequest<T>) async throws -> QueryPlan {
        try await perform(ExplainExecution(request, unit: unit)).plan()
    }
}
