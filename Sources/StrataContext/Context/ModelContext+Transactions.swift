public import StrataClient
import StrataModels

extension ModelContext {
    /// Runs `block` and saves, in one transaction: fetches in it see what it wrote. Blocks this thread.
    ///
    /// When `block` or the save throws, everything is rolled back, in the store and in memory; what was unsaved before is
    /// unsaved still, with the values of then. Within another transaction, which saves first what is unsaved, it is a
    /// savepoint: only what happened inside is rolled back. Round trips: one to begin, one to
    /// commit, and those of `block` and the save.
    /// - Throws: what `block` and `save()` throw; ``SwiftDataError`` with the code `outcomeUnknown` when the connection
    ///   was lost while committing, `storeFailure` for everything else that the server or the connection reports.
    public func transaction(block: () throws -> Void) throws {
        try transaction(isolation: nil, block)
    }

    /// Runs `block` and saves, in one transaction with an isolation level (PostgreSQL manual, 13.2); blocks this
    /// thread.
    public func transaction<Result>(isolation: IsolationLevel?, _ block: () throws -> Result) throws -> Result {
        let isOutermost = unit.transactionLevels.isEmpty
        guard isOutermost || isolation == nil else {
            throw SwiftDataError(
                .unsupportedFeature,
                "A transaction within another cannot have an isolation level of its own. Give it to the outermost.")
        }
        if isOutermost {
            for session in unit.sessions { session.connection = try acquire(session) }
        }
        defer { if isOutermost { releaseConnections() } }
        // What is unsaved belongs to the level around this one, whatever becomes of this one.
        if !isOutermost { try save() }
        let opening = unit.openingBatch(isolation)
        do {
            for session in unit.sessions { try session.connection?.run(opening) }
            let result = try block()
            try save()
            try commit(in: openStores)
            unit.closeLevel()
            if isOutermost { noteMoments() }
            if isOutermost { noteCommitted() }
            return result
        } catch {
            let rollback = unit.rollbackBatch()
            // A lost connection has rolled back already; the error that led here is the one to report.
            for session in unit.sessions { try? session.connection?.run(rollback) }
            unit.undoLevel()
            throw explainTransaction(error)
        }
    }

    /// What asynchronous callers get as `transaction`: see the module Strata.
    package func suspendingTransaction<Result>(
        isolation: IsolationLevel? = nil, _ block: () async throws -> Result
    ) async throws -> Result {
        let isOutermost = unit.transactionLevels.isEmpty
        guard isOutermost || isolation == nil else {
            throw SwiftDataError(
                .unsupportedFeature,
                "A transaction within another cannot have an isolation level of its own. Give it to the outermost.")
        }
        if isOutermost {
            for session in unit.sessions {
                do {
                    session.connection = try await session.acquire(for: "transaction")
                } catch {
                    releaseConnections()
                    throw explainTransaction(error)
                }
            }
        }
        defer { if isOutermost { releaseConnections() } }
        // What is unsaved belongs to the level around this one, whatever becomes of this one.
        if !isOutermost { try await suspendingSave() }
        let opening = unit.openingBatch(isolation)
        do {
            for session in unit.sessions { try await session.connection?.run(opening) }
            let result = try await block()
            try await suspendingSave()
            try await commit(in: openStores)
            unit.closeLevel()
            if isOutermost { noteMoments() }
            if isOutermost { noteCommitted() }
            return result
        } catch {
            let rollback = unit.rollbackBatch()
            // Rolling back must happen although the task may be cancelled: the blocking form does not ask. It is one
            // short statement on a connection that nobody else uses.
            for session in unit.sessions { try? rollBack(session, rollback) }
            unit.undoLevel()
            throw explainTransaction(error)
        }
    }

    private var openStores: [OpenStore] {
        unit.sessions.compactMap { session in session.connection.map { (session, $0) } }
    }

    private func rollBack(_ session: StoreSession, _ batch: PostgresBatch) throws {
        try session.connection?.run(batch)
    }

    private func acquire(_ session: StoreSession) throws -> PostgresConnection {
        do {
            return try session.store.pool.acquire(for: "transaction")
        } catch {
            releaseConnections()
            throw explainTransaction(error)
        }
    }

    private func noteCommitted() {
        for session in unit.sessions where session.hasWritten { session.store.notifier?.committed() }
    }

    private func releaseConnections() {
        for session in unit.sessions {
            session.hasWritten = false
            guard let connection = session.connection else { continue }
            session.connection = nil
            session.store.pool.release(connection)
        }
    }

    private func explainTransaction(_ error: any Error) -> any Error {
        guard let error = error as? PostgresError else { return error }
        if error.code == .outcomeUnknown {
            return SwiftDataError(
                .outcomeUnknown,
                "The connection was lost while the transaction was being committed: it may have taken effect or not. Read "
                    + "what it should have written before doing it again.", underlying: error)
        }
        return SwiftDataError(.storeFailure, "The transaction failed: \(error.message)", underlying: error)
    }
}
