import StrataClient
import StrataModels
import StrataRepository

extension ModelContainer {
    /// Divides the history of the database into partitions, so that what is old is dropped and not deleted row by row. Blocks.
    ///
    /// What there is becomes the first partition; it goes on beside programs that write, and where it was interrupted. Round trips and the rest are
    /// those of the asynchronous form.
    /// - Throws: ``SwiftDataError``: `invalidTransactionFetchRequest` for a period that is not greater than zero; `storeFailure` where the role does
    ///   not own the history, or where a transaction that goes on keeps its tables locked for longer than some five seconds.
    public func partitionHistory(every period: Duration) throws {
        try Self.requireTime(period)
        try performInEach(for: "partition the history", explain: Self.explainPartitioning) { _ in
            HistoryPartitioning(every: period)
        }
    }

    /// Divides the history of the database into partitions, so that what is old is dropped and not deleted row by row.
    ///
    /// ```swift
    /// try await container.partitionHistory(every: .seconds(7 * 86_400))
    /// ```
    /// Call it once, beside programs that write; again to change the period or to go on where it was interrupted. What there is becomes the first
    /// partition and is not copied, but read once where it is large. Twice the tables are exchanged under locks that keep everybody waiting for some
    /// hundredths of a second. Tokens stay valid. ``pruneHistory(olderThan:keepingAtMost:)`` and ``keepHistory(for:atMost:every:)`` make further
    /// partitions and drop the oldest; what comes when there is none for it goes into one that takes everything, and another call of this
    /// makes that one a partition like others. There is no way back.
    ///
    /// Needs the rights of the history's owner. One round trip where nothing is to be done, two for an empty or small history, five for
    /// others.
    /// - Parameter period: how long a partition is meant to last. It is a range of transaction numbers, which is chosen beforehand, by how fast they
    ///   were given out until then.
    /// - Throws: ``SwiftDataError``: `invalidTransactionFetchRequest` for a period that is not greater than zero; `storeFailure` where the role does
    ///   not own the history, or where a transaction that goes on keeps its tables locked for longer than some five seconds: try again then.
    public func partitionHistory(every period: Duration) async throws {
        try Self.requireTime(period)
        try await performInEach(for: "partition the history", explain: Self.explainPartitioning) { _ in
            HistoryPartitioning(every: period)
        }
    }

    private static func requireTime(_ period: Duration) throws {
        guard period > .zero else {
            throw SwiftDataError(
                .invalidTransactionFetchRequest,
                "A partition of the history cannot hold what happens in \(period): say a time that is greater than zero."
            )
        }
    }

    private static func explainPartitioning(_ store: Store, _ error: any Error) -> any Error {
        guard let error = error as? PostgresError else { return error }
        let remedy =
            switch error.sqlState {
            case _ where error.lacksRight: " The role has to own the tables of the schema \"strata\"."
            case "42883", "3F000", "42P01":
                " The database has no history, or functions of an older release: open a container as the owner."
            default: error.hint.map { " \($0)" } ?? ""
            }
        return SwiftDataError(
            .storeFailure, "Partitioning the history: \(error.message)\(remedy)", underlying: error)
    }
}
