/// What ``ModelContainer/pruneHistory(olderThan:keepingAtMost:)`` deleted, and what that cost.
public struct HistoryPruning: Sendable, Hashable {
    /// Partitions of the history that were dropped whole; what was in them is not counted.
    public var partitions = 0
    /// Partitions that are old and could not be dropped: transactions go on that could read them. The next call comes to them.
    public var remainingPartitions = 0
    /// Whether something that is old stays until all of its partition is.
    public var waitsForPartitions = false
    /// Whether changes go into the partition that takes everything, because there is no other for them:
    /// `ModelContainer.partitionHistory(every:)` makes it one like others.
    public var needsPartitioning = false
    /// Transactions of the history that were deleted.
    public var transactions = 0
    /// The database transactions that it took.
    public var slices = 0
    /// How long the longest of them took: nobody waits for one longer than that.
    public var longestSlice = Duration.zero
    /// Whether another process was pruning one of the stores, or was at work on the partitions, and the rest was left to it.
    public var wasLeftToAnother = false
}
