import StrataClient
import StrataModels
import StrataRepository

/// One level of an open transaction: the outermost is a transaction, those within are savepoints.
struct TransactionLevel {
    var saved: [SavedChanges] = []
    /// `nil` for the outermost.
    let savepoint: String?
    /// What was unsaved when the outermost level began: it is unsaved again if the level fails. Within it, everything is
    /// saved first.
    var earlier: ChangeSnapshot?
    /// What could be taken back when the level began.
    var undoMark: UndoMark?
    /// The stamp of what was read after something was first saved in this level.
    var firstWrite: UInt32?
}

extension UnitOfWork {
    /// Opens a level: the statements to send on each session's connection.
    func openingBatch(_ isolation: IsolationLevel?) -> PostgresBatch {
        var batch = PostgresBatch()
        undoManager?.closeGroup()
        defer { transactionLevels[transactionLevels.count - 1].undoMark = undoManager?.mark }
        if transactionLevels.isEmpty {
            batch.begin(isolation)
            transactionLevels.append(TransactionLevel(savepoint: nil, earlier: ChangeSnapshot(self)))
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
        undoManager?.closeGroup()
        guard let closed = transactionLevels.popLast(), !transactionLevels.isEmpty else { return }
        let around = transactionLevels.count - 1
        transactionLevels[around].saved.append(contentsOf: closed.saved)
        transactionLevels[around].firstWrite = transactionLevels[around].firstWrite ?? closed.firstWrite
    }

    /// The level was rolled back: unsaved changes are forgotten, saved ones undone, the last first; what was read of them
    /// is read again; and what was unsaved before the level is unsaved again.
    func undoLevel() {
        let errors = transactionLevels.last?.earlier?.earlierErrors(of: self) ?? []
        rollback()
        unreported = errors
        guard let undone = transactionLevels.popLast() else { return }
        for saved in undone.saved.reversed() { saved.undo(in: self) }
        if let stamp = undone.firstWrite { forgetWhatWasRead(since: stamp) }
        undone.earlier?.restore(in: self)
        if let mark = undone.undoMark { undoManager?.goBack(to: mark) }
    }

    func noteSaved(_ changes: SavedChanges) {
        guard !transactionLevels.isEmpty else { return }
        let level = transactionLevels.count - 1
        transactionLevels[level].saved.append(changes)
        guard transactionLevels[level].firstWrite == nil else { return }
        readStamp += 1
        transactionLevels[level].firstWrite = readStamp
    }

    /// Objects whose values were read after rows were written that are now what they were before.
    private func forgetWhatWasRead(since stamp: UInt32) {
        var models: [any PersistentModel] = []
        for session in sessions {
            session.forEachState { state in
                guard state.phase == .registered, state.changedSlots.isEmpty, state.readStamp >= stamp,
                    let model = state.model
                else { return }
                models.append(model)
            }
        }
        for model in models {
            let properties = type(of: model)._$descriptor.properties
            forgetValues(of: model, in: SlotSet(properties.indices))
            for property in properties { property.announceChange(in: model) }
        }
    }
}
