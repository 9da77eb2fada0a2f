import CLibPQ

/// Sends a batch and reads its answers, without ever waiting: ``advance()`` says what to wait for.
struct BatchExecution: SocketWork {
    /// Rows read in vain after a row closure has thrown, before the server is asked to stop.
    private static let drainedRowsBeforeCancel = 256

    /// Rows of a whole result after which what has arrived meanwhile is taken in: a power of two, less one.
    private static let rowsBetweenLooks: Int32 = 255

    let connection: PostgresConnection
    private let raw: OpaquePointer
    let entries: [PostgresBatch.Entry]
    private var steps = BatchSteps()
    private var index = 0
    private var usesPipeline = false
    /// Leaves the connection in pipeline mode: answers to another execution follow.
    var keepsPipeline = false
    /// Whether somebody waits for it, and it is none of the connection's own cleaning up.
    var isObserved = true
    /// Rows are handed out once the statement's result is complete, instead of one by one as they arrive.
    var readsWholeResults = false
    private var hasBegun = false
    private var needsFlush = true
    private var hasInput = false

    /// The first error, with the statement it belongs to.
    private(set) var failure: (any Error)?
    /// The entry whose statement failed.
    private(set) var failedEntry: Int?
    /// Whether any of the caller's closures has run: then the batch cannot be repeated.
    private(set) var hasCalledBack = false
    /// The latest step that was a COMMIT and is answered: what was sent up to it is stored, whatever follows.
    private var committedStep = -1
    private var describedEntry = -1
    /// The step whose rows are handed out.
    private var handledStep = -1
    private var isDraining = false
    /// When it was sent; `nil` unless somebody observes.
    private var sent: MonotonicTime?
    private var drainedRows = 0
    /// Bytes of values in the rows of the statement that is answered now; counted while somebody observes.
    private var receivedBytes = 0
    /// The most rows that one statement may give.
    var rowLimit = Int.max
    /// How many the statement whose rows are handed out now has given.
    private var handledRows = 0

    /// Whether a COMMIT was answered: then what came before it is stored.
    var hasCommitted: Bool { committedStep >= 0 }

    /// Whether nothing is missing but the end of the answers: the last statement was a COMMIT, and it is answered.
    private var isStored: Bool { hasCommitted && committedStep == steps.count - 1 }

    init(_ connection: PostgresConnection, _ raw: OpaquePointer, _ entries: [PostgresBatch.Entry]) {
        self.connection = connection
        self.raw = raw
        self.entries = entries
    }

    // MARK: Sending

    /// Queues everything in libpq's buffer. Throws only before anything was queued, or when the connection is gone.
    mutating func send() throws(PostgresError) {
        for entry in entries {
            do throws(PostgresError) {
                guard !entry.statement.sql.hasZeroCharacter else { throw PostgresError.zeroCharacter() }
                try entry.statement.parameters.validate()
            } catch {
                throw error.naming(entry.statement.name, sql: entry.statement.sql.text)
            }
        }
        steps = BatchSteps(of: entries, on: connection)
        usesPipeline = keepsPipeline || steps.count > 1
        if usesPipeline, PQenterPipelineMode(raw) == 0 { throw unsendable() }
        for place in 0..<steps.count where !sendStep(place) { throw unsendable() }
        if usesPipeline, PQpipelineSync(raw) == 0 { throw unsendable() }
        if isObserved, connection.observer?.observes(connection.call) == true { sent = .now }
    }

    /// Tells the observer what became of a statement.
    private mutating func report(_ entry: Int, rows: Int = 0, _ failure: (any Error)? = nil) {
        guard let sent else { return }
        defer { receivedBytes = 0 }
        let statement = entries[entry].statement
        connection.observer?.didComplete(
            ObservedStatement(
                name: statement.name, entity: statement.entity, sql: statement.sql, rows: rows,
                sentBytes: statement.parameters.byteCount, receivedBytes: receivedBytes,
                nanoseconds: sent.nanoseconds(to: .now), connection: connection.id, error: failure as? PostgresError,
                calls: connection.call, parameterTypes: statement.parameterTypes))
    }

