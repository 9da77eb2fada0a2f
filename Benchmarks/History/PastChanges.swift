import StrataClient

/// Changes that have been made long since, five a transaction: the same in Strata's tables and in those by hand.
struct PastChanges {
    let transactions: Int64
    /// The number of the first transaction.
    let first: Int64

    /// The first transaction that has not been.
    var end: Int64 { first + transactions }

    /// Uses up the transactions' numbers, then writes what they would have written.
    init(_ transactions: Int64, through connection: PostgresConnection) throws {
        self.transactions = transactions
        first = try connection.number("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        try connection.execute(
            """
            DO $$ BEGIN
                FOR i IN 1..\(transactions) LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP;
            END $$
            """)
        try connection.execute(headers("strata.history_transaction", "store, process, application", "1, 'p', 'bench'"))
        try connection.execute(headers("recorded.txn", "app", "'bench'"))
        try connection.execute(changes("strata.history_change", "strata.history_change_seq"))
        try connection.execute(changes("recorded.change", "recorded.change_seq"))
        for table in ["strata.history_transaction", "strata.history_change", "recorded.txn", "recorded.change"] {
            try connection.execute("VACUUM (ANALYZE) \(table)")
        }
    }

    /// Every thousandth transaction is an import.
    private func headers(_ table: String, _ columns: String, _ values: String) -> String {
        """
        INSERT INTO \(table) (xid, generation, at, author, actor, \(columns))
        SELECT (\(first - 1) + g)::text::xid8, 1, now() - (\(transactions) - g) * interval '1 s',
            CASE WHEN g % 1000 = 0 THEN 'import' WHEN g % 3 = 0 THEN 'app' END, session_user, \(values)
        FROM generate_series(1, \(transactions)) AS g
        """
    }

    /// One in ten is a deletion, one an insertion; one in 5003 is about the rare class.
    private func changes(_ table: String, _ sequence: String) -> String {
        """
        WITH class AS MATERIALIZED (
            SELECT e.name, e.id, p.bit FROM strata.history_entity AS e
            JOIN strata.history_property AS p ON p.root = e.root AND p.name IN ('text', 'place', 'title')),
        made AS (
            SELECT g, CASE WHEN g % 5003 = 0 THEN 'Audit' WHEN g % 2 = 0 THEN 'Note' ELSE 'Visit' END AS name,
                CASE g % 10 WHEN 0 THEN 'D' WHEN 9 THEN 'I' ELSE 'U' END::"char" AS op
            FROM generate_series(1, \(transactions * 5)) AS g)
        INSERT INTO \(table) (xid, seq, pk, props, entity, generation, op, tomb)
        SELECT (\(first) + (m.g - 1) / 5)::text::xid8, nextval('\(sequence)'), m.g % 100000,
            CASE WHEN m.op = 'U' THEN 1::bigint << c.bit END, c.id, 1, m.op,
            CASE WHEN m.op = 'D' THEN jsonb_build_object(c.bit::text, 'value ' || m.g) END
        FROM (SELECT * FROM made OFFSET 0) AS m JOIN class AS c ON c.name = m.name
        """
    }
}

extension PostgresConnection {
    func execute(_ sql: String) throws {
        try run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))) { _ in })
    }

    func number(_ sql: String) throws -> Int64 {
        var number: Int64 = 0
        try run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))) { number = try $0.decode(0) })
        return number
    }
}
