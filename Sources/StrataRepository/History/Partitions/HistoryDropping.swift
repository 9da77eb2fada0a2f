package import StrataClient

/// Drops the partitions of the history of which every store has marked all (``HistoryMarking``).
///
/// In transactions behind those of the marks: whoever began earlier is waited for, up to two seconds.
package final class HistoryDropping: StoreOperation {
    private enum Step { case drop, sweep, done }

    private var step = Step.drop
    /// How many were dropped, of whichever stores.
    package private(set) var dropped = 0
    /// How many could not be dropped just now. What is in them is not to be deleted instead.
    package private(set) var remaining = 0

    package init() {}

    package func next() throws -> PostgresBatch? {
        switch step {
        case .drop:
            step = .sweep
            let drop: SQLFragment = """
                SELECT dropped, remaining FROM \(identifier: LibrarySchema.name).history_partition_drop()
                """
            return PostgresBatch(try drop.statement(name: "drop partitions")) { [unowned self] row in
                dropped = Int(try row.decode(0, as: Int32.self))
                remaining = Int(try row.decode(1, as: Int32.self))
            }
        case .sweep:
            step = .done
            let sweep: SQLFragment = "SELECT \(identifier: LibrarySchema.name).history_partition_sweep()"
            return PostgresBatch(try sweep.statement(name: "drop partitions"))
        case .done: return nil
        }
    }
}
