import CLibPQ
import Logging

/// A batch from its check to its end: sends it, ends a failed transaction, and repeats it when prepared statements were
/// stale. The blocking and the asynchronous caller differ only in how they wait.
struct BatchRun: SocketWork {
    private enum Phase {
        case statements
        /// A ROLLBACK after the failure; then the batch may be tried once more.
        case rollback
        case done
    }

    private let connection: PostgresConnection
    private let raw: OpaquePointer
    private let entries: [PostgresBatch.Entry]
    private let observer: (any PostgresObserver)?
    private let wasIdle: Bool
    /// The transaction was not begun by this batch, or the caller ends it.
    private let keepsFailedTransaction: Bool
    private let endsTransaction: Bool
    private let rowLimit: Int
    private var execution: BatchExecution
    private var phase = Phase.statements
    private var mayRetry: Bool
    private var shouldRetry = false
    private(set) var failure: (any Error)?

    /// Takes the connection for the batch. Throws, with nothing sent, when that cannot be done.
    init(_ connection: PostgresConnection, _ batch: consuming PostgresBatch) throws {
        raw = try connection.requireUsable()
        let isKnownAlive = connection.isKnownAlive
        connection.isKnownAlive = false
        guard isKnownAlive || connection.looksAlive() else {
            connection.isBroken = true
            throw connection.lossError("The server has closed the connection: ", wasSent: false)
        }
        observer = batch.isAwaited ? connection.observer : nil
        wasIdle = connection.transactionStatus == .idle
        rowLimit = batch.limitsRows ? connection.rowLimit ?? .max : .max
        keepsFailedTransaction = batch.keepsFailedTransaction || !connection.deferredEntries.isEmpty
        endsTransaction =
            !batch.keepsFailedTransaction && batch.contains { $0 == .commit || $0 == .rollback }
        if connection.mustWrapReads, wasIdle, connection.deferredEntries.isEmpty, !batch.contains({ $0 == .begin }) {
            var wrapped = PostgresBatch()
            wrapped.begin(readOnly: true)
            wrapped.entries += batch.entries
            wrapped.commit()
            batch = wrapped
        }
        var entries = connection.deferredEntries.isEmpty ? batch.entries : connection.deferredEntries + batch.entries
        if connection.configuration.readOnly { entries = entries.map(\.readOnly) }
        entries = connection.endingObjects(entries)
        if connection.call != nil { entries = connection.commenting(entries) }
        entries = try connection.onTerms(entries)
        self.entries = entries
        self.connection = connection
        mayRetry = wasIdle
        execution = BatchExecution(connection, raw, entries)
        execution.isObserved = observer != nil
        execution.rowLimit = rowLimit
        connection.isOccupied = true
        connection.cancellation.begin()
        do {
            try start()
        } catch {
            connection.isOccupied = false
            throw error
        }
        connection.deferredEntries.removeAll()
    }

    private mutating func start() throws {
        if connection.logger.logLevel <= .trace {
            for entry in execution.entries {
                let name = entry.statement.name ?? ""
                connection.logger.trace("\(entry.statement.sql.text)", metadata: ["statement": "\(name)"])
            }
        }
        try execution.send()
        if let observer, observer.recordsFlushes { observer.connection(connection.id, didSend: texts) }
    }

    private var texts: [String] { execution.entries.map(\.statement.sql.text) }

    mutating func inputArrived() {
        execution.inputArrived()
    }

    mutating func advance() -> SocketNeed {
        while phase != .done {
            let need = execution.advance()
            guard case .done = need else { return need }
            endPhase()
        }
        return .done
    }

    private mutating func endPhase() {
        switch phase {
        case .statements:
            failure = execution.failure
            guard failure != nil, connection.isUsable else {
                phase = .done
                return
            }
            let isStale = (failure as? PostgresError)?.code == .stalePreparedStatement
            shouldRetry = mayRetry && isStale && !execution.hasCalledBack && !execution.hasCommitted
            if mustRollBack {
                connection.cancellation.suspend()
                restart(
                    [PostgresBatch.Entry(statement: PostgresStatement(TransactionSQL.rollback), role: .rollback)],
                    .rollback)
            } else {
                retryOrEnd()
            }
        case .rollback:
            if execution.failure != nil {
                // Nobody may use a connection whose transaction could not be ended.
                connection.isBroken = true
                phase = .done
            } else {
                retryOrEnd()
            }
        case .done:
            break
        }
    }

    /// No transaction may stay open that was not open before, and none whose end was part of the batch.
    private var mustRollBack: Bool {
        guard connection.transactionStatus != .idle else { return false }
        if shouldRetry { return true }
        return endsTransaction || (wasIdle && !keepsFailedTransaction)
    }

    private mutating func retryOrEnd() {
        guard shouldRetry else {
            phase = .done
            return
        }
        shouldRetry = false
        mayRetry = false
        failure = nil
        connection.cancellation.resume()
        restart(entries, .statements)
    }

    private mutating func restart(_ entries: [PostgresBatch.Entry], _ next: Phase) {
        execution = BatchExecution(connection, raw, entries)
        execution.isObserved = observer != nil
        execution.rowLimit = rowLimit
        phase = next
        do {
            try start()
        } catch {
            failure = failure ?? error
            phase = .done
        }
    }
}

extension PostgresConnection {
    /// Reads outside of a transaction must be wrapped in one that is READ ONLY, because the session cannot say so.
    var mustWrapReads: Bool {
        configuration.readOnly && configuration.preparedStatements == .unnamed
    }

    /// The entries, and before COMMIT what ends the temporary tables and cursors of a caller: the connection is used by others next.
    fileprivate func endingObjects(_ entries: [PostgresBatch.Entry]) -> [PostgresBatch.Entry] {
        guard let commit = entries.lastIndex(where: { $0.role == .commit }),
            openTransaction?.mayLeaveObjects == true || entries.contains(where: \.mayLeaveObjects)
        else { return entries }
        var all = entries
        all.insert(
            contentsOf: TransactionSQL.endingObjects.map { PostgresBatch.Entry(statement: PostgresStatement($0)) },
            at: commit)
        return all
    }
}

extension PostgresBatch.Entry {
    /// Whether it begins a transaction that cannot write.
    var beginsReadOnly: Bool { role == .begin && statement.sql.text.hasSuffix(" READ ONLY") }

    /// The same entry, except that BEGIN says READ ONLY.
    var readOnly: PostgresBatch.Entry {
        guard role == .begin, !beginsReadOnly else { return self }
        return withSQL(PreparedSQL.interned(statement.sql.text + " READ ONLY"))
    }
}
