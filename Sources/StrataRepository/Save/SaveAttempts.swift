package import StrataClient
import StrataModels

/// A save with what follows when it fails: its transaction is ended, the reason is found out, and a save that lost a race for a unique
/// value, or that the server ended to undo a deadlock, is done again from its beginning.
///
/// An error of the operation is a ``SwiftDataError``, and nothing was written then, unless its code is `outcomeUnknown`; or a
/// `CancellationError`, when the task was cancelled before the server committed.
package final class SaveAttempts: StoreOperation {
    private enum Step {
        case begin
        case save(SaveExecution)
        case recover(SaveRecovery, SaveExecution, after: any Error)
        case done
    }

    /// How a save lost a race for a unique value.
    private struct LostRace: Equatable {
        let constraint: String?
        let statement: String?
        /// The rows that had the values of new objects.
        let found: Set<RowKey>
    }

    /// After so many a save, or a batch of rows, is given up. Where every second attempt meets a row that another program has just written or deleted, one save of a
    /// thousand loses ten in a row, and one of a billion thirty.
    static let limit = 30

    private let request: SaveRequest
    private let mapping: StoreMapping
    private var attempt = 1
    private var lostRace: LostRace?
    private var step = Step.begin
    /// What the save did; complete when the operation was carried out.
    package private(set) var result = SaveResult()

    package init(_ request: SaveRequest, mapping: StoreMapping) {
        self.request = request
        self.mapping = mapping
    }

    package func next() throws -> PostgresBatch? {
        while true {
            switch step {
            case .begin:
                step = .save(try SaveExecution(request, mapping: mapping))
            case .save(let execution):
                if let batch = try execution.next() { return batch }
                result = execution.result
                step = .done
            case .recover(let recovery, let execution, let failure):
                if let batch = try recovery.next() { return batch }
                try beginAgain(recovery, execution, after: failure)
            case .done:
                return nil
            }
        }
    }

    package func recover(from error: any Error, in transaction: TransactionState) throws {
        switch step {
        case .save(let execution):
            let recovery = execution.recovery(from: error, in: transaction)
            step = .recover(recovery, execution, after: error)
        case .recover(let recovery, let execution, let failure):
            // What went wrong while cleaning up says less than what went wrong before.
            try beginAgain(recovery, execution, after: failure)
        case .begin, .done:
            throw error
        }
    }

    /// Goes back to the beginning where that may help; throws why the save failed otherwise.
    private func beginAgain(_ recovery: SaveRecovery, _ execution: SaveExecution, after failure: any Error) throws {
        step = .done
        if failure is CancellationError { throw failure }
        guard attempt < Self.limit, mayHelp(recovery, execution, after: failure) else { throw recovery.error }
        attempt += 1
        step = .begin
    }

    /// Whether a save from its beginning may end otherwise: it lost a race for a unique value, and finds the row that won; the server
    /// ended it because it and another transaction waited for each other; or the row had the old values in another form.
    ///
    /// New rows that were parked and meet another where they get their values have lost no race if the look-up finds the same rows again. A new
    /// row may well meet another each time while other programs insert and delete the same values.
    private func mayHelp(_ recovery: SaveRecovery, _ execution: SaveExecution, after failure: any Error) -> Bool {
        if request.learn(from: recovery) { return true }
        guard execution.shouldRetry(failure), !recovery.seesOnlyItsBeginning else { return false }
        guard let error = failure as? PostgresError, error.sqlState == "23505",
            case .update? = execution.statement(of: error)?.kind
        else { return true }
        let race = LostRace(constraint: error.constraint, statement: error.statementName, found: execution.found)
        defer { lostRace = race }
        return race != lostRace
    }
}

extension SaveRequest {
    /// Takes over the stored forms that were no conflict. False when there is nothing new in that.
    fileprivate func learn(from recovery: SaveRecovery) -> Bool {
        guard let forms = recovery.formsThatMeanTheSame else { return false }
        for (object, slots) in forms { storedForms[object, default: [:]].merge(slots) { $1 } }
        return true
    }
}
