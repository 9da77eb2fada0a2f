extension TestDatabase {
    /// Waits until no transaction of the server is older than this moment, for a minute at most: pruning leaves what a
    /// transaction that is still open could make somebody ask for, and other tests share the server.
    package func waitForOlderTransactions() async throws {
        try await execute(
            """
            DO $$
            DECLARE
                now xid8 := pg_snapshot_xmax(pg_current_snapshot());
            BEGIN
                FOR attempt IN 1..1200 LOOP
                    EXIT WHEN pg_snapshot_xmin(pg_current_snapshot()) >= now;
                    PERFORM pg_sleep(0.05);
                END LOOP;
            END $$
            """)
    }
}
