public import StrataClient
import StrataModels

extension ModelContext {
    /// Runs `block` and saves, in one transaction: fetches in it see what it wrote. Blocks this thread.
    ///
    /// When `block` or the save throws, everything is rolled back, in the store and in memory; what was unsaved before is
    /// unsaved still, with the values of then. Within another transaction, which saves first what is unsaved, it is a
    /// savepoint: only what happened inside is rolled back. Round trips: those of `block` and the save. It begins with the first
    /// statement and is committed with the save; one more when the save has nothing to write, or `block` leaves something running.
    /// - Throws: what `block` and `save()` throw; ``SwiftDataError`` with the code `outcomeUnknown` when the connection
    ///   was lost while committing, `storeFailure` for everything else that the server or the connection reports.
    public func transaction(block: () throws -> Void) throws {
        try transaction(isolation: nil, block)
    }

    /// Runs `block` and saves, in one transaction with an isolation level (PostgreSQL manual, 13.2); blocks this
    /// thread.
    public func transaction<Result>(isolation: IsolationLevel?, _ block: () throws -> Result) throws -> Result {
        if unit.transaction.isOpen {
            // What cannot begin saves nothing.
            try checkTransaction(isolation)
            // What is unsaved belongs to the level around this one, whatever becomes of this one.
            try save()
        }
        return try transactionWithoutSavingFirst(isolation: isolation, block)
    }

    /// The same, but what is unsaved within another transaction stays so if this one fails.
    func transactionWithoutSavingFirst<Result>(
        isolation: IsolationLevel? = nil, _ block: () throws -> Result
    ) throws -> Result {
        try checkTransaction(isolation)
        unit.finishRowsUnderWay()
        let isOutermost = !unit.transaction.isOpen
        let scope = unit.enterLevel()
        defer { if isOutermost { releaseConnections() } }
        if isOutermost {
            do {
                for session in unit.sessions { session.transactionLease = try session.leaseTransaction(isolation) }
            } catch {
                unit.leaveLevel(scope)
                throw explainTransaction(error)
            }
        }
        do {
            try prependOpening(of: scope, isolation)
            let result = try scope.enter {
                let result = try block()
                try save(ending: scope)
                return result
            }
            // The save may have ended it.
            guard unit.transaction.isOpen(scope) else { return result }
            unit.transaction.close(scope)
            try perform(unit.commitParts(scope))
            finishTransaction(isOutermost)
            return result
        } catch {
            unit.noteOutcome(of: error)
            unit.transaction.close(scope)
            let savepoint = unit.savepoint(of: scope)
            // A lost connection has rolled back already; the error that led here is the one to report.
            for connection in connectionsToRollBack(savepoint) { try? connection.run(unit.rollbackBatch(scope)) }
            unit.undoLevel(scope)
            throw explainTransaction(error)
        }
    }

    /// What asynchronous callers get as `transaction`: see the module Strata.
    package func suspendingTransaction<Result>(
        isolation: IsolationLevel? = nil, _ block: () async throws -> Result
    ) async throws -> Result {
        if unit.transaction.isOpen {
            // What cannot begin saves nothing; and by the time that has saved, another task may have begun something.
            try checkTransaction(isolation)
            let around = unit.transaction.innermost
            // What is unsaved belongs to the level around this one, whatever becomes of this one.
            try await suspendingSave()
            try unit.requireOpen(around)
        }
        return try await suspendingTransactionWithoutSavingFirst(isolation: isolation, block)
    }

