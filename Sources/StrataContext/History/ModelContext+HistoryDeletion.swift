import StrataClient
public import StrataModels
import StrataRepository

extension ModelContext {
    /// Deletes the transactions that match from the history; blocks this thread.
    ///
    /// Thousands at a time, each slice a transaction of its own, so that no writer waits for long. Tokens from before
    /// a deleted transaction expire. Transactions that have not ended, or ended only just now, stay.
    ///
    /// ```swift
    /// try context.deleteHistory(HistoryDescriptor(predicate: #Predicate { $0.timestamp < lastMonth }))
    /// ```
    /// - Parameter descriptor: which transactions; with a `fetchLimit`, the first so many in its order.
    /// - Throws: ``SwiftDataError``: `readOnly`, `unsupportedPredicate`, `storeFailure` when the role may not (it needs
    ///   `strata.history_grant('<role>', 'prune')`). Slices that were deleted stay deleted.
    public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
        try performAll(historyDeletions(descriptor))
    }

    /// What asynchronous callers get as `deleteHistory`: see the module Strata.
    package func suspendingDeleteHistory(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) async throws {
        try await performAll(historyDeletions(descriptor))
    }

    private func historyDeletions(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) throws -> [StoreCall<HistoryDeletion>] {
        guard !unit.onlyReads else { throw unit.onlyReadsRefusal("was asked to delete history") }
        try container.requireVisibleHistory()
        let limit = try HistoryFetch.limit(of: descriptor)
        guard limit == 0 || unit.sessions.count == 1 else {
            throw SwiftDataError(
                .invalidTransactionFetchRequest,
                "deleteHistory with a fetchLimit does not know which transactions of several stores come first. Leave the "
                    + "limit out, or name the transactions by a predicate.")
        }
        let calls = try unit.sessions.map { session in
            guard session.store.configuration.allowsSave else {
                throw SwiftDataError(
                    .readOnly,
                    "The configuration \"\(session.store.configuration.name)\" does not allow saving (allowsSave: false), so "
                        + "its history cannot be deleted through it either.")
            }
            let request = HistoryRequest(
                predicate: descriptor.predicate, sortBy: descriptor.sortBy, limit: limit,
                isInsideTransaction: session.connection != nil)
            let deletion = try HistoryDeletion(request, store: session.store.history)
            return StoreCall(deletion, in: session, for: "delete history").once.onPrimary
                .explaining(HistoryFailure.explain)
        }
        // Slices that were deleted stay deleted: work that did this is not done again.
        if calls.contains(where: { $0.session.connection == nil }) { unit.mayHaveCommitted = true }
        return calls
    }
}
