/// Rows that are being loaded by COPY while their caller does something else. The connection is occupied until the COPY is finished.
package final class CopyUnderWay {
    // Driven between rows: without checks for overlapping access.
    @exclusivity(unchecked) private var execution: CopyInExecution
    private let sql: String
    /// How long sending and reading have taken so far, without what the caller has done meanwhile; `nil` unless somebody observes.
    private var nanoseconds: Int64?
    private let connection: PostgresConnection
    private var isFinished = false

    init(_ execution: CopyInExecution, sql: String, isObserved: Bool, on connection: PostgresConnection) {
        (self.execution, self.sql, self.connection) = (execution, sql, connection)
        nanoseconds = isObserved ? 0 : nil
    }

    deinit {
        // The server still waits for rows that nobody would send.
        if !isFinished { connection.isBroken = true }
    }

    /// Sends and reads as far as that goes without waiting. What goes wrong is reported by ``finish()``.
    package func advance() {
        guard !isFinished else { return }
        let start = start
        execution.inputArrived()
        _ = execution.advance()
        noteTime(since: start)
    }

    /// Returns the number of rows when all are loaded; blocks this thread. To be called once.
    package func finish() throws -> Int {
        let start = start
        connection.drive(&execution)
        connection.cancellation.endAndWait()
        noteTime(since: start)
        if let failure = end() { throw failure }
        return execution.rowCount
    }

    /// Returns the number of rows when all are loaded, without blocking a thread. Cancelling the task ends it with `CancellationError`, and
    /// nothing is loaded.
    package func finish() async throws -> Int {
        let start = start
        await connection.driveCancellably(&execution)
        noteTime(since: start)
        if let failure = end() { throw connection.cancelled(failure) ?? failure }
        return execution.rowCount
    }

    private var start: MonotonicTime? { nanoseconds == nil ? nil : .now }

    private func noteTime(since start: MonotonicTime?) {
        if let start { nanoseconds? += start.nanoseconds(to: .now) }
    }

    private func end() -> (any Error)? {
        isFinished = true
        connection.isOccupied = false
        connection.report(sql, nanoseconds, rows: execution.rowCount, sentBytes: execution.byteCount, execution.failure)
        return execution.failure.map { connection.named($0, sql) }
    }
}
