public import StrataModels

extension ModelContext {
    /// How the server would carry out a fetch; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func explain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        var execution = try ExplainExecution(
            descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans, unit: unit)
        try perform(&execution, in: execution.session, for: "explain \(T.self)")
        return try execution.plan(of: T.self)
    }

    /// What asynchronous callers get as `explain`: see the module Strata.
    package func suspendingExplain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, analyze: Bool, avoidsSequentialScans: Bool
    ) async throws -> QueryPlan {
        var execution = try ExplainExecution(
            descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans, unit: unit)
        try await perform(&execution, in: execution.session, for: "explain \(T.self)")
        return try execution.plan(of: T.self)
    }
}

extension ExplainExecution {
    fileprivate func plan(of type: T.Type) throws -> QueryPlan {
        guard let result else { throw SwiftDataError(.storeFailure, "explain \(type): the server answered nothing.") }
        return result
    }
}
