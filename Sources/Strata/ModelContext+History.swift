public import StrataContext

extension ModelContext {
    /// The transactions that match, in the order in which they took effect unless the descriptor has another. One round
    /// trip.
    ///
    /// As the blocking form.
    public func fetchHistory(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) async throws -> [DefaultHistoryTransaction] {
        try await historyPage(descriptor).transactions
    }

    /// Deletes the transactions that match from the history. As the blocking form.
    public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) async throws {
        try await suspendingDeleteHistory(descriptor)
    }

    /// The transactions that match, for code that is generic over their type. As the blocking form.
    public func fetchHistory<Transaction: HistoryTransaction>(
        _ descriptor: HistoryDescriptor<Transaction>
    ) async throws -> [Transaction] {
        try await historyPage(descriptor.ofDefaultTransactions()).transactions.compactMap { $0 as? Transaction }
    }

    /// Deletes the transactions that match from the history, for code that is generic over their type. As the blocking form.
    public func deleteHistory<Transaction: HistoryTransaction>(
        _ descriptor: HistoryDescriptor<Transaction>
    ) async throws {
        try await suspendingDeleteHistory(descriptor.ofDefaultTransactions())
    }
}
