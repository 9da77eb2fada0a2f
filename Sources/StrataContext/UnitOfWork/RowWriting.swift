import StrataClient
import StrataRepository

/// One batch of rows on its way into the tables. Its last COPY goes on while the rows of the next batch are encoded.
final class RowWriting {
    let batch: RowBatch
    let execution: RowBatchExecution
    let connection: PostgresConnection
    private var step: RowBatchExecution.Step?
    /// The COPY that goes on.
    private var copy: CopyUnderWay?

    init(_ batch: RowBatch, keys: KeySource, on connection: PostgresConnection) {
        self.batch = batch
        self.connection = connection
        execution = RowBatchExecution(batch, keys: keys)
    }

    /// Writes the batch up to its last COPY, which goes on when this returns; blocks this thread.
    func begin() throws { try carryOut(leavingLastCopy: true) }

    /// Writes the batch up to its last COPY, which goes on when this returns.
    func begin() async throws { try await carryOut(leavingLastCopy: true) }

    /// Lets the last COPY go on as far as it can without waiting.
    func advance() { copy?.advance() }

    /// Writes what is left of the batch; blocks this thread.
    func finish() throws { try carryOut(leavingLastCopy: false) }

    /// Writes what is left of the batch.
    func finish() async throws { try await carryOut(leavingLastCopy: false) }

    private func carryOut(leavingLastCopy: Bool) throws {
        while true {
            do {
                try finishCopy()
                while let next = try nextStep() {
                    switch next {
                    case .batch(let statements): try connection.run(statements)
                    case .copy(let rows):
                        try connection.sendDeferredEntries()
                        copy = try begin(rows)
                        if leavingLastCopy, execution.isAtLastCopy { return }
                        try finishCopy()
                    }
                }
                return
            } catch { try execution.recover(from: error, during: step) }
        }
    }

    private func carryOut(leavingLastCopy: Bool) async throws {
        while true {
            do {
                try await finishCopy()
                while let next = try nextStep() {
                    switch next {
                    case .batch(let statements): try await connection.run(statements)
                    case .copy(let rows):
                        try await connection.sendDeferredEntries()
                        copy = try begin(rows)
                        if leavingLastCopy, execution.isAtLastCopy { return }
                        try await finishCopy()
                    }
                }
                return
            } catch { try execution.recover(from: error, during: step) }
        }
    }

    private func nextStep() throws -> RowBatchExecution.Step? {
        step = try execution.next()
        return step
    }

    private func begin(_ rows: RowCopy) throws -> CopyUnderWay {
        try connection.beginCopyIn(rows.sql, columns: rows.columnCount, nextRow: rows.makeNextRow())
    }

    private func finishCopy() throws {
        guard let copy else { return }
        self.copy = nil
        _ = try copy.finish()
    }

    private func finishCopy() async throws {
        guard let copy else { return }
        self.copy = nil
        _ = try await copy.finish()
    }
}
