/// Whatever has a history: a ``ModelContext`` has that of its container's stores.
///
/// ```swift
/// func news<Provider: HistoryProviding>(of provider: Provider) throws -> [Provider.HistoryType] {
///     try provider.fetchHistory(HistoryDescriptor<Provider.HistoryType>())
/// }
/// ```
public protocol HistoryProviding {
    /// The transactions that its history is made of.
    associatedtype HistoryType: HistoryTransaction
    /// The type of the transactions.
    static var historyType: HistoryType.Type { get }
    /// The transactions that match, in order; blocks.
    func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
    /// Deletes the transactions that match from the history; blocks.
    func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}
