import Foundation
import StrataClient
import StrataLocalServer

/// One way to record, in a database of its own, and what it cost so far.
final class Writer {
    static let operations = [
        "bulk insert", "bulk update", "bulk delete", "single insert", "single update", "single delete",
    ]

    let recording: Recording
    private let connection: PostgresConnection
    private let process: Int32
    private var nextKey: Int64 = 10_000_000
    /// The least processor time of the server for a row, in microseconds.
    private(set) var best: [String: Double] = [:]
    /// The least time on the clock for a row, in microseconds.
    private(set) var clock: [String: Double] = [:]

    init(_ recording: Recording, on server: LocalServer) throws {
        self.recording = recording
        let name = recording.rawValue.replacing("-", with: "_")
        let admin = try PostgresConnection.connect(try PostgresConfiguration(url: server.url))
        defer { admin.close() }
        try Self.execute("CREATE DATABASE \(name)", on: admin)
        connection = try PostgresConnection.connect(try PostgresConfiguration(url: server.url(database: name)))
        var process: Int32 = 0
        try connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL("SELECT pg_backend_pid()"))) { row in
                process = try row.decode(0)
            })
        self.process = process
        for statement in [Recording.table] + recording.installation { try Self.execute(statement, on: connection) }
        // The disk is not what is measured. A writer of the library wakes listeners after its commit.
        for setting in ["synchronous_commit = off", "jit = off", "strata.process = 'benchmark'"] {
            try Self.execute("SET \(setting)", on: connection)
        }
        // Plans are made for one row, as in a session that has just begun.
        try Self.execute(Recording.rows(1, 2), on: connection)
        try Self.execute("UPDATE item SET qty = qty + 1 WHERE pk = 1", on: connection)
        try Self.execute("DELETE FROM item WHERE pk <= 2", on: connection)
    }

    func close() { connection.close() }

    func measureBulk(_ rows: Int) throws {
        try Self.execute("CHECKPOINT", on: connection)
        try measure("bulk insert", rows) { try Self.execute(Recording.rows(1, rows), on: connection) }
        try measure("bulk update", rows) {
            try Self.execute("UPDATE item SET qty = qty + 1, note = note || 'x' WHERE pk <= \(rows)", on: connection)
        }
        try measure("bulk delete", rows) {
            try Self.execute("DELETE FROM item WHERE pk <= \(rows)", on: connection)
        }
        try Self.execute("VACUUM item", on: connection)
    }

    func measureSingle(_ transactions: Int) throws {
        let keys = nextKey..<(nextKey + Int64(transactions))
        nextKey = keys.upperBound
        for (operation, sql) in [
            ("single insert", Recording.row), ("single update", "UPDATE item SET qty = qty + 1 WHERE pk = $1"),
            ("single delete", "DELETE FROM item WHERE pk = $1"),
        ] {
            let prepared = PreparedSQL(sql)
            try measure(operation, transactions) {
                for key in keys {
                    let statement = PostgresStatement(prepared, parameters: try PostgresParameters(key))
                    try connection.run(PostgresBatch(statement))
                }
            }
        }
    }

    func bytesOfAChange() throws -> Int64 {
        let table = recording.changeTable
        var bytes: Int64 = 0
        let query = "SELECT pg_total_relation_size('\(table)') / greatest(1, (SELECT count(*) FROM \(table)))"
        try connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL(query, isCached: false))) { row in
                bytes = try row.decode(0)
            })
        return bytes
    }

    private func measure(_ operation: String, _ rows: Int, _ body: () throws -> Void) rethrows {
        let began = ContinuousClock.now
        let used = ServerProcess.processorTime(process)
        try body()
        let processor = (ServerProcess.processorTime(process) - used) * 1_000_000 / Double(rows)
        let passed = (ContinuousClock.now - began) / .microseconds(1) / Double(rows)
        best[operation] = min(best[operation] ?? .infinity, processor)
        clock[operation] = min(clock[operation] ?? .infinity, passed)
    }

    private static func execute(_ sql: String, on connection: PostgresConnection) throws {
        try connection.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))) { _ in })
    }
}
