package import StrataClient
package import StrataModels

/// What is to be done for a table next: decided from what is there, and nothing remembered. So what was interrupted is taken up by whoever comes
/// next.
package struct PartitionPlan {
    package enum Action: Hashable, Sendable {
        /// Makes an empty table and attaches it.
        case make(PartitionBounds)
        /// Marks a partition and detaches it while others read and write.
        case detach(TableName)
        /// Ends what was interrupted.
        case finish(TableName)
        /// Drops a table that is no partition any more.
        case drop(TableName)
        /// Takes the mark from a partition that is to stay: whoever detaches it later keeps it.
        case unmark(TableName)
    }

    private let partitions: [TablePartition]
    private let period: Schema.PartitionPeriod

    package init(_ partitions: [TablePartition], every period: Schema.PartitionPeriod) {
        self.partitions = partitions
        self.period = period
    }

    /// The partition for rows that no other takes, which Strata makes none of: it keeps others from being detached while somebody reads, and is scanned
    /// under a lock whenever one is attached (decision 0052).
    package var defaultPartition: TableName? {
        partitions.first { $0.bounds == nil && $0.status != .detached }?.name
    }

    /// The periods between two moments, both included, that no partition has. One that has a part of a period leaves the rest of it.
    package func missing(
        from first: PostgresTimestamp, through last: PostgresTimestamp, atMost count: Int = .max
    ) -> [PartitionBounds] {
        let taken = partitions.filter { $0.status != .detached }.compactMap(\.bounds).sorted { $0.lower < $1.lower }
        var found: [PartitionBounds] = []
        var next = period.start(of: first)
        while next <= last, found.count < count {
            if let partition = taken.first(where: { $0.lower <= next && next < $0.upper }) {
                // The last one may have no end.
                guard partition.upper.microseconds < .max else { break }
                next = partition.upper
                continue
            }
            let following = taken.first { $0.lower > next }?.lower
            let end = min(period.end(of: next), following ?? period.end(of: next))
            found.append(PartitionBounds(lower: next, upper: end))
            next = end
        }
        return found
    }

    /// What keeps the present and so many periods behind it, and drops what ended before a moment.
    ///
    /// New partitions come first: without them writers stop, and dropping can wait for a reader.
    package func maintenance(
        now: PostgresTimestamp, ahead: Int, dropping before: PostgresTimestamp?
    ) -> [Action] {
        var last = period.start(of: now)
        for _ in 0..<ahead { last = period.end(of: last) }
        func isOld(_ bounds: PartitionBounds?) -> Bool {
            guard let bounds, let before else { return false }
            return bounds.upper <= before
        }
        // What a mark says was decided by another goal: it holds for what is on its way out, and for nothing else.
        var actions = partitions.filter { $0.status == .attached && $0.isMarked && !isOld($0.bounds) }
            .map { Action.unmark($0.name) }
        // A part of this period that has ended is nobody's future; nothing is made that would be dropped.
        actions += missing(from: now, through: last).filter { $0.upper > now && !isOld($0) }.map(Action.make)
        // One partition of a table at a time can be on its way out.
        actions += partitions.filter { $0.status == .detaching }.map { .finish($0.name) }
        actions += partitions.filter { $0.status == .detached }.map { .drop($0.name) }
        return actions + partitions.filter { $0.status == .attached && isOld($0.bounds) }.map { .detach($0.name) }
    }
}
