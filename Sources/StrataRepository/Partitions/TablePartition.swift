package import StrataClient

/// One partition of a table, as the catalogs have it.
package struct TablePartition: Hashable, Sendable {
    package enum Status: String, Hashable, Sendable {
        case attached
        /// `DETACH … CONCURRENTLY` has begun and was interrupted: new statements do not see it any more.
        case detaching
        /// It was detached to be dropped, and is a table of its own.
        case detached
    }

    package let name: TableName
    /// Its first moment, and the first behind it; `nil` for a default partition.
    package let bounds: PartitionBounds?
    package let status: Status
    /// Whether it says that it is to be dropped once it is detached.
    package let isMarked: Bool
    /// What table and indexes take on disk.
    package let bytes: Int64

    package init(name: TableName, bounds: PartitionBounds?, status: Status, isMarked: Bool = false, bytes: Int64 = 0) {
        self.name = name
        self.bounds = bounds
        self.status = status
        self.isMarked = isMarked
        self.bytes = bytes
    }
}

/// From a moment on, up to another one that is not in it.
package struct PartitionBounds: Hashable, Sendable {
    package let lower: PostgresTimestamp
    package let upper: PostgresTimestamp

    package init(lower: PostgresTimestamp, upper: PostgresTimestamp) {
        self.lower = lower
        self.upper = upper
    }
}
