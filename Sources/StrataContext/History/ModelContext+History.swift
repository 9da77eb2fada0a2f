public import Foundation
import StrataClient
public import StrataModels
import StrataRepository

extension ModelContext {
    /// The transactions that match, in the order in which they took effect unless the descriptor has another; blocks
    /// this thread. One round trip.
    ///
    /// Who made a transaction, this context, another process or `psql`, makes no difference. Predicates may ask for
    /// `token`, `transactionIdentifier`, `timestamp`, `author`, `storeIdentifier`, `bundleIdentifier`,
    /// `processIdentifier`, `actor`, `role`, `context["key"]` and, of `changes`, for `changedPersistentIdentifier`, its
    /// `entityName` and `changeIdentifier`. A transaction that matches comes with all its changes.
    ///
    /// Within `transaction` the transaction itself is not among them: it is history once it is
    /// committed.
    ///
    /// ```swift
    /// let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > lastToken })
    /// for transaction in try context.fetchHistory(descriptor) { … }
    /// ```
    /// - Throws: ``SwiftDataError``: `historyTokenExpired` when changes after the token were deleted or the database was
    ///   restored, `unsupportedPredicate`, `unsupportedSortDescriptor`, `unsupportedFeature` where no history is
    ///   recorded, `storeFailure`.
    public func fetchHistory(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) throws -> [DefaultHistoryTransaction] {
        try historyPage(descriptor).transactions
    }

    /// What happened after a place in the history, and the place after that; blocks this thread. One round trip.
    ///
    /// A consumer that keeps the page's token, also when the page is empty, sees every change exactly once.
    /// - Parameters:
    ///   - token: the place; `nil` for the beginning of what is kept.
    ///   - predicate: which transactions; those that do not match are passed over.
    ///   - limit: how many transactions at most; 0 for all.
    /// - Throws: as the form with a descriptor.
    public func fetchHistory(
        after token: DefaultHistoryToken?, where predicate: Predicate<DefaultHistoryTransaction>? = nil, limit: Int = 0
    ) throws -> HistoryPage {
        try historyPage(Self.descriptor(after: token, predicate, limit))
    }

    /// What happened after a place in the history, and the place after that. One round trip.
    ///
    /// A consumer that keeps the page's token, also when the page is empty, sees every change exactly once:
    ///
    /// ```swift
    /// repeat {
    ///     let page = try await context.fetchHistory(after: token, limit: 100)
    ///     try await index(page.transactions)
    ///     token = page.token
    /// } while !page.isLast
    /// ```
    /// - Parameters:
    ///   - token: the place; `nil` for the beginning of what is kept.
    ///   - predicate: which transactions; those that do not match are passed over.
    ///   - limit: how many transactions at most; 0 for all.
    /// - Throws: as the form with a descriptor.
    public func fetchHistory(
        after token: DefaultHistoryToken?, where predicate: Predicate<DefaultHistoryTransaction>? = nil, limit: Int = 0
    ) async throws -> HistoryPage {
        try await historyPage(Self.descriptor(after: token, predicate, limit))
    }

    private static func descriptor(
        after token: DefaultHistoryToken?, _ predicate: Predicate<DefaultHistoryTransaction>?, _ limit: Int
    ) throws -> HistoryDescriptor<DefaultHistoryTransaction> {
        guard limit >= 0 else {
            throw SwiftDataError(.invalidTransactionFetchRequest, "The limit \(limit) is negative; 0 fetches all.")
        }
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: predicate)
        if let token {
            let after = #Predicate<DefaultHistoryTransaction> { $0.token > token }
            descriptor.predicate = after
            if let predicate {
                descriptor.predicate = #Predicate<DefaultHistoryTransaction> {
                    after.evaluate($0) && predicate.evaluate($0)
                }
            }
        }
        descriptor.fetchLimit = UInt64(limit)
        return descriptor
    }

    func historyPage(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws -> HistoryPage {
        try container.requireVisibleHistory()
        let fetch = try HistoryFetch(descriptor, in: unit.sessions)
        try performAll(fetch.calls)
        return fetch.page
    }

    /// One round trip a store. `fetchHistory` of asynchronous callers (module Strata) is its transactions.
    package func historyPage(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) async throws -> HistoryPage {
        try container.requireVisibleHistory()
        return try await historyPage(of: HistoryFetch(descriptor, in: unit.sessions))
    }

    /// What happened after a place, for observers and for objects that are brought up to date: in a tenant's container too, which shows nobody what it has of
    /// other tenants.
    func unseenHistory(after token: DefaultHistoryToken, limit: Int) async throws -> HistoryPage {
        try await historyPage(of: HistoryFetch(Self.descriptor(after: token, nil, limit), in: unit.sessions))
    }

    func historyPage(of fetch: HistoryFetch) async throws -> HistoryPage {
        try await performAll(fetch.calls)
        return fetch.page
    }
}
