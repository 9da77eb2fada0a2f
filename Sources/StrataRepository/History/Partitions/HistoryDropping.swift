package import StrataClient

/// Drops the partitions of the history of which every store has marked all (``HistoryMarking``).
///
/// In transactions behind those of the marks, one a partition: whoever began earlier is waited for, up to two seconds.
package final class HistoryDropping: StoreOperation {
    private enum Step { case drop, sweep, done }

    private var step = Step.drop
    /// How many were dropped, of whichever stores.
    package private(set) var dropped = 0
    /// How many could not be dropped just now; `nil` where somebody else is at work on the partitions. What is in them is not to be deleted
    /// instead.
    package private(set) var remaining: Int? = 0

    package init() {}

    package func next() throws -> PostgresBatch? {
        switch step {
        case .drop:
            step = .sweep
            let drop: SQLFragment = """
                SELECT dropped, remaining FROM \(identifier: LibrarySchema.name).history_partition_drop()
                """
            return PostgresBatch(try drop.statement(name: "drop partitions")) { [unowned self] row in
                let count = try row.decode(0, as: Int32.self)
                dropped += Int(count)
                remaining = try row.decodeIfPresent(1, as: Int32.self).map { Int($0) }
                if count > 0, remaining ?? 0 > 0 { step = .drop }
            }
        case .sweep:
            step = .done
            let sweep: SQLFragment = "SELECT \(identifier: LibrarySchema.name).history_partition_sweep()"
            return PostgresBatch(try sweep.statement(name: "drop partitions"))
        case .done: return nil
        }
    }
}
