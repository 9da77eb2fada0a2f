public import StrataModels

extension ModelContext: HistoryProviding {
    /// `DefaultHistoryTransaction`: the only kind of transaction that there is.
    public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

    /// The transactions that match, for code that is generic over their type; blocks this thread. One round trip a store.
    ///
    /// As the form for ``DefaultHistoryTransaction``, which is the only type that there is.
    /// - Throws: as that form; ``SwiftDataError`` with the code `unsupportedFeature` for another type.
    public func fetchHistory<Transaction: HistoryTransaction>(
        _ descriptor: HistoryDescriptor<Transaction>
    ) throws -> [Transaction] {
        try fetchHistory(descriptor.ofDefaultTransactions()).compactMap { $0 as? Transaction }
    }

    /// Deletes the transactions that match from the history, for code that is generic over their type; blocks this thread.
    ///
    /// As the form for ``DefaultHistoryTransaction``.
    /// - Throws: as that form; ``SwiftDataError`` with the code `unsupportedFeature` for another type.
    public func deleteHistory<Transaction: HistoryTransaction>(
        _ descriptor: HistoryDescriptor<Transaction>
    ) throws {
        try deleteHistory(descriptor.ofDefaultTransactions())
    }
}

extension HistoryDescriptor {
    /// The same descriptor, of the only type of transactions that the stores have.
    package func ofDefaultTransactions() throws -> HistoryDescriptor<DefaultHistoryTransaction> {
        guard let descriptor = self as? HistoryDescriptor<DefaultHistoryTransaction> else {
            throw SwiftDataError(
                .unsupportedFeature,
                "The history of a PostgreSQL database is made of DefaultHistoryTransaction, not of \(T.self).")
        }
        return descriptor
    }
}
