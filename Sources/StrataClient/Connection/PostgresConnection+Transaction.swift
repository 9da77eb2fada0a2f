extension PostgresConnection {
    /// Runs `body` in a transaction and commits it; rolls back when `body` throws. Inside another transaction it sets a
    /// savepoint instead, and an error undoes only what came after that.
    ///
    /// BEGIN travels with the first statement. `body` may put `commit()` into its last batch, which saves a round trip.
    package func withTransaction<Result>(
        isolation: IsolationLevel? = nil, readOnly: Bool = false, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        let scope = try beginTransaction(isolation: isolation, readOnly: readOnly)
        do {
            let result = try body(self)
            if let batch = commitBatch(scope) { try run(batch) }
            endTransaction(scope)
            return result
        } catch {
            // The first error is what the caller must learn; a connection that cannot roll back is thrown away.
            if let batch = rollbackBatch(scope) {
                do { try run(batch) } catch { isBroken = true }
            }
            endTransaction(scope)
            throw error
        }
    }

    /// Runs `body` in a transaction and commits it; rolls back when `body` throws, also when the task was cancelled.
    /// Inside another transaction it sets a savepoint instead, and an error undoes only what came after that.
    ///
    /// BEGIN travels with the first statement. `body` may put `commit()` into its last batch, which saves a round trip.
    package func withTransaction<Result>(
        isolation: IsolationLevel? = nil, readOnly: Bool = false, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let scope = try beginTransaction(isolation: isolation, readOnly: readOnly)
        do {
            let result = try await body(self)
            if let batch = commitBatch(scope) { try await run(batch) }
            endTransaction(scope)
            return result
        } catch {
            if let batch = rollbackBatch(scope) { await runUncancelled(batch) }
            endTransaction(scope)
            throw error
        }
    }

    /// Sends these in front of the next batch: the BEGIN, or the SAVEPOINT, of a transaction that the caller keeps.
    ///
    /// - Parameter limits: of this transaction, in place of the session's.
    /// - Throws: ``PostgresError`` (`invalidConfiguration`), with nothing prepended, for limits that the server cannot keep.
    package func prepend(_ opening: consuming PostgresBatch, limits: SessionLimits = SessionLimits()) throws {
        for (name, milliseconds) in try limits.settings(serverVersion: serverVersion) {
            // A time that runs is not replaced by another one, but by none it is (transaction_timeout).
            for value in [0, milliseconds] {
                var parameters = PostgresParameters()
                try parameters.append(name)
                try parameters.append("\(value)")
                opening.add(PostgresStatement(Self.transactionSetting, parameters: parameters).storingNothing)
            }
        }
        if deferredEntries.isEmpty { deferredEntries = opening.entries } else { deferredEntries += opening.entries }
        // Some time may pass until then.
        isKnownAlive = false
    }

    private static let transactionSetting = PreparedSQL("SELECT pg_catalog.set_config($1, $2, true)")

    /// What is open on the connection.
    package var transactionState: TransactionState { TransactionState(openTransaction, transactionStatus) }

    /// Whether a transaction is open, or begins with the next batch.
    package var hasTransaction: Bool { transactionStatus != .idle || !deferredEntries.isEmpty }

    /// Whether the open transaction may have stored something so far: it has carried out a statement that is not known to store nothing.
    package var mayHaveStored: Bool { openTransaction?.mayHaveStored ?? false }

    /// Forgets the BEGIN, or the SAVEPOINT of this name, and what was to follow it. False when it has been sent.
    package func dropPrepended(savepoint: String?) -> Bool {
        let opening = savepoint.map { PostgresBatch.Entry.Role.savepoint(.set($0)) } ?? .begin
        guard let index = deferredEntries.firstIndex(where: { $0.role == opening }) else { return false }
        deferredEntries.removeSubrange(index...)
        return true
    }

    /// A transaction or a savepoint within one.
    private struct TransactionScope {
        let savepoint: String?
        /// How many entries were deferred before this scope's own.
        let deferredBefore: Int
    }

    private func beginTransaction(isolation: IsolationLevel?, readOnly: Bool) throws -> TransactionScope {
        _ = try requireUsable()
        let deferredBefore = deferredEntries.count
        var batch = PostgresBatch()
        var savepoint: String?
        if transactionDepth == 0, transactionStatus == .idle {
            batch.begin(isolation, readOnly: readOnly)
        } else {
            guard isolation == nil, !readOnly else {
                throw PostgresError(
                    .invalidConfiguration, "A nested transaction runs with the isolation of the one around it.")
            }
            let name = "strata_\(transactionDepth)"
            batch.savepoint(name)
            savepoint = name
        }
        transactionDepth += 1
        deferredEntries += batch.entries
        return TransactionScope(savepoint: savepoint, deferredBefore: deferredBefore)
    }

    /// What must be sent to make the scope permanent; nil when nothing was sent in it or it was ended already.
    private func commitBatch(_ scope: TransactionScope) -> PostgresBatch? {
        if deferredEntries.count > scope.deferredBefore {
            deferredEntries.removeSubrange(scope.deferredBefore...)
            return nil
        }
        guard transactionStatus != .idle else { return nil }
        var batch = PostgresBatch()
        if let savepoint = scope.savepoint { batch.release(savepoint) } else { batch.commit() }
        return batch
    }

    /// What must be sent to undo the scope.
    private func rollbackBatch(_ scope: TransactionScope) -> PostgresBatch? {
        if deferredEntries.count > scope.deferredBefore {
            deferredEntries.removeSubrange(scope.deferredBefore...)
            return nil
        }
        guard isUsable, transactionStatus == .inTransaction || transactionStatus == .failed else { return nil }
        var batch = PostgresBatch()
        if let savepoint = scope.savepoint {
            batch.rollback(to: savepoint)
            batch.release(savepoint)
        } else {
            batch.rollback()
        }
        return batch
    }

    private func endTransaction(_ scope: TransactionScope) {
        transactionDepth -= 1
        if scope.savepoint == nil { transactionDepth = 0 }
    }

    /// Runs the batch although the task may be cancelled: one that ends a transaction. No thread is blocked.
    package func runToEnd(_ batch: PostgresBatch) async throws {
        var run = try BatchRun(self, batch)
        await drive(&run)
        await cancellation.end()
        isOccupied = false
        if let failure = run.failure { throw failure }
    }

    /// Runs the batch although the task may be cancelled; a connection that fails here is thrown away. Once the task is
    /// cancelled, the server has no more time to answer than it has to stop.
    // Not in terms of runToEnd: the optimizer of Swift 6.3 fails when that is inlined into PostgresCursor.close().
    package func runUncancelled(_ batch: PostgresBatch) async {
        guard var run = try? BatchRun(self, batch) else {
            isBroken = true
            return
        }
        let cancellation = cancellation
        await withCancellationHandler {
            await drive(&run)
        } onCancel: {
            cancellation.limit()
        }
        await cancellation.end()
        isOccupied = false
        if run.failure != nil { isBroken = true }
    }
}
