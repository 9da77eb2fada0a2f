extension PostgresConnection {
    /// Loads rows with `COPY table (…) FROM STDIN (FORMAT binary)`; blocks this thread.
    ///
    /// `nextRow` appends the values of one row, with exactly the columns' types, and returns true; or false at the end. When it
    /// throws, nothing is loaded. Returns the number of rows.
    @discardableResult
    package func copyIn(
        _ sql: String, columns: Int, nextRow: (inout PostgresCopyRow) throws -> Bool
    ) throws -> Int {
        try withoutActuallyEscaping(nextRow) { nextRow in
            try sendDeferredEntries()
            return try beginCopyIn(sql, columns: columns, nextRow: nextRow).finish()
        }
    }

    /// Loads rows with `COPY table (…) FROM STDIN (FORMAT binary)` without blocking a thread; see the blocking twin.
    /// Cancelling the task ends it with `CancellationError`, and nothing is loaded.
    @discardableResult
    package func copyIn(
        _ sql: String, columns: Int, nextRow: @escaping (inout PostgresCopyRow) throws -> Bool
    ) async throws -> Int {
        try Task.checkCancellation()
        try await sendDeferredEntries()
        return try await beginCopyIn(sql, columns: columns) { row in
            try Task.checkCancellation()
            return try nextRow(&row)
        }.finish()
    }

    /// Begins to load rows, as ``copyIn(_:columns:nextRow:)``, and returns without waiting: the caller may do something else while the server
    /// loads them. It has the connection until it is finished.
    ///
    /// A BEGIN that was put off has been sent before: ``sendDeferredEntries()``.
    package func beginCopyIn(
        _ sql: String, columns: Int, nextRow: @escaping (inout PostgresCopyRow) throws -> Bool
    ) throws -> CopyUnderWay {
        let (raw, sent) = try occupy(sql)
        openTransaction?.mayHaveStored = true
        do {
            return CopyUnderWay(
                try CopyInExecution(self, raw, sql: sql, columns: columns, nextRow: nextRow), sql: sql,
                isObserved: sent != nil, on: self)
        } catch {
            isOccupied = false
            throw error
        }
    }

    /// Reads rows with `COPY … TO STDOUT (FORMAT binary)`; blocks this thread. Returns the number of rows.
    @discardableResult
    package func copyOut(_ sql: String, onRow: (PostgresCopiedRow) throws -> Void) throws -> Int {
        try withoutActuallyEscaping(onRow) { onRow in
            try sendDeferredEntries()
            let (raw, sent) = try occupy(sql)
            defer { isOccupied = false }
            var copy = try CopyOutExecution(self, raw, sql: sql, onRow: onRow)
            drive(&copy)
            cancellation.endAndWait()
            report(sql, sent?.nanoseconds(to: .now), rows: copy.rowCount, receivedBytes: copy.byteCount, copy.failure)
            if let failure = copy.failure { throw named(failure, sql) }
            return copy.rowCount
        }
    }

    /// Reads rows with `COPY … TO STDOUT (FORMAT binary)` without blocking a thread. Returns the number of rows.
    @discardableResult
    package func copyOut(_ sql: String, onRow: @escaping (PostgresCopiedRow) throws -> Void) async throws -> Int {
        try Task.checkCancellation()
        try await sendDeferredEntries()
        let (raw, sent) = try occupy(sql)
        defer { isOccupied = false }
        var copy = try CopyOutExecution(self, raw, sql: sql, onRow: onRow)
        await driveCancellably(&copy)
        report(sql, sent?.nanoseconds(to: .now), rows: copy.rowCount, receivedBytes: copy.byteCount, copy.failure)
        if let failure = copy.failure { throw cancelled(failure) ?? named(failure, sql) }
        return copy.rowCount
    }

    /// Sends what cannot travel with a COPY: a BEGIN, or a SAVEPOINT, that was put off, and the call's settings. Blocks this thread.
    package func sendDeferredEntries() throws {
        if let batch = try batchBeforeCopy() { try send(batch) }
    }

    /// Sends what cannot travel with a COPY: a BEGIN, or a SAVEPOINT, that was put off, and the call's settings.
    package func sendDeferredEntries() async throws {
        if let batch = try batchBeforeCopy() { try await send(batch) }
    }

    /// What goes out with the entries that were put off: they stay until they are sent. `nil` when there is nothing to send.
    private func batchBeforeCopy() throws -> PostgresBatch? {
        var batch = PostgresBatch()
        // They are of a transaction: without one they would be over before the COPY.
        if let callSettings, hasTransaction { batch.entries.append(try callSettings.entry()) }
        return batch.isEmpty && deferredEntries.isEmpty ? nil : batch
    }

    /// Takes the connection for a COPY. The time is that of sending it; `nil` unless somebody observes.
    private func occupy(_ sql: String) throws -> (raw: OpaquePointer, sent: MonotonicTime?) {
        let raw = try requireUsable()
        guard !sql.utf8.contains(0) else { throw PostgresError.zeroCharacter() }
        guard looksAlive() else {
            isBroken = true
            throw lossError("The server has closed the connection: ", wasSent: false)
        }
        isOccupied = true
        cancellation.begin()
        logger.trace("\(sql)")
        guard let observer else { return (raw, nil) }
        if observer.recordsFlushes { observer.connection(id, didSend: [sql]) }
        return (raw, observer.observes(call) ? .now : nil)
    }

    /// Tells the observer how a COPY has ended.
    ///
    /// - Parameter nanoseconds: how long it took; `nil` unless somebody observes.
    func report(
        _ sql: String, _ nanoseconds: Int64?, rows: Int, sentBytes: Int = 0, receivedBytes: Int = 0,
        _ failure: (any Error)?
    ) {
        guard let nanoseconds else { return }
        observer?.didComplete(
            ObservedStatement(
                name: nil, entity: nil, sql: .interned(sql), rows: rows, sentBytes: sentBytes,
                receivedBytes: receivedBytes, nanoseconds: nanoseconds, connection: id,
                error: failure as? PostgresError,
                calls: call))
    }

    func named(_ failure: any Error, _ sql: String) -> any Error {
        (failure as? PostgresError)?.naming(nil, sql: sql) ?? failure
    }

    func cancelled(_ failure: any Error) -> (any Error)? {
        Task.isCancelled && (failure as? PostgresError)?.code == .cancelled ? CancellationError() : nil
    }
}
