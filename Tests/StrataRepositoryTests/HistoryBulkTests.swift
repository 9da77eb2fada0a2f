import StrataClient
import StrataTestSupport
import Testing

/// Plans are kept for the session, whatever they were made for.
@Suite struct HistoryBulkTests {
    /// The server's time for a statement with its triggers, in milliseconds, at best.
    private func best(of runs: Int, _ sql: String, _ store: HistoryStore) async throws -> Double {
        var best = Double.infinity
        for _ in 0..<runs {
            var lines: [String] = []
            try await store.connection.run(
                PostgresBatch(PostgresStatement(PreparedSQL("EXPLAIN (ANALYZE, TIMING OFF) \(sql)", isCached: false))) {
                    lines.append(try $0.decode(0))
                })
            let time = lines.last { $0.hasPrefix("Execution Time: ") }?.split(separator: " ")[2]
            best = min(best, try #require(time.flatMap { Double($0) }))
        }
        return best
    }

    @Test func `An update of many rows is as cheap after one of a single row`() async throws {
        try await HistoryStore.with { store in
            try await store.run(
                "INSERT INTO note (pk, text) SELECT i, 'a' FROM generate_series(1, 100000) AS i", "VACUUM ANALYZE note")
            // The trigger's statements have plans for one row after that, for as long as the session lasts.
            for _ in 0..<6 { try await store.run("UPDATE note SET text = text || '.' WHERE pk = 1") }
            let update = "UPDATE note SET text = text || '.'"
            let recorded = try await best(of: 3, update, store)
            try await store.run("ALTER TABLE note DISABLE TRIGGER USER", "VACUUM note")
            let silent = try await best(of: 3, update, store)
            print("100,000 rows updated after one: \(recorded) ms with history, \(silent) ms without")
            // About 3. A plan that joins row by row needs hundreds of times as long.
            #expect(recorded < 8 * silent)
            #expect(try await store.text("SELECT count(*) FROM strata.history_change WHERE op = 'U'") == "300006")
        }
    }
}
