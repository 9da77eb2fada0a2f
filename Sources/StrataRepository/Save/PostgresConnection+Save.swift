package import StrataClient
import StrataModels

extension PostgresConnection {
    /// Saves on this connection; blocks this thread while it waits.
    ///
    /// A save that lost a race for a unique value, or that the server ended to undo a deadlock, is done again from its beginning.
    ///
    /// - Throws: ``SwiftDataError``. Nothing was written then, unless the code is `outcomeUnknown`.
    package func save(_ request: SaveRequest, mapping: StoreMapping) throws -> SaveResult {
        var (request, attempts) = (request, SaveAttempts())
        while true {
            var execution = try SaveExecution(request, mapping: mapping)
            do {
                try perform(&execution)
                return execution.result
            } catch {
                var recovery = execution.recovery(from: error, isTransactionOpen: transactionStatus != .idle)
                // What went wrong while cleaning up says less than what went wrong before.
                do { try perform(&recovery) } catch {}
                if attempts.goesOn(after: error, of: execution, recovery, &request) { continue }
                throw recovery.error
            }
        }
    }

    /// Saves on this connection, on the caller's isolation; no thread is blocked. As the blocking twin, and it throws
    /// `CancellationError` when the task was cancelled before the server committed.
    package func save(_ request: SaveRequest, mapping: StoreMapping) async throws -> SaveResult {
        var (request, attempts) = (request, SaveAttempts())
        while true {
            var execution = try SaveExecution(request, mapping: mapping)
            do {
                try await perform(&execution)
                return execution.result
            } catch {
                var recovery = execution.recovery(from: error, isTransactionOpen: transactionStatus != .idle)
                do { try await perform(&recovery) } catch {}
                if error is CancellationError { throw error }
                if attempts.goesOn(after: error, of: execution, recovery, &request) { continue }
                throw recovery.error
            }
        }
    }
}