    /// The same, but what is unsaved within another transaction stays so if this one fails.
    func suspendingTransactionWithoutSavingFirst<Result>(
        isolation: IsolationLevel? = nil, _ block: () async throws -> Result
    ) async throws -> Result {
        try checkTransaction(isolation)
        let isOutermost = !unit.transaction.isOpen
        let scope = isOutermost ? try await beginTransaction(isolation) : try await beginLevel()
        defer { if isOutermost { releaseConnections() } }
        do {
            let result = try await scope.enter {
                let result = try await PostgresConnection.stopping(unit.sessions.compactMap(\.connection), block)
                try unit.requireInnermost(scope)
                try await suspendingSave(ending: scope)
                return result
            }
            // The save may have ended it.
            guard unit.transaction.isOpen(scope) else { return result }
            unit.transaction.close(scope)
            if isOutermost { await unit.awaitUses() }
            // In turn: what the block has left under way may be about to send the savepoint.
            try await perform(await unit.inTurn { unit.commitParts(scope) })
            finishTransaction(isOutermost)
            return result
        } catch {
            unit.noteOutcome(of: error)
            // Rolled back with the level around it.
            guard unit.transaction.isOpen(scope) else { throw explainTransaction(error) }
            unit.transaction.close(scope)
            if isOutermost { await unit.awaitUses() }
            // A lost connection has rolled back already; the error that led here is the one to report.
            let savepoint = unit.savepoint(of: scope)
            await unit.inTurn {
                for connection in connectionsToRollBack(savepoint) {
                    await connection.runUncancelled(unit.rollbackBatch(scope))
                }
            }
            unit.undoLevel(scope)
            throw explainTransaction(error)
        }
    }

    private func beginTransaction(_ isolation: IsolationLevel?) async throws -> TransactionScope {
        let scope = unit.enterLevel()
        do {
            for session in unit.sessions { session.transactionLease = try await session.leaseTransaction(isolation) }
            try prependOpening(of: scope, isolation)
        } catch {
            unit.leaveLevel(scope)
            releaseConnections()
            throw explainTransaction(error)
        }
        return scope
    }

    /// Begins a level within. What other tasks of the transaction send comes to its end first: the savepoint would go out with it,
    /// and take it along when the level fails.
    private func beginLevel() async throws -> TransactionScope {
        let around = unit.transaction.innermost
        return try await unit.usingTransaction {
            try await unit.inTurn {
                try unit.requireOpen(around)
                try checkTransaction(nil)
                let scope = unit.enterLevel()
                try prependOpening(of: scope, nil)
                return scope
            }
        }
    }

    private func prependOpening(of scope: TransactionScope, _ isolation: IsolationLevel?) throws {
        let opening = unit.openingBatch(scope, isolation)
        // Those of the outermost hold for what is within.
        let limits = unit.savepoint(of: scope) == nil ? unit.transactionLimits : SessionLimits()
        for session in unit.sessions { try session.connection?.prepend(opening, limits: limits) }
    }

    private func checkTransaction(_ isolation: IsolationLevel?) throws {
        try unit.requireTurn()
        guard !unit.isSaving else { throw saveUnderWay }
        guard !unit.transaction.isOpen || isolation == nil else {
            throw SwiftDataError(
                .unsupportedFeature,
                "A transaction within another cannot have an isolation level of its own. Give it to the outermost.")
        }
    }

    /// - Returns: the place in the history of what was committed; `nil` within another transaction.
    @discardableResult
    private func finishTransaction(_ isOutermost: Bool) -> DefaultHistoryToken? {
        unit.closeLevel()
        guard isOutermost else { return nil }
        let token = noteMoments()
        noteCommitted()
        return token
    }

    /// The last save of a transaction has committed it: from here on the context is in none.
    func endTransaction(_ scope: TransactionScope) -> DefaultHistoryToken? {
        unit.transaction.close(scope)
        let token = finishTransaction(true)
        releaseConnections()
        return token
    }

    /// Those whose transaction is open: of others nothing was sent, or a COMMIT that failed has ended it.
    private func connectionsToRollBack(_ savepoint: String?) -> [PostgresConnection] {
        unit.sessions.compactMap(\.connection).filter {
            !$0.dropPrepended(savepoint: savepoint) && $0.transactionStatus != .idle
        }
    }

    private func noteCommitted() {
        for session in unit.sessions where session.hasWritten { session.noteCommitted() }
    }

    /// Gives the connections back, unless another transaction has begun and has its own by now.
    private func releaseConnections() {
        guard !unit.transaction.isOpen else { return }
        for session in unit.sessions {
            session.hasWritten = false
            guard let lease = session.transactionLease else { continue }
            session.transactionLease = nil
            lease.end()
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
