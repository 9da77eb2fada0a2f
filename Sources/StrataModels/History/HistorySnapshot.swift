/// Which transactions had ended at one moment: PostgreSQL's `pg_snapshot` (manual, 9.26.8).
package struct HistorySnapshot: Hashable, Sendable {
    /// Transactions from this number on had not ended.
    package var end: Int64
    /// Those below ``end`` that had not ended either, ascending.
    package private(set) var running: [Int64]

    package init(end: Int64, running: some Sequence<Int64> = []) {
        self.end = end
        self.running = running.filter { $0 < end }.sorted()
    }

    /// The first transaction that may not have ended.
    package var start: Int64 { running.first ?? end }

    package func contains(_ transaction: Int64) -> Bool {
        guard transaction < end else { return false }
        var (low, high) = (0, running.count)
        while low < high {
            let middle = (low + high) / 2
            if running[middle] < transaction { low = middle + 1 } else { high = middle }
        }
        return low == running.count || running[low] != transaction
    }

    /// The same, with everything below `limit` ended: a standby cannot say more.
    package func union(below limit: Int64) -> HistorySnapshot {
        HistorySnapshot(end: max(end, limit), running: running.filter { $0 >= limit })
    }

    /// The same after `transaction` has ended; everything between ``end`` and it has not.
    package func adding(_ transaction: Int64) -> HistorySnapshot {
        guard transaction >= end else {
            return HistorySnapshot(end: end, running: running.filter { $0 != transaction })
        }
        return HistorySnapshot(end: transaction + 1, running: running + Array(end..<transaction))
    }

    /// The same before `transaction` has ended.
    package func removing(_ transaction: Int64) -> HistorySnapshot {
        guard contains(transaction) else { return self }
        return HistorySnapshot(end: end, running: running + [transaction])
    }

    /// The part of it below `limit`.
    package func cut(at limit: Int64) -> HistorySnapshot {
        HistorySnapshot(end: min(end, limit), running: running)
    }
}

extension HistorySnapshot: Comparable {
    /// At the same end, the one in which fewer transactions run is the later.
    package static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.end, -lhs.running.count) < (rhs.end, -rhs.running.count)
    }
}
