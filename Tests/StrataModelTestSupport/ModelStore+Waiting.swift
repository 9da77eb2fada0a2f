import StrataClient

extension ModelStore {
    /// Whether a session of this database waits for a lock.
    package func isWaitingForLock() async throws -> Bool {
        let connection = try await database.connect()
        defer { connection.close() }
        var isWaiting = false
        let statement = PostgresStatement(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
        try await connection.run(PostgresBatch(statement) { _ in isWaiting = true })
        return isWaiting
    }
}
