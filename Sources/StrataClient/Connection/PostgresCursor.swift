import CLibPQ

/// A server-side cursor that hands out rows in batches, with what comes next always under way.
///
/// A batch is read in portions, each a result of its own that libpq keeps as a whole: row by row it would copy the
/// description of the columns for each row. While a portion is read, the server works on the ones after it.
///
/// It has the connection for itself until ``close()``. Not Sendable, like the closures it calls.
package final class PostgresCursor {
    /// Where the rows of the batch that is read now go.
    private final class Sink {
        var onResult: ((PostgresResultDescription) throws -> Void)?
        // Used for every row: without checks for overlapping access.
        @exclusivity(unchecked) var onRow: ((PostgresRow) throws -> Void)?
        @exclusivity(unchecked) var rows = 0
    }

    /// Rows of a portion: about as many as a socket's buffer holds, so that the server need not wait for the reader.
    private static let portion = 1000
    /// Portions under way beside the one that is read.
    private static let ahead = 2

    private let connection: PostgresConnection
    private let raw: OpaquePointer
    private let batchSize: Int
    private let ownsTransaction: Bool
    private let name: String
    private let statementName: String?
    private let entity: String?
    private let sink = Sink()
    /// What was sent and not read to its end, the oldest first, each with the rows it asked for.
    @exclusivity(unchecked) private var underWay: [(execution: BatchExecution, rows: Int)] = []
    /// Rows asked for since the last batch was complete.
    private var asked = 0
    private var isAtEnd = false
    private var isOpen = true

    /// Declares a cursor for the statement, in the connection's transaction or, when there is none, in one of its own. Sends
    /// the first FETCH along; the first answer is awaited by ``next(onResult:onRow:)``.
    package init(_ statement: PostgresStatement, on connection: PostgresConnection, batchSize: Int = 5000) throws {
        let raw = try connection.requireUsable()
        guard connection.looksAlive() else {
            connection.isBroken = true
            throw connection.lossError("The server has closed the connection: ", wasSent: false)
        }
        self.connection = connection
        self.raw = raw
        self.batchSize = max(1, batchSize)
        name = "strata_cursor"
        ownsTransaction = connection.transactionStatus == .idle && connection.deferredEntries.isEmpty
        statementName = statement.name
        entity = statement.entity
        var batch = PostgresBatch()
        if ownsTransaction {
            batch.begin(readOnly: connection.configuration.readOnly)
            // All rows are wanted, not the first ones soon (manual, 20.7.4).
            batch.add(PostgresStatement(Self.planForAllRows))
        }
        let declaration = PreparedSQL(
            "DECLARE \(name) NO SCROLL CURSOR FOR \(statement.sql.text)", parameterTypes: statement.sql.parameterTypes,
            isCached: false)
        batch.add(
            PostgresStatement(
                declaration, parameters: statement.parameters, name: statement.name, entity: statement.entity))
        addFetch(to: &batch)
        try send(try connection.onTerms(connection.deferredEntries + batch.entries))
        connection.deferredEntries.removeAll()
        connection.isOccupied = true
    }

    deinit {
        // Answers are still under way that nobody would read.
        if !underWay.isEmpty { connection.isBroken = true }
    }

    private static let planForAllRows = PreparedSQL("SET LOCAL cursor_tuple_fraction TO 1", isCached: false)

    /// How many rows are asked for next.
    private var nextPortion: Int { min(Self.portion, batchSize - asked) }

    private func addFetch(to batch: inout PostgresBatch) {
        // Not prepared: FETCH takes its columns from the cursor, which is another one next time.
        let fetch = PreparedSQL("FETCH FORWARD \(nextPortion) FROM \(name)", isCached: false)
        batch.add(
            PostgresStatement(fetch, name: statementName, entity: entity),
            onResult: { [sink] in try sink.onResult?($0) },
            onRow: { [sink] in
                sink.rows += 1
                try sink.onRow?($0)
            })
    }

    /// Sends these, the next FETCH being the last of them.
    private func send(_ entries: [PostgresBatch.Entry]) throws {
        let rows = nextPortion
        var execution = BatchExecution(connection, raw, entries)
        execution.keepsPipeline = true
        execution.readsWholeResults = true
        try execution.send()
        asked = asked + rows == batchSize ? 0 : asked + rows
        underWay.append((execution, rows))
        if let observer = connection.observer, observer.recordsFlushes {
            observer.connection(connection.id, didSend: execution.entries.map(\.statement.sql.text))
        }
    }

    /// Hands out the next batch; blocks this thread. Returns its number of rows; 0 means that there are no more.
    ///
    /// When it throws, the cursor is closed and a transaction of its own is rolled back.
    package func next(
        onResult: ((PostgresResultDescription) throws -> Void)? = nil, onRow: (PostgresRow) throws -> Void
    ) throws -> Int {
        guard try requireMore() else { return 0 }
        try withoutActuallyEscaping(onRow) { onRow in
            begin(onResult, onRow)
            defer { clearSink() }
            repeat {
                try sendAhead()
                let before = sink.rows
                connection.drive(&underWay[0].execution)
                connection.cancellation.endAndWait()
                if let failure = endPortion(before) {
                    try? close()
                    throw failure
                }
            } while !isAtEnd && sink.rows < batchSize
        }
        return sink.rows
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
        begin(onResult, onRow)
        defer { clearSink() }
        repeat {
            try sendAhead()
            let before = sink.rows
            await connection.driveCancellably(&underWay[0].execution)
            if let failure = endPortion(before) {
                await abandon()
                if Task.isCancelled, (failure as? PostgresError)?.code == .cancelled { throw CancellationError() }
                throw failure
            }
        } while !isAtEnd && sink.rows < batchSize
        return sink.rows
    }

    private func requireMore() throws -> Bool {
        guard isOpen else {
            throw PostgresError(.connectionUnavailable, "The cursor was closed.")
        }
        return !isAtEnd
    }

    private func begin(
        _ onResult: ((PostgresResultDescription) throws -> Void)?, _ onRow: @escaping (PostgresRow) throws -> Void
    ) {
        sink.onResult = onResult
        sink.onRow = onRow
        sink.rows = 0
    }

    /// Takes in what has arrived of the next batch, without waiting and without reading it: as long as a socket's buffer is full
    /// the server stands still.
    ///
    /// For who works on a batch for longer. What goes wrong is reported by ``next(onResult:onRow:)``.
    package func takeIn() {
        guard isOpen, !underWay.isEmpty else { return }
        // A failure shows up as the result that PQgetResult makes of it.
        _ = PQconsumeInput(raw)
    }

    /// Sends the portions after the one that is read now.
    private func sendAhead() throws {
        // A server that has said goodbye meanwhile takes nothing more; why, is in what was taken in.
        while underWay.count <= Self.ahead, underWay.isEmpty || PQstatus(raw) == CONNECTION_OK {
            var batch = PostgresBatch()
            addFetch(to: &batch)
            try send(batch.entries)
        }
        underWay[0].execution.flushAgain()
        connection.cancellation.begin()
    }

    /// The oldest portion was read to its end, or has failed.
    private func endPortion(_ before: Int) -> (any Error)? {
        let portion = underWay.removeFirst()
        if let failure = portion.execution.failure { return failure }
        // The rows came, and no answer to the request to stop them: what follows would be waited for without an end.
        if connection.cancellation.hasCut { return connection.lossError(wasSent: true) }
        if sink.rows - before < portion.rows { isAtEnd = true }
        return nil
    }

    private func clearSink() {
        sink.onResult = nil
        sink.onRow = nil
    }

    // MARK: Closing

    /// Ends the cursor, and its own transaction. Calling it again does nothing. Blocks this thread.
    package func close() throws {
        guard isOpen else { return }
        isOpen = false
        if var draining = beginDraining() {
            connection.drive(&draining)
            connection.cancellation.endAndWait()
        }
        guard leavePipeline(), let batch = closingBatch() else { return }
        try connection.run(batch)
    }

    /// Ends the cursor, and its own transaction. Calling it again does nothing.
    package func close() async throws {
        guard isOpen else { return }
        isOpen = false
        if var draining = beginDraining() { await connection.driveCancellably(&draining) }
        guard leavePipeline(), let batch = closingBatch() else { return }
        await connection.runUncancelled(batch)
        try Task.checkCancellation()
        _ = try connection.requireUsable()
    }

    /// Ends the cursor although the task may be cancelled.
    private func abandon() async {
        guard isOpen else { return }
        isOpen = false
        if var draining = beginDraining() { await connection.driveCancellably(&draining) }
        guard leavePipeline(), let batch = closingBatch() else { return }
        await connection.runUncancelled(batch)
    }

    // MARK: What is under way

    /// How long what is under way may take before the server is asked to stop: asking costs it a connection, and mostly the
    /// rows are there.
    private static let patience = 0.01

    /// All that is under way, read in vain to its end.
    private struct Draining: SocketWork {
        var executions: [BatchExecution]

        mutating func advance() -> SocketNeed {
            while !executions.isEmpty {
                let need = executions[0].advance()
                guard case .done = need else { return need }
                executions.removeFirst()
            }
            return .done
        }

        mutating func inputArrived() {
            if !executions.isEmpty { executions[0].inputArrived() }
        }
    }

    /// The server is asked to stop once, for all that is under way: what follows the FETCH that it stops fails by itself, in a
    /// transaction that has failed. In a transaction of somebody else it is not asked: that is to go on.
    private func beginDraining() -> Draining? {
        guard !underWay.isEmpty else { return nil }
        var draining = Draining(executions: underWay.map(\.execution))
        underWay = []
        // Of a connection that was cut nothing comes any more.
        guard connection.isUsable else {
            connection.isBroken = true
            return nil
        }
        for index in draining.executions.indices { draining.executions[index].drain() }
        connection.cancellation.begin()
        if ownsTransaction, !isAtEnd { connection.cancellation.request(after: Self.patience) }
        return draining
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
