import StrataClient
import StrataModels
import StrataRepository

/// Ends the transaction of one store of several, or releases a savepoint in it.
///
/// Two databases cannot commit together. Both have checked everything before the first commit, so that one of them fails is
/// rare; it is reported as an unknown outcome.
final class StoreCommit: StoreOperation {
    private let session: StoreSession
    /// `nil` for the transaction.
    private let savepoint: String?
    /// The stores that have committed by now.
    private let earlier: ArraySlice<StoreSession>
    private var isSent = false

    /// - Parameter index: which of the sessions.
    init(_ sessions: [StoreSession], _ index: Int, savepoint: String?) {
        session = sessions[index]
        earlier = sessions[..<index]
        self.savepoint = savepoint
    }

    func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        var batch = PostgresBatch()
        // With one store committed the others must follow, although the task may be cancelled by now.
        batch.runsToEnd = !earlier.isEmpty
        if let savepoint {
            batch.release(savepoint)
            return batch
        }
        if session.store.recordsHistory {
            batch.add(
                try HistoryMoment.ofTransaction(in: session.store.mapping.schemaName),
                onRow: { [session] row in
                    var moment = HistoryMoment()
                    try moment.take(row)
                    if let position = moment.position {
                        session.unit.moments.append((session.store.identifier, position))
                    }
                })
        }
        batch.commit()
        return batch
    }

    func recover(from error: any Error, in transaction: TransactionState) throws {
        // A savepoint that is not released has stored nothing, and neither have those before it.
        guard savepoint == nil, !earlier.isEmpty else {
            throw error is PostgresError ? SaveExecution.explain(error, mapping: session.store.mapping) : error
        }
        let done = earlier.map { "\"\($0.store.configuration.name)\"" }.joined(separator: ", ")
        throw SwiftDataError(
            .outcomeUnknown,
            "The store \"\(session.store.configuration.name)\" failed to commit after \(done) had committed. Read what was written "
                + "before saving again.", underlying: error as? PostgresError)
    }
}
