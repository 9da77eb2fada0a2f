import Foundation
import StrataClient
import StrataTestSupport

/// A table that a second session holds: whoever writes it waits until it is let go.
struct HeldTable {
    private let connection: PostgresConnection
    private let watcher: PostgresConnection

    /// - Parameter mode: PostgreSQL manual, 13.3.1: `SHARE` keeps writers out, `ACCESS EXCLUSIVE` readers too.
    static func hold(_ table: String, mode: String = "SHARE", in store: GraphStore) async throws -> HeldTable {
        try await hold(table, mode: mode, in: store.database)
    }

    static func hold(_ table: String, mode: String = "SHARE", in database: TestDatabase) async throws -> HeldTable {
        let held = HeldTable(connection: try await database.connect(), watcher: try await database.connect())
        try await held.connection.run("BEGIN", "LOCK TABLE \"\(table)\" IN \(mode) MODE")
        return held
    }

    /// Returns when somebody waits for the table.
    func isWaitedFor() async throws {
        while true {
            var isWaited = false
            var question = PostgresBatch()
            question.add(
                PostgresStatement(
                    PreparedSQL(
                        "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND database = "
                            + "(SELECT oid FROM pg_database WHERE datname = current_database()))", isCached: false)),
                onRow: { isWaited = try $0.decode(0, as: Bool.self) })
            try await watcher.run(question)
            if isWaited { return }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    func letGo() async throws {
        try await connection.run("COMMIT")
        connection.close()
        watcher.close()
    }

    /// The same; blocks this thread.
    func letGo() throws {
        try connection.run("COMMIT")
        connection.close()
        watcher.close()
    }
}
