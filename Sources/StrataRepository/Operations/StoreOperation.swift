package import StrataClient

/// A conversation with the server: each batch is one round trip, and what came back decides on the next one.
///
/// Fetching, saving and preparing a store are operations. They know neither how to wait nor for whom: the same operation is
/// driven by a blocking connection and by an asynchronous one.
package protocol StoreOperation {
    /// The next batch, `nil` when there is nothing more to do. Rows are handed to the closures in the batch before this is
    /// called again.
    mutating func next() throws -> PostgresBatch?
}

extension PostgresConnection {
    /// Carries out an operation; blocks this thread while it waits.
    package func perform<Operation: StoreOperation>(_ operation: inout Operation) throws {
        while let batch = try operation.next() { try run(batch) }
    }

    /// Carries out an operation without blocking a thread, on the caller's isolation.
    package func perform<Operation: StoreOperation>(_ operation: inout Operation) async throws {
        while let batch = try operation.next() { try await run(batch) }
    }
}
