/// Rows that are being loaded by COPY while their caller does something else. The connection is occupied until the COPY is finished.
package final class CopyUnderWay {
    // Driven between rows: without checks for overlapping access.
    @exclusivity(unchecked) private var execution: CopyInExecution
    private let sql: String
    /// When it was sent; `nil` unless somebody observes.
    private let sent: MonotonicTime?
    private let connection: PostgresConnection
    private var isFinished = false

    init(_ execution: CopyInExecution, sql: String, sent: MonotonicTime?, on connection: PostgresConnection) {
        (self.execution, self.sql, self.sent, self.connection) = (execution, sql, sent, connection)
    }

    deinit {
        // The server still waits for rows that nobody would send.
        if !isFinished { connection.isBroken = true }
    }

    /// Sends and reads as far as that goes without waiting. What goes wrong is reported by ``finish()``.
    package func advance() {
        guard !isFinished else { return }
        execution.inputArrived()
        _ = execution.advance()
    }

    /// Returns the number of rows when all are loaded; blocks this thread. To be called once.
    package func finish() throws -> Int {
        connection.drive(&execution)
        connection.cancellation.endAndWait()
        if let failure = end() { throw failure }
        return execution.rowCount
    }

    /// Returns the number of rows when all are loaded, without blocking a thread. Cancelling the task ends it with `CancellationError`, and
    /// nothing is loaded.
    package func finish() async throws -> Int {
        await connection.driveCancellably(&execution)
        if let failure = end() { throw connection.cancelled(failure) ?? failure }
        return execution.rowCount
    }

    private func end() -> (any Error)? {
        isFinished = true
        connection.isOccupied = false
        connection.report(sql, sent, rows: execution.rowCount, execution.failure)
        return execution.failure.map { connection.named($0, sql) }
    }
}
