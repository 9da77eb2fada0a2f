/// What ``ModelContainer/pruneHistory(olderThan:keepingAtMost:)`` deleted, and what that cost.
public struct HistoryPruning: Sendable, Hashable {
    /// Partitions of the history that were dropped whole; what was in them is not counted.
    public var partitions = 0
    /// Transactions of the history that were deleted.
    public var transactions = 0
    /// The database transactions that it took.
    public var slices = 0
    /// How long the longest of them took: nobody waits for one longer than that.
    public var longestSlice = Duration.zero
    /// Whether another process was pruning one of the stores, which was left to it.
    public var wasLeftToAnother = false
}