    private func sendStep(_ place: Int) -> Bool {
        // Closures that capture this would copy all of it.
        let (raw, name) = (raw, steps[place].name)
        switch steps[place].kind {
        case .sync:
            return PQpipelineSync(raw) != 0
        case .deallocate:
            return PQsendQueryParams(raw, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 1) != 0
        case .prepare(let entry):
            let (text, types) = (entries[entry].statement.sql.text, oids(of: entry))
            return types.withUnsafeBufferPointer {
                PQsendPrepare(raw, name, text, Int32($0.count), $0.baseAddress)
            } != 0
        case .execute(let entry) where name.isEmpty:
            let (text, types) = (entries[entry].statement.sql.text, oids(of: entry))
            return entries[entry].statement.parameters.withArrays { values, lengths, formats, count in
                types.withUnsafeBufferPointer {
                    PQsendQueryParams(
                        raw, text, count, count == 0 ? nil : $0.baseAddress, values, lengths, formats, 1)
                }
            } != 0
        case .execute(let entry):
            // C reads the name where it is: a String that is given as an argument is copied.
            return name.withCString { name in
                entries[entry].statement.parameters.withArrays { values, lengths, formats, count in
                    PQsendQueryPrepared(raw, name, count, values, lengths, formats, 1)
                }
            } != 0
        }
    }

    private func oids(of entry: Int) -> [Oid] { entries[entry].statement.parameterTypes.map { Oid($0) } }

    private func unsendable() -> PostgresError {
        // What is already queued cannot be taken back, so the connection is of no use any more.
        connection.isBroken = true
        return connection.lossError("The statements could not be sent: ", wasSent: usesPipeline)
    }

    // MARK: Receiving

    /// The socket can be read.
    mutating func inputArrived() {
        hasInput = true
    }

    /// Something else was put into libpq's buffer.
    mutating func flushAgain() {
        needsFlush = true
    }

    /// From here on rows are read in vain.
    mutating func drain() {
        isDraining = true
    }

    /// Flushes and reads as far as possible now.
    mutating func advance() -> SocketNeed {
        if hasInput {
            hasInput = false
            // A failure shows up as the result that PQgetResult makes of it.
            _ = PQconsumeInput(raw)
        }
        if !hasBegun {
            hasBegun = true
            beginStep()
        }
        while true {
            if needsFlush { needsFlush = PQflush(raw) == 1 }
            if PQisBusy(raw) != 0 { return needsFlush ? .readOrWrite : .read }
            guard var result = PQgetResult(raw) else {
                if endStep() { return finish() }
                continue
            }
            if PQresultStatus(result) == PGRES_SINGLE_TUPLE {
                guard let end = receiveRows(from: result, handler(describedBy: result)) else { continue }
                result = end
            }
            let isEnd = receive(result)
            PQclear(result)
            if isEnd { return finish() }
        }
    }

    /// The entry the answers belong to now.
    private var currentEntry: Int? {
        guard index < steps.count else { return nil }
        switch steps[index].kind {
        case .deallocate, .sync: return nil
        case .prepare(let entry), .execute(let entry): return entry
        }
    }

    /// Asks for the rows of the next statement one by one; to be done before its first result is read.
    private func beginStep() {
        guard !readsWholeResults, index < steps.count, case .execute(let entry) = steps[index].kind,
            entries[entry].role == .statement
        else { return }
        _ = PQsetSingleRowMode(raw)
    }

    /// A statement's answers are complete. Returns true when that was all.
    private mutating func endStep() -> Bool {
        index += 1
        if index < steps.count {
            beginStep()
            return false
        }
        if !usesPipeline { return true }
        guard index > steps.count + 1 else { return false }
        if PQstatus(raw) != CONNECTION_OK || isStored { return connectionLost(nil) }
        // The synchronisation point is missing: libpq and this client disagree about what was sent.
        fail(PostgresError(.protocolViolation, "The server's answers ended too early.", wasSent: true))
        connection.isBroken = true
        return true
    }

    private mutating func finish() -> SocketNeed {
        if usesPipeline, !keepsPipeline, connection.isUsable, PQexitPipelineMode(raw) == 0 {
            connection.isBroken = true
            if !isStored { fail(PostgresError(.protocolViolation, connection.latestMessage(), wasSent: true)) }
        }
        if connection.openTransaction != nil, connection.transactionStatus == .idle { connection.openTransaction = nil }
        // Looking for notifications reads on, and what follows has not yet been asked for row by row.
        if !keepsPipeline { connection.collectNotifications() }
        return .done
    }

    /// Takes a row and those behind it that have arrived. Returns the result that is no row, which ends them; `nil` while it has not
    /// arrived: behind a row the statement's answers never just end.
    private mutating func receiveRows(
        from first: OpaquePointer, _ handler: (PostgresRow) throws -> Void
    ) -> OpaquePointer? {
        var result = first
        repeat {
            receiveRow(result, 0, handler)
            PQclear(result)
            guard PQisBusy(raw) == 0, let next = PQgetResult(raw) else { return nil }
            result = next
        } while PQresultStatus(result) == PGRES_SINGLE_TUPLE
        return result
    }

