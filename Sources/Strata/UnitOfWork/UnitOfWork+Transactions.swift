import StrataClient
import StrataModels
import StrataRepository

/// One level of an open transaction: the outermost is a transaction, those within are savepoints.
struct TransactionLevel {
    var saved: [SavedChanges] = []
    /// `nil` for the outermost.
    let savepoint: String?
}

extension UnitOfWork {
    /// Opens a level: the statements to send on each session's connection.
    func openingBatch(_ isolation: IsolationLevel?) -> PostgresBatch {
        var batch = PostgresBatch()
        if transactionLevels.isEmpty {
            batch.begin(isolation)
            transactionLevels.append(TransactionLevel(savepoint: nil))
        } else {
            let name = "strata_\(transactionLevels.count)"
            batch.savepoint(name)
            transactionLevels.append(TransactionLevel(savepoint: name))
        }
        return batch
    }

    /// Ends a store's transaction, or the savepoint of the innermost level.
    func commitBatch(of session: StoreSession) throws -> PostgresBatch {
        var batch = PostgresBatch()
        if let name = transactionLevels.last?.savepoint {
            batch.release(name)
        } else {
            if session.store.recordsHistory {
                let store = session.store.identifier
                batch.add(
                    try HistoryMoment.ofTransaction(in: session.store.mapping.schemaName),
                    onRow: { [unowned self] row in
                        var moment = HistoryMoment()
                        try moment.take(row)
                        moments[store] = moment.position
                    })
            }
            batch.commit()
        }
        return batch
    }

    func rollbackBatch() -> PostgresBatch {
        var batch = PostgresBatch()
        if let name = transactionLevels.last?.savepoint { batch.rollback(to: name) } else { batch.rollback() }
        return batch
    }

    /// The level was committed: what it saved belongs to the level around it.
    func closeLevel() {
        guard let closed = transactionLevels.popLast(), !transactionLevels.isEmpty else { return }
        transactionLevels[transactionLevels.count - 1].saved.append(contentsOf: closed.saved)
    }

    /// The level was rolled back: unsaved changes are forgotten, saved ones undone, the last first.
    func undoLevel() {
        rollback()
        guard let undone = transactionLevels.popLast() else { return }
        for saved in undone.saved.reversed() { saved.undo(in: self) }
    }

    func noteSaved(_ changes: SavedChanges) {
        guard !transactionLevels.isEmpty else { return }
        transactionLevels[transactionLevels.count - 1].saved.append(changes)
    }
}
