import CLibPQ

/// `COPY … FROM STDIN (FORMAT binary)`, in steps that never wait.
struct CopyInExecution: SocketWork {
    private enum Phase {
        case starting
        case streaming
        case ending
    }

    /// Rows are put together until there are this many bytes.
    private static let chunkSize = 65_536

    private let connection: PostgresConnection
    private let raw: OpaquePointer
    private let columns: Int
    private let nextRow: (inout PostgresCopyRow) throws -> Bool
    private var row = PostgresCopyRow()
    private var phase = Phase.starting
    private var hasInput = false
    private(set) var failure: (any Error)?
    private(set) var rowCount = 0
    /// The bytes of the rows that were sent.
    private(set) var byteCount = 0

    init(
        _ connection: PostgresConnection, _ raw: OpaquePointer, sql: String, columns: Int,
        nextRow: @escaping (inout PostgresCopyRow) throws -> Bool
    ) throws(PostgresError) {
        guard PQsendQueryParams(raw, sql, 0, nil, nil, nil, nil, 1) != 0 else {
            connection.isBroken = true
            throw connection.lossError(wasSent: false)
        }
        self.connection = connection
        self.raw = raw
        self.columns = columns
        self.nextRow = nextRow
    }

    mutating func inputArrived() {
        hasInput = true
    }

    mutating func advance() -> SocketNeed {
        if hasInput {
            hasInput = false
            _ = PQconsumeInput(raw)
        }
        while true {
            // libpq would take any amount into memory, so nothing is added before the last chunk has left.
            if PQflush(raw) == 1 { return .readOrWrite }
            if phase == .streaming {
                stream()
                continue
            }
            if PQisBusy(raw) != 0 { return .read }
            guard let result = PQgetResult(raw) else { return .done }
            receive(result)
            PQclear(result)
            if connection.isBroken { return .done }
        }
    }

    private mutating func receive(_ result: OpaquePointer) {
        switch PQresultStatus(result) {
        case PGRES_COPY_IN:
            phase = .streaming
            guard PQbinaryTuples(result) == 1, Int(PQnfields(result)) == columns else {
                let text = "COPY needs FORMAT binary and \(columns) columns; the statement says otherwise."
                return end(PostgresError(.encoding, text))
            }
            row.beginStream()
        case PGRES_COPY_OUT:
            connection.isBroken = true
            fail(PostgresError(.protocolViolation, "The statement copies out; use copyOut.", wasSent: true))
        case PGRES_COMMAND_OK:
            rowCount = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
            // A statement that is not COPY succeeded.
            if phase == .starting {
                fail(PostgresError(.protocolViolation, "The statement is not a COPY.", wasSent: true))
            }
        case PGRES_TUPLES_OK:
            fail(PostgresError(.protocolViolation, "The statement is not a COPY.", wasSent: true))
        default:
            receiveError(result)
        }
    }

    private mutating func receiveError(_ result: OpaquePointer) {
        let report = ServerReport(result)
        var error = connection.error(report)
        if PQstatus(raw) != CONNECTION_OK || report.sqlState == nil || report.isFatal {
            connection.isBroken = true
            error = connection.lossError(report: report, wasSent: true)
        }
        fail(error)
    }

    /// Sends one chunk, or the end.
    private mutating func stream() {
        do {
            var isEnd = false
            while !isEnd, row.buffer.count < Self.chunkSize {
                row.beginRow(columns)
                isEnd = try !nextRow(&row)
                if isEnd { row.abandonRow() } else { try row.endRow(columns) }
            }
            if isEnd { row.endStream() }
            guard put() else { return end(nil) }
            if isEnd { end(nil) }
        } catch {
            end(error)
        }
    }

    private mutating func put() -> Bool {
        defer { row.buffer.removeAll() }
        byteCount += row.buffer.count
        return row.buffer.withUnsafeBytes { bytes in
            let characters = bytes.bindMemory(to: CChar.self)
            return PQputCopyData(raw, characters.baseAddress, Int32(clamping: characters.count)) == 1
        }
    }

    /// Ends the COPY; with an error the server gives up what it has received.
    mutating func end(_ error: (any Error)?) {
        phase = .ending
        if let error {
            fail(error)
            _ = PQputCopyEnd(raw, "the client gave up")
        } else {
            // After the server has failed this does nothing, and its error is the next result.
            _ = PQputCopyEnd(raw, nil)
        }
    }

    private mutating func fail(_ error: any Error) {
        failure = failure ?? error
    }
}

/// One row for COPY; values are appended in the order of the columns.
package struct PostgresCopyRow {
    var buffer = PostgresBuffer(capacity: 80_000)
    private var start = 0
    private var count = 0

    package mutating func append<Value: PostgresCodable>(_ value: Value) throws(PostgresError) {
        try buffer.appendCounted(value)
        count += 1
    }

    package mutating func append<Value: PostgresCodable>(_ value: Value?) throws(PostgresError) {
        if let value { try append(value) } else { appendNull() }
    }

    package mutating func appendNull() {
        buffer.appendInteger(Int32(-1))
        count += 1
    }

    /// Appends the next element of an array, which has the form that COPY wants.
    package mutating func append(nextOf elements: inout PostgresArrayElements) {
        elements.moveNext(to: &buffer)
        count += 1
    }

    mutating func beginStream() {
        // Signature, flags, length of the header's extension (manual, COPY, "Binary Format").
        buffer.append(Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00])
        buffer.appendInteger(Int32(0))
        buffer.appendInteger(Int32(0))
    }

    mutating func beginRow(_ columns: Int) {
        start = buffer.count
        count = 0
        buffer.appendInteger(Int16(clamping: columns))
    }

    mutating func endRow(_ columns: Int) throws(PostgresError) {
        guard count == columns else {
            throw PostgresError(.encoding, "A row for COPY has \(count) values; it needs \(columns).")
        }
    }

    mutating func abandonRow() {
        buffer.truncate(to: start)
    }

    mutating func endStream() {
        buffer.appendInteger(Int16(-1))
    }
}
