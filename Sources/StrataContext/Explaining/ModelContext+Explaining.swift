public import StrataModels
import StrataRepository

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
        try plan(.objects, descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans)
    }

    /// How the server would read values, or make groups; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func explain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        having condition: QueryCondition<T>? = nil, orderBy order: [QueryOrder<T>] = [], analyze: Bool = false,
        avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        try plan(
            .values(valueQuery((repeat each columns), condition, order)), descriptor, analyze: analyze,
            avoidsSequentialScans: avoidsSequentialScans)
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
            .page(PageRequest(cursor, .forward, size: size)), descriptor, analyze: analyze,
            avoidsSequentialScans: avoidsSequentialScans)
    }

    private func plan<T: PersistentModel>(
        _ explained: ExplainedQuery, _ descriptor: FetchDescriptor<T>, analyze: Bool, avoidsSequentialScans: Bool
    ) throws -> QueryPlan {
        try perform(
            ExplainExecution(
                explained, descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans, unit: unit)
        ).plan()
    }

    /// What asynchronous callers get as `explain`: see the module Strata.
    package func suspendingExplain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, analyze: Bool, avoidsSequentialScans: Bool
    ) async throws -> QueryPlan {
        try await suspendingPlan(.objects, descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans)
    }

    /// What asynchronous callers get as `explain(_:selecting:)`: see the module Strata.
    package func suspendingExplain<T: PersistentModel, each Value: Sendable>(
        _ descriptor: FetchDescriptor<T>, selecting columns: repeat QueryColumn<T, each Value>,
        having condition: QueryCondition<T>?, orderBy order: [QueryOrder<T>], analyze: Bool, avoidsSequentialScans: Bool
    ) async throws -> QueryPlan {
        try await suspendingPlan(
            .values(valueQuery((repeat each columns), condition, order)), descriptor, analyze: analyze,
            avoidsSequentialScans: avoidsSequentialScans)
    }

    /// What asynchronous callers get as `explain(_:after:size:)`: see the module Strata.
    package func suspendingExplain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, after cursor: PageCursor?, size: Int, analyze: Bool,
        avoidsSequentialScans: Bool
    ) async throws -> QueryPlan {
        try await suspendingPlan(
            .page(PageRequest(cursor, .forward, size: size)), descriptor, analyze: analyze,
            avoidsSequentialScans: avoidsSequentialScans)
    }

    private func suspendingPlan<T: PersistentModel>(
        _ explained: ExplainedQuery, _ descriptor: FetchDescriptor<T>, analyze: Bool, avoidsSequentialScans: Bool
    ) async throws -> QueryPlan {
        try await perform(
            ExplainExecution(
                explained, descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans, unit: unit)
        ).plan()
    }
}
