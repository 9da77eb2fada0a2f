package import StrataClient
package import StrataModels

/// What follows from a failure: cleaning up, doing the save again, or saying in the words of the model why it failed.
extension SaveExecution {
    /// The operation that cleans up after this one failed with `error`, and explains it.
    ///
    /// - Parameter transaction: what the failure has left open.
    package func recovery(from error: any Error, in transaction: TransactionState) -> SaveRecovery {
        SaveRecovery(self, error, in: transaction)
    }

    /// Whether the save is to be done again from its beginning: it lost a race for a unique value, and finds the row that won;
    /// or the server ended it because it and another transaction waited for each other.
    package func shouldRetry(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError else { return false }
        // Locks from before the save are kept within a transaction of somebody else: all of it has to be done again.
        if ["40P01", "40001"].contains(error.sqlState) { return !request.insideTransaction }
        return hasLostRace(error)
    }

    /// Whether a row with the unique values of a new object came between the look-up and the insert.
    func hasLostRace(_ error: PostgresError?) -> Bool {
        guard hadLookup, let error else { return false }
        switch (error.sqlState, statement(of: error)?.kind) {
        case ("23505", .insert): return isLookedUp(error)
        // New rows that were parked meet others where they get their values.
        case ("23505", .update(let group)): return group.shape.phase.isOfNewObjects && isLookedUp(error)
        // A row that was found has gone; those that were parked are the save's own.
        case (UpdateStatement.mismatch, .update(let group)): return group.shape.phase == .upserting
        default: return false
        }
    }

    /// Whether an error is of unique values that were looked up, and not of an index that only the database knows, whose rows no look-up finds.
    private func isLookedUp(_ error: PostgresError) -> Bool {
        guard let entity = mapping.entity(of: error), lookedUp.contains(entity.table) else { return false }
        // The server does not say them to a role that may not read them.
        return error.violatedKeys.isEmpty
            || entity.tableClasses.flatMap(\.ownUniqueSets).contains { $0.isViolated(by: error) }
    }

    /// What an error of the server means, in the words of the model. Where a transaction is committed, that of unique values which are compared then.
    package static func explain(
        _ error: any Error, of request: SaveRequest = SaveRequest(), mapping: StoreMapping
    ) -> SwiftDataError {
        SaveExplanation(request: request, mapping: mapping, statement: nil).explain(error)
    }

    /// The statement of the plan that an error belongs to.
    func statement(of error: any Error) -> SaveStatement? {
        if error is UpdateMismatch { return plan.statements.first }
        guard let error = error as? PostgresError else { return nil }
        // One that went alone had another text.
        if plan.statements.count == 1, plan.statements[0].name == error.statementName { return plan.statements[0] }
        return plan.statements.first { $0.name == error.statementName && $0.text == error.statementText }
    }
}
