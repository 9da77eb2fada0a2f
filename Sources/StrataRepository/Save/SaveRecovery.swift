package import StrataClient
package import StrataModels

/// What follows a save that failed: ends its transaction, and finds out what stood in the way.
///
/// The question is asked after the transaction was undone, so it sees the rows as they are now.
package final class SaveRecovery: StoreOperation {
    private let execution: SaveExecution
    private let failure: any Error
    private let statement: SaveStatement?
    /// What the failure has left open: the connection has ended a transaction whose end was part of the failed batch.
    private let transaction: TransactionState
    private var isSent = false
    private var differences: [ConflictQuery.Difference] = []
    private var isolation: String?

    init(_ execution: SaveExecution, _ failure: any Error, in transaction: TransactionState) {
        self.execution = execution
        self.failure = failure
        self.transaction = transaction
        statement = execution.statement(of: failure)
    }

    /// Why the save failed; complete when this operation was carried out, and still of use when it was not.
    package var error: SwiftDataError {
        let explanation = SaveExplanation(request: execution.request, mapping: execution.mapping, statement: statement)
        let plain = explanation.explain(failure)
        if seesOnlyItsBeginning { return SaveError.unseenRow(failure) }
        guard let group = failedGroup else { return plain }
        return ConflictQuery.error(differences, group) ?? plain
    }

    /// The stored forms that differ from what the objects make of their old values and mean the same; `nil` if anything else
    /// stood in the way. With them the save can be done again.
    var formsThatMeanTheSame: [ObjectIdentifier: [Int: [UInt8]?]]? {
        guard failedGroup != nil, !differences.isEmpty, differences.allSatisfy(\.isOnlyInForm) else { return nil }
        return Dictionary(
            differences.map { (ObjectIdentifier($0.model), $0.sameForms) }, uniquingKeysWith: { first, _ in first })
    }

    package func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        if (failure as? PostgresError)?.isConnectionLoss == true { return nil }
        var batch = PostgresBatch()
        // Whatever has become of the task: a transaction around this one goes on.
        batch.runsToEnd = true
        if transaction.has(savepoint: SaveExecution.savepoint) {
            batch.rollback(to: SaveExecution.savepoint)
            batch.release(SaveExecution.savepoint)
        } else if transaction.isOpen, !execution.request.insideTransaction {
            batch.rollback()
        }
        if execution.request.insideTransaction, execution.hasLostRace(failure as? PostgresError) {
            batch.add(
                PostgresStatement("SELECT current_setting('transaction_isolation')", name: "save: isolation"),
                onRow: { [unowned self] row in isolation = try row.decode(0, as: String.self) })
        }
        if let group = failedGroup {
            let query = try ConflictQuery.statement(group)
            batch.add(
                query, onRow: { [unowned self] row in differences.append(try ConflictQuery.difference(row, group)) })
        }
        return batch.isEmpty ? nil : batch
    }

    /// Whether the transaction does not see what was committed after its beginning: looking again within it finds nothing new.
    var seesOnlyItsBeginning: Bool { isolation == "repeatable read" || isolation == "serializable" }

    /// The update that wrote fewer rows than it was given.
    private var failedGroup: UpdateGroup? {
        guard case .update(let group)? = statement?.kind else { return nil }
        let isMismatch =
            failure is UpdateMismatch || (failure as? PostgresError)?.sqlState == UpdateStatement.mismatch
        return isMismatch ? group : nil
    }
}
