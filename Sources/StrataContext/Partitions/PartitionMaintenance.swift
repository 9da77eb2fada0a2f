/// What ``ModelContainer/maintainPartitions(ahead:keeping:of:)`` has done.
public struct PartitionMaintenance: Sendable, Hashable {
    /// The tables of the partitions that were made.
    public var made: [String] = []
    /// The tables of the partitions that were dropped.
    public var dropped: [String] = []
    /// What could not be done now, because somebody held a lock for longer than each attempt waits: `drop reading_p20250101`. The next round
    /// goes on with it.
    public var postponed: [String] = []
    /// Whether another process was at it, to which a store was left.
    public var wasLeftToAnother = false

    /// Whether nothing had to be done.
    public var isEmpty: Bool { self == PartitionMaintenance() }
}