    /// The closure is an argument: one that is looked up for each row is retained for each.
    @inline(__always)
    private mutating func receiveRow(
        _ result: OpaquePointer, _ row: Int32, _ handler: (PostgresRow) throws -> Void
    ) {
        guard !isDraining else {
            drainedRows += 1
            // A whole result is here already.
            if !readsWholeResults, drainedRows == Self.drainedRowsBeforeCancel { connection.cancellation.request() }
            return
        }
        if sent != nil { receivedBytes &+= PostgresRow(result: result, row: row).byteCount }
        handledRows += 1
        guard handledRows <= rowLimit else { return fail(.rowLimitExceeded(rowLimit)) }
        do {
            try handler(PostgresRow(result: result, row: row))
        } catch {
            if let entry = currentEntry { failInClosure(error, entry) }
        }
    }

    /// The closure that takes the rows of this step, once it has seen their columns.
    private mutating func handler(describedBy result: OpaquePointer) -> (PostgresRow) throws -> Void {
        guard !isDraining, let entry = currentEntry else { return Self.ignore }
        if handledStep != index {
            do {
                if describedEntry != entry { try describe(entry, result) }
            } catch {
                failInClosure(error, entry)
                return Self.ignore
            }
            handledStep = index
            handledRows = 0
            if entries[entry].onRow != nil { hasCalledBack = true }
        }
        guard let onRow = entries[entry].onRow else { return Self.ignore }
        return onRow
    }

    private static func ignore(_ row: PostgresRow) {}

    private mutating func describe(_ entry: Int, _ result: OpaquePointer) throws {
        describedEntry = entry
        guard let onResult = entries[entry].onResult else { return }
        hasCalledBack = true
        try onResult(PostgresResultDescription(result: result))
    }

