package import StrataClient

/// Divides the history of a database into partitions by time, a step a transaction.
///
/// Each step leaves a history that is whole, can be written to and read, and says by itself what comes next: whoever is killed between two, or
/// in one, is followed by whoever calls this again.
package final class HistoryPartitioning: StoreOperation {
    private let every: Duration
    private var goesOn = true
    /// What was done, a line each.
    package private(set) var steps: [String] = []

    /// - Parameter every: how long a partition is meant to last.
    package init(every: Duration) {
        self.every = every
    }

    package func next() throws -> PostgresBatch? {
        guard goesOn else { return nil }
        goesOn = false
        let seconds = Double(every.components.seconds) + Double(every.components.attoseconds) / 1e18
        let step: SQLFragment = """
            SELECT \(identifier: LibrarySchema.name).history_partition(pg_catalog.make_interval(secs => \(bind: seconds)))
            """
        return PostgresBatch(try step.statement(name: "partition the history")) { [unowned self] row in
            guard let done: String = try row.decodeIfPresent(0) else { return }
            steps.append(done)
            goesOn = true
        }
    }
}
