import Foundation

/// The rows that queries are measured on: the same every time.
enum QueryData {
    static func fillSales(_ database: Database, count: Int) throws {
        let sold = "timestamptz '2024-01-01 00:00+00' + ((i::bigint * 7919) % 1000000) * interval '1 minute'"
        try database.admin.execute(
            "SET session_replication_role = replica",
            """
            INSERT INTO sale (pk, city, category, sold_at, due_at, price)
            SELECT i, 'City ' || i % 101, i % 10, \(sold), CASE WHEN i % 10 > 0 THEN \(sold) + interval '14 days' END, i % 1000
            FROM generate_series(1, \(count)) i
            """,
            "RESET session_replication_role", "VACUUM (ANALYZE, FREEZE) sale", "CHECKPOINT")
    }

    /// A queue with so many jobs, of which none is done.
    static func fillQueue(_ database: Database, jobs: Int) throws {
        try database.admin.execute(
            "SET session_replication_role = replica", "TRUNCATE queued_job",
            "INSERT INTO queued_job (pk, state, number, payload) SELECT i, 0, i, 'job ' || i FROM generate_series(1, \(jobs)) i",
            "RESET session_replication_role", "VACUUM (ANALYZE) queued_job")
    }
}