    /// Takes a result that is not a row. Returns true when nothing can follow.
    private mutating func receive(_ result: OpaquePointer) -> Bool {
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            complete(result)
            return false
        case PGRES_PIPELINE_SYNC:
            guard index < steps.count, steps[index].kind == .sync else { return true }
            index += 1
            beginStep()
            return false
        case PGRES_PIPELINE_ABORTED:
            skip()
            return false
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
            return receiveError(result)
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            fail(
                PostgresError(
                    .protocolViolation, "COPY cannot be part of a batch; use copyIn or copyOut.", wasSent: true))
            connection.isBroken = true
            return true
        default:
            return false
        }
    }

    private mutating func complete(_ result: OpaquePointer) {
        guard index < steps.count, case .execute(let index) = steps[index].kind else { return }
        switch entries[index].role {
        case .begin:
            connection.openTransaction = OpenTransaction(
                isReadOnly: entries[index].beginsReadOnly, limit: connection.callLimit == nil ? .none : .told)
        case .commit: completeCommit(result)
        case .rollback: connection.openTransaction = nil
        case .savepoint(let change): connection.openTransaction?.note(change)
        case .statement:
            if !entries[index].statement.storesNothing { connection.openTransaction?.mayHaveStored = true }
            if entries[index].mayLeaveObjects { connection.openTransaction?.mayLeaveObjects = true }
        case .autocommit: break
        }
        // None in single-row mode; all of them should libpq not have taken it up.
        let rows = PQntuples(result)
        let handler = rows > 0 ? handler(describedBy: result) : Self.ignore
        for row in 0..<rows {
            receiveRow(result, row, handler)
            // The answers after this one: as long as the socket's buffer is full the server stands still.
            if row & Self.rowsBetweenLooks == Self.rowsBetweenLooks { _ = PQconsumeInput(raw) }
        }
        if sent != nil { report(index, rows: Self.rows(result), failedEntry == index ? failure : nil) }
        guard !isDraining else { return }
        do {
            if PQresultStatus(result) == PGRES_TUPLES_OK, describedEntry != index { try describe(index, result) }
            if let onComplete = entries[index].onComplete {
                hasCalledBack = true
                try onComplete(Self.rows(result))
            }
            if let onChange = entries[index].onChange {
                hasCalledBack = true
                try onChange(Self.changedRows(result))
            }
        } catch {
            failInClosure(error, index)
        }
    }

    /// Those that a statement has returned or changed.
    private static func rows(_ result: OpaquePointer) -> Int {
        PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    /// Those that it has changed. Both `SELECT` and `UPDATE … RETURNING` return rows: the server's tag tells them apart.
    private static func changedRows(_ result: OpaquePointer) -> Int {
        guard PQresultStatus(result) == PGRES_TUPLES_OK else { return rows(result) }
        let tag = PQcmdStatus(result).map { String(cString: $0) } ?? ""
        return ["INSERT ", "UPDATE ", "DELETE ", "MERGE "].contains(where: tag.hasPrefix) ? rows(result) : 0
    }

    /// The server answers COMMIT of a failed transaction with success, but rolls back (manual, COMMIT).
    private mutating func completeCommit(_ result: OpaquePointer) {
        connection.openTransaction = nil
        if let tag = PQcmdStatus(result), String(cString: tag) == "ROLLBACK" {
            fail(
                PostgresError(
                    .transactionAborted,
                    "Nothing was stored: a statement of the transaction had failed, so COMMIT rolled it back.",
                    wasSent: true))
        } else {
            committedStep = index
        }
    }

    /// The statement was not carried out because an earlier one failed.
    private mutating func skip() {
        guard index < steps.count else { return }
        let name = steps[index].name
        switch steps[index].kind {
        case .deallocate: connection.cache.keepForLater(name)
        case .prepare(let entry): connection.cache.forget(entries[entry].statement.sql.id, name: name)
        case .execute, .sync: break
        }
    }

    private mutating func receiveError(_ result: OpaquePointer) -> Bool {
        let report = ServerReport(result)
        if isStored || report.sqlState == nil || report.isFatal || PQstatus(raw) != CONNECTION_OK {
            return connectionLost(report)
        }
        let error = connection.error(report)
        noteStale(error)
        if index < steps.count, steps[index].kind == .deallocate {
            // The name is gone already, which is what was wanted; but among the batch it has aborted the pipeline.
            if index >= steps.cleared { fail(error) }
            return false
        }
        skip()
        fail(error)
        if let currentEntry { self.report(currentEntry, rows: 0, error) }
        return false
    }

    private func noteStale(_ error: PostgresError) {
        guard error.code == .stalePreparedStatement, let entry = currentEntry else { return }
        if error.sqlState == "26000" {
            connection.cache.forgetAll()
        } else {
            connection.cache.discard(entries[entry].statement.sql.id)
        }
    }

    /// A backend that is ended while it commits answers COMMIT first and says farewell then: with nothing else to be answered
    /// that is a success, on a connection that is of no use any more.
    ///
    /// - Parameter report: of the result that told so, if one did.
    private mutating func connectionLost(_ report: ServerReport?) -> Bool {
        connection.isBroken = true
        if isStored { return true }
        // An error that came before is the reason.
        guard failure == nil else { return true }
        var lost = connection.lossError(report: report, wasSent: true)
        let isInterrupted = lost.fields.server?.isInterruption == true
        if hasCommitted {
            lost.fields.code = .outcomeUnknown
            lost.fields.message =
                "The connection was lost after COMMIT and before the answer to what was sent behind it: the transaction is "
                + "stored, and the rest may or may not be. Look before doing it again. (\(lost.message))"
        } else if mayHaveCommitted, !isInterrupted {
            lost.fields.code = .outcomeUnknown
            lost.fields.message =
                "The connection was lost after COMMIT was sent and before its answer: the transaction may or may not be "
                + "stored. Look before doing it again. (\(lost.message))"
        }
        fail(lost)
        if let currentEntry { self.report(currentEntry, rows: 0, lost) }
        return true
    }

    /// Whether a COMMIT of something that writes is not answered.
    private var mayHaveCommitted: Bool {
        var isReadOnly = connection.openTransaction?.isReadOnly ?? false
        for entry in entries {
            switch entry.role {
            case .begin: isReadOnly = entry.beginsReadOnly
            case .autocommit: return true
            case .commit where !isReadOnly: return true
            case .commit, .rollback, .savepoint, .statement: break
            }
        }
        return false
    }

    private mutating func fail(_ error: PostgresError) {
        isDraining = true
        guard failure == nil else { return }
        failedEntry = currentEntry
        let statement = currentEntry.map { entries[$0].statement }
        failure = error.naming(statement?.name, sql: statement?.sql.text)
    }

    private mutating func failInClosure(_ error: any Error, _ entry: Int) {
        isDraining = true
        guard failure == nil else { return }
        failedEntry = entry
        let statement = entries[entry].statement
        failure = (error as? PostgresError)?.naming(statement.name, sql: statement.sql.text) ?? error
    }
}

extension PostgresStatement {
    /// The types that the server is told when it prepares the statement.
    var parameterTypes: [UInt32] {
        sql.parameterTypes.isEmpty ? parameters.entries.map(\.type) : sql.parameterTypes.map(\.oid)
    }
}
