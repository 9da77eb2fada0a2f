import CLibPQ

/// `COPY … TO STDOUT (FORMAT binary)`, in steps that never wait.
struct CopyOutExecution: SocketWork {
    private let connection: PostgresConnection
    private let raw: OpaquePointer
    private let onRow: (PostgresCopiedRow) throws -> Void
    private var isStreaming = false
    private var hasReadHeader = false
    private var hasInput = false
    private var fields: [UnsafeRawBufferPointer?] = []
    private(set) var failure: (any Error)?
    private(set) var rowCount = 0
    /// The bytes of the rows that have arrived.
    private(set) var byteCount = 0

    init(
        _ connection: PostgresConnection, _ raw: OpaquePointer, sql: String,
        onRow: @escaping (PostgresCopiedRow) throws -> Void
    ) throws(PostgresError) {
        guard PQsendQueryParams(raw, sql, 0, nil, nil, nil, nil, 1) != 0 else {
            connection.isBroken = true
            throw connection.lossError(wasSent: false)
        }
        self.connection = connection
        self.raw = raw
        self.onRow = onRow
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
            if PQflush(raw) == 1 { return .readOrWrite }
            if isStreaming {
                guard receiveData() else { return .read }
                continue
            }
            if PQisBusy(raw) != 0 { return .read }
            guard let result = PQgetResult(raw) else { return .done }
            receive(result)
            PQclear(result)
            if connection.isBroken { return .done }
        }
    }

    /// Takes one message. Returns false when more input is needed first.
    private mutating func receiveData() -> Bool {
        var message: UnsafeMutablePointer<CChar>?
        let length = PQgetCopyData(raw, &message, 1)
        guard length != 0 else { return false }
        guard length > 0, let message else {
            isStreaming = false
            return true
        }
        defer { PQfreemem(message) }
        guard failure == nil else { return true }
        byteCount += Int(length)
        do {
            try read(UnsafeRawBufferPointer(start: message, count: Int(length)))
        } catch {
            failure = error
            connection.cancellation.request()
        }
        return true
    }

    /// A message is a row; the first also holds the header, and the last only the end mark.
    private mutating func read(_ message: UnsafeRawBufferPointer) throws {
        var reader = PostgresReader(message)
        if !hasReadHeader {
            hasReadHeader = true
            _ = try reader.take(15)
            _ = try reader.take(Int(try reader.readInt32()))
            guard reader.remaining > 0 else { return }
        }
        let count = Int(try reader.readInt16())
        guard count >= 0 else { return }
        fields.removeAll(keepingCapacity: true)
        for _ in 0..<count { fields.append(try reader.readCounted()) }
        rowCount += 1
        try onRow(PostgresCopiedRow(fields: fields))
    }

    private mutating func receive(_ result: OpaquePointer) {
        switch PQresultStatus(result) {
        case PGRES_COPY_OUT:
            isStreaming = true
            if PQbinaryTuples(result) != 1 {
                failure = PostgresError(.decoding, "COPY needs FORMAT binary.")
                connection.cancellation.request()
            }
        case PGRES_COPY_IN:
            connection.isBroken = true
            failure =
                failure ?? PostgresError(.protocolViolation, "The statement copies in; use copyIn.", wasSent: true)
        case PGRES_COMMAND_OK where hasReadHeader || rowCount == 0:
            break
        case PGRES_TUPLES_OK:
            failure = failure ?? PostgresError(.protocolViolation, "The statement is not a COPY.", wasSent: true)
        default:
            let report = ServerReport(result)
            var error = connection.error(report)
            if PQstatus(raw) != CONNECTION_OK || report.sqlState == nil || report.isFatal {
                connection.isBroken = true
                error = connection.lossError(report: report, wasSent: true)
            }
            failure = failure ?? error
        }
    }
}

/// One row from COPY. Valid only inside the closure; its columns have no types, so the caller must know them.
package struct PostgresCopiedRow {
    let fields: [UnsafeRawBufferPointer?]

    package var columnCount: Int { fields.count }

    /// The value's bytes, or nil when it is NULL or there is no such column.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
        fields.indices.contains(column) ? fields[column] : nil
    }

    package func decode<Value: PostgresCodable>(_ column: Int, as type: Value.Type) throws(PostgresError) -> Value {
        guard let bytes = bytes(column) else {
            throw PostgresError(.decoding, "Column \(column) is NULL or missing, but \(type) is not optional.")
        }
        return try Value(postgresBytes: bytes)
    }
}
