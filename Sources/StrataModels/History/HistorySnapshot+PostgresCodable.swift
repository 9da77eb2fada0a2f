package import StrataClient

/// `pg_snapshot`: how many run, the first of them, the end, and those that run; all but the count have eight bytes.
extension HistorySnapshot: PostgresCodable {
    package static var postgresType: PostgresType { .pgSnapshot }

    package func encode(into buffer: inout PostgresBuffer) throws(PostgresError) {
        guard let count = Int32(exactly: running.count) else {
            throw PostgresError(.encoding, "A pg_snapshot cannot hold \(running.count) transactions.")
        }
        buffer.appendInteger(count)
        buffer.appendInteger(start)
        buffer.appendInteger(end)
        for transaction in running { buffer.appendInteger(transaction) }
    }

    package init(postgresBytes: UnsafeRawBufferPointer) throws(PostgresError) {
        var reader = PostgresReader(postgresBytes)
        let count = Int(try reader.readInt32())
        _ = try reader.readInt64()
        let end = try reader.readInt64()
        guard reader.remaining == count * MemoryLayout<Int64>.size else {
            throw PostgresError(.decoding, "The server sent a pg_snapshot of \(count) transactions in another length.")
        }
        var running: [Int64] = []
        running.reserveCapacity(count)
        for _ in 0..<count { running.append(try reader.readInt64()) }
        self.init(end: end, running: running)
    }
}
