public import StrataModels

extension ModelContext {
    /// How the server would carry out a fetch; blocks this thread. One round trip.
    ///
    /// As the asynchronous form.
    /// - Throws: ``SwiftDataError``, as `fetch`.
    public func explain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, analyze: Bool = false, avoidsSequentialScans: Bool = false
    ) throws -> QueryPlan {
        try perform(
            ExplainExecution(descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans, unit: unit)
        ).plan()
    }

    /// What asynchronous callers get as `explain`: see the module Strata.
    package func suspendingExplain<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, analyze: Bool, avoidsSequentialScans: Bool
    ) async throws -> QueryPlan {
        try await perform(
            ExplainExecution(descriptor, analyze: analyze, avoidsSequentialScans: avoidsSequentialScans, unit: unit)
        ).plan()
    }
}
