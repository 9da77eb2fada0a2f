public import Foundation

/// Which transactions of the history to fetch, or to delete.
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
///     predicate: #Predicate { $0.token > lastToken && $0.author == "import" })
/// descriptor.fetchLimit = 100
/// let transactions = try await context.fetchHistory(descriptor)
/// ```
public struct HistoryDescriptor<T: HistoryTransaction>: Sendable {
    /// Which transactions; `nil` for all.
    public var predicate: Predicate<T>?
    /// In which order; empty for the order in which they took effect, the only one that a consumer can go on from.
    public var sortBy: [SortDescriptor<T>]
    /// How many transactions at most; 0 for all.
    public var fetchLimit: UInt64 = 0

    /// A descriptor of the transactions that match, in this order.
    public init(predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = []) {
        self.predicate = predicate
        self.sortBy = sortBy
    }
}
