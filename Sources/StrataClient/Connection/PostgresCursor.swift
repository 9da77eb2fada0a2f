import CLibPQ

/// A server-side cursor that hands out rows in batches, with the next batch always under way.
///
/// It has the connection for itself until ``close()``. Not Sendable, like the closures it calls.
package final class PostgresCursor {
    /// Where the rows of the batch that is read now go.
    private final class Sink {
        var onResult: ((PostgresResultDescription) throws -> Void)?
        var onRow: ((PostgresRow) throws -> Void)?
        var rows = 0
    }

    private let connection: PostgresConnection
    private let raw: OpaquePointer
    private let batchSize: Int
    private let ownsTransaction: Bool
    private let name: String
    private let fetch: PostgresStatement
    private let sink = Sink()
    /// The FETCH whose rows come next.
    private var current: BatchExecution
    private var isAtEnd = false
    private var isOpen = true

    /// Declares a cursor for the statement, in the connection's transaction or, when there is none, in one of its own. Sends
    /// the first FETCH along; the first answer is awaited by ``next(onResult:onRow:)``.
    package init(_ statement: PostgresStatement, on connection: PostgresConnection, batchSize: Int = 5000) throws {
        let raw = try connection.requireUsable()
        guard connection.looksAlive() else {
            connection.isBroken = true
            throw PostgresError(.connectionLost, "The server has closed the connection.", wasSent: false)
        }
        self.connection = connection
        self.raw = raw
        self.batchSize = max(1, batchSize)
        name = "strata_cursor"
        ownsTransaction = connection.transactionStatus == .idle && connection.deferredEntries.isEmpty
        fetch = PostgresStatement(
            PreparedSQL.interned("FETCH FORWARD \(self.batchSize) FROM \(name)"), name: statement.name)
        var batch = PostgresBatch()
        if ownsTransaction {
            batch.begin(readOnly: connection.configuration.readOnly)
            // All rows are wanted, not the first ones soon (manual, 20.7.4).
            batch.add(PostgresStatement(Self.planForAllRows))
        }
        let declaration = PreparedSQL(
            "DECLARE \(name) NO SCROLL CURSOR FOR \(statement.sql.text)", parameterTypes: statement.sql.parameterTypes,
            isCached: false)
        batch.add(PostgresStatement(declaration, parameters: statement.parameters, name: statement.name))
        // Not cached either: FETCH takes its columns from the cursor, which is another one next time.
        Self.addFetch(fetch, to: &batch, sink)
        current = BatchExecution(connection, raw, connection.deferredEntries + batch.entries)
        current.keepsPipeline = true
        try current.send()
        connection.deferredEntries.removeAll()
        connection.isOccupied = true
        connection.observer?.connection(connection.id, didSend: current.entries.map(\.statement.sql.text))
    }

    deinit {
        // Answers are still under way that nobody would read.
        if isOpen { connection.isBroken = true }
    }

    private static let planForAllRows = PreparedSQL("SET LOCAL cursor_tuple_fraction TO 1", isCached: false)

    private static func addFetch(_ fetch: PostgresStatement, to batch: inout PostgresBatch, _ sink: Sink) {
        let unprepared = PostgresStatement(PreparedSQL(fetch.sql.text, isCached: false), name: fetch.name)
        batch.add(
            unprepared,
            onResult: { try sink.onResult?($0) },
            onRow: {
                sink.rows += 1
                try sink.onRow?($0)
            })
    }

    /// Hands out the next batch; blocks this thread. Returns its number of rows; 0 means that there are no more.
    ///
    /// When it throws, the cursor is closed and a transaction of its own is rolled back.
    package func next(
        onResult: ((PostgresResultDescription) throws -> Void)? = nil, onRow: (PostgresRow) throws -> Void
    ) throws -> Int {
        guard try requireMore() else { return 0 }
        let following = try withoutActuallyEscaping(onRow) { onRow in
            let following = try prepareNext(onResult, onRow)
            connection.drive(&current)
            connection.cancellation.endAndWait()
            clearSink()
            return following
        }
        if let failure = current.failure {
            current = following
            try? close()
            throw failure
        }
        return take(following)
    }

    /// Hands out the next batch on the caller's isolation. Returns its number of rows; 0 means that there are no more.
    ///
    /// When it throws, or the task is cancelled, the cursor is closed and a transaction of its own is rolled back.
    package func next(
        onResult: ((PostgresResultDescription) throws -> Void)? = nil, onRow: @escaping (PostgresRow) throws -> Void
    ) async throws -> Int {
        guard try requireMore() else { return 0 }
        if Task.isCancelled {
            await abandon()
            throw CancellationError()
        }
        let following = try prepareNext(onResult, onRow)
        await connection.driveCancellably(&current)
        clearSink()
        if let failure = current.failure {
            current = following
            await abandon()
            if Task.isCancelled, (failure as? PostgresError)?.code == .cancelled { throw CancellationError() }
            throw failure
        }
        return take(following)
    }

    private func requireMore() throws -> Bool {
        guard isOpen else {
            throw PostgresError(.connectionUnavailable, "The cursor was closed.")
        }
        return !isAtEnd
    }

    /// Sends the FETCH after the one that is read now.
    private func prepareNext(
        _ onResult: ((PostgresResultDescription) throws -> Void)?, _ onRow: @escaping (PostgresRow) throws -> Void
    ) throws -> BatchExecution {
        var batch = PostgresBatch()
        Self.addFetch(fetch, to: &batch, sink)
        var following = BatchExecution(connection, raw, batch.entries)
        following.keepsPipeline = true
        try following.send()
        current.flushAgain()
        connection.observer?.connection(connection.id, didSend: batch.entries.map(\.statement.sql.text))
        connection.cancellation.begin()
        sink.onResult = onResult
        sink.onRow = onRow
        sink.rows = 0
        return following
    }

    private func clearSink() {
        sink.onResult = nil
        sink.onRow = nil
    }

    private func take(_ following: BatchExecution) -> Int {
        current = following
        if sink.rows < batchSize { isAtEnd = true }
        return sink.rows
    }

    // MARK: Closing

    /// Ends the cursor, and its own transaction with COMMIT. Calling it again does nothing. Blocks this thread.
    package func close() throws {
        guard isOpen else { return }
        isOpen = false
        current.drain()
        connection.drive(&current)
        guard leavePipeline(), let batch = closingBatch() else { return }
        try connection.run(batch)
    }

    /// Ends the cursor, and its own transaction with COMMIT. Calling it again does nothing.
    package func close() async throws {
        guard isOpen else { return }
        isOpen = false
        current.drain()
        connection.cancellation.begin()
        await connection.driveCancellably(&current)
        guard leavePipeline(), let batch = closingBatch() else { return }
        await connection.runUncancelled(batch)
        try Task.checkCancellation()
        _ = try connection.requireUsable()
    }

    /// Ends the cursor although the task may be cancelled; the FETCH that is under way is stopped.
    private func abandon() async {
        guard isOpen else { return }
        isOpen = false
        current.drain()
        connection.cancellation.begin()
        connection.cancellation.request()
        await connection.drive(&current)
        await connection.cancellation.end()
        guard leavePipeline(), let batch = closingBatch() else { return }
        await connection.runUncancelled(batch)
    }

    private func leavePipeline() -> Bool {
        connection.isOccupied = false
        guard connection.isUsable else { return false }
        guard PQexitPipelineMode(raw) == 1 else {
            connection.isBroken = true
            return false
        }
        return true
    }

    private func closingBatch() -> PostgresBatch? {
        var batch = PostgresBatch()
        switch (connection.transactionStatus, ownsTransaction) {
        case (.inTransaction, true): batch.commit()
        case (.failed, true): batch.rollback()
        case (.inTransaction, false):
            batch.add(PostgresStatement(PreparedSQL("CLOSE \(name)", isCached: false)))
        default: return nil
        }
        return batch
    }
}
