import StrataClient
import StrataModels
import StrataRepository

/// A lock by name, and the connection that holds it and does nothing else.
final class SessionLock {
    private let name: String
    private let connection: PostgresConnection
    private let statements: AdvisorySessionLock
    var isTaken: Bool { statements.isTaken }

    /// Opens the connection and takes the lock; blocks this thread.
    init(_ name: String, in container: ModelContainer, waits: Bool) throws {
        self.name = name
        let store = container.stores[0]
        statements = try AdvisorySessionLock(name, of: container.tenantName, waits: waits)
        do {
            connection = try PostgresConnection.connect(
                store.feed.configuration.withoutLimits, logger: store.feed.logger, observer: store.pool.observer)
        } catch { throw Self.failure(name, error) }
        do {
            // A pooler may hand the second statement to another connection than the first, which shows it.
            try connection.ping()
            try connection.run(statements.taking(on: connection.backendID))
        } catch { throw Self.failure(name, error) }
        try requireServer()
    }

    /// Opens the connection and takes the lock.
    init(_ name: String, in container: ModelContainer, waits: Bool) async throws {
        self.name = name
        let store = container.stores[0]
        statements = try AdvisorySessionLock(name, of: container.tenantName, waits: waits)
        do {
            connection = try await PostgresConnection.connect(
                store.feed.configuration.withoutLimits, logger: store.feed.logger, observer: store.pool.observer)
        } catch { throw Self.failure(name, error) }
        do {
            try await connection.ping()
            try await connection.run(statements.taking(on: connection.backendID))
        } catch { throw Self.failure(name, error) }
        try requireServer()
    }

    // Also where the lock was not taken, or could not be.
    deinit { connection.close() }

    /// Runs the block, and then gives the lock back; blocks this thread.
    func run<Result>(_ block: () throws -> Result) throws -> Result {
        let result: Result
        do { result = try block() } catch {
            // The block's own error says more than one of giving back.
            try? connection.run(statements.givingBack())
            throw error
        }
        do { try connection.run(statements.givingBack()) } catch { throw Self.failure(name, error, hasRun: true) }
        try requireHeld()
        return result
    }

    /// Runs the block, and then gives the lock back, also when the task is cancelled.
    func run<Result>(_ block: () async throws -> Result) async throws -> Result {
        let result: Result
        do { result = try await block() } catch {
            try? await connection.runToEnd(statements.givingBack())
            throw error
        }
        do { try await connection.runToEnd(statements.givingBack()) } catch {
            throw Self.failure(name, error, hasRun: true)
        }
        try requireHeld()
        return result
    }

    private func requireServer() throws {
        guard statements.isOfServer else {
            throw SwiftDataError(
                .unsupportedFeature,
                "The lock \"\(name)\" was not taken: a pooler stands before the server, and would hand the connection that holds the lock "
                    + "to others. Give the configuration a directURL, or use ModelContext.withAdvisoryLock, which holds a lock in a transaction."
            )
        }
    }

    private func requireHeld() throws {
        guard statements.wasHeld else { throw Self.lost(name, nil) }
    }

    private static func failure(_ name: String, _ error: any Error, hasRun: Bool = false) -> any Error {
        guard let error = error as? PostgresError else { return error }
        if hasRun { return lost(name, error) }
        return SwiftDataError(
            .storeFailure, "The lock \"\(name)\" could not be taken: \(error.sentence)", underlying: error)
    }

    private static func lost(_ name: String, _ error: PostgresError?) -> SwiftDataError {
        SwiftDataError(
            .storeFailure,
            "The lock \"\(name)\" was lost with its connection before the block ended. What the block did is done; somebody else may "
                + "have had the lock meanwhile.", underlying: error)
    }
}
