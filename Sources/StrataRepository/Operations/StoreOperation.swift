package import StrataClient

/// A conversation with the server: each batch is one round trip, and what came back decides on the next one.
///
/// Fetching, saving, committing and preparing a store are operations. They know neither how to wait nor for whom: the same
/// operation is driven by a blocking connection and by an asynchronous one. What an operation has to say, it says in batches: BEGIN, a
/// savepoint, COMMIT and ROLLBACK are entries of one, a second attempt is a batch more, and a batch that must be sent although the
/// task is cancelled says so (``PostgresBatch/runsToEnd``).
package protocol StoreOperation {
    /// The next batch, `nil` when there is nothing more to do. Rows are handed to the closures in the batch before this is
    /// called again.
    mutating func next() throws -> PostgresBatch?

    /// The last batch has failed, or could not be made: goes on with another one, which undoes what was done or does it once more, or
    /// throws what there is to report. By default the error itself.
    ///
    /// - Parameter transaction: what the failure has left open. A batch that the server never got has begun nothing.
    mutating func recover(from error: any Error, in transaction: TransactionState) throws
}

extension StoreOperation {
    package mutating func recover(from error: any Error, in transaction: TransactionState) throws { throw error }
}

extension PostgresPool {
    /// Carries out an operation on a connection of the pool; blocks this thread while it waits.
    ///
    /// - Returns: the operation, which has what came of it.
    @discardableResult
    package func perform<Operation: StoreOperation>(_ operation: Operation, for purpose: String) throws -> Operation {
        var operation = operation
        try withConnection(for: purpose) { try $0.perform(&operation) }
        return operation
    }

    /// Carries out an operation on a connection of the pool, on the caller's isolation.
    ///
    /// - Returns: the operation, which has what came of it.
    @discardableResult
    package func perform<Operation: StoreOperation>(_ operation: Operation, for purpose: String) async throws
        -> Operation
    {
        var operation = operation
        let connection = try await acquire(for: purpose)
        defer { release(connection) }
        try await connection.perform(&operation)
        return operation
    }
}

extension PostgresConnection {
    /// Carries out an operation; blocks this thread while it waits.
    package func perform<Operation: StoreOperation>(_ operation: inout Operation) throws {
        while true {
            do {
                while let batch = try operation.next() { try run(batch) }
                return
            } catch { try operation.recover(from: error, in: transactionState) }
        }
    }

    /// Carries out an operation without blocking a thread, on the caller's isolation.
    package func perform<Operation: StoreOperation>(_ operation: inout Operation) async throws {
        while true {
            do {
                while let batch = try operation.next() { try await run(batch) }
                return
            } catch { try operation.recover(from: error, in: transactionState) }
        }
    }
}
