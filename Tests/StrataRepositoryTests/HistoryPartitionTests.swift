import StrataClient
import StrataRepository
import StrataTestSupport
import Synchronization
import Testing

/// Partitions of the history: how they come to be, what goes into them, and when they go.
@Suite struct HistoryPartitionTests {
    @Test func `A small history is divided at once, and partitions are no difference`() async throws {
        try await HistoryStore.with { store in
            try await store.run("INSERT INTO tag (pk, name) VALUES (1, 'a')")
            try await store.useWeekOfFewTransactions()
            #expect(try await store.partition() == ["history_change is partitioned, 1 to begin with"])
            #expect(try await store.partition() == [])
            #expect(
                try await store.rows(
                    """
                    SELECT c.relname, regexp_replace(pg_get_expr(c.relpartbound, c.oid), '[1-9]\\d*', 'N', 'g')
                    FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
                    WHERE i.inhparent = 'strata.history_change'::regclass ORDER BY 1 LIMIT 3
                    """) == [
                        "(history_change_0,DEFAULT)", "(history_change_1,\"FOR VALUES FROM ('0') TO ('N')\")",
                        "(history_change_2,\"FOR VALUES FROM ('N') TO ('N')\")",
                    ])
            #expect(
                try await store.rows(#"SELECT "number", "every" FROM strata.history_partition ORDER BY 1 LIMIT 3"#)
                    == [#"(0,"7 days")"#, #"(1,"7 days")"#, #"(2,"7 days")"#])
            // The same functions write; nothing is found to be wrong, and nothing is missing.
            try await store.run("UPDATE tag SET name = 'b'", "DELETE FROM tag")
            #expect(try await store.rows("SELECT * FROM strata.history_findings('public')") == [])
            _ = try await StorePreparation.prepare(HistoryModels.mapping, on: store.connection, mode: .createMissing)
            #expect(try await store.recorded() == ["Tag#1 I", "Tag#1 U name", "Tag#1 D"])
        }
    }

    /// Of each step first a try that is rolled back, as if it had been killed at its end, then the step, while three others write.
    @Test func `A large history is divided in steps beside writers, and nothing is lost or doubled`() async throws {
        try await HistoryStore.with { store in
            try await store.run("INSERT INTO tag (pk, name) SELECT i, 'a' FROM generate_series(1, 330000) AS i")
            let writing = Writing()
            let database = store.database
            // Has a number before the tables are exchanged, and writes afterwards.
            let early = try await store.database.connect()
            defer { early.close() }
            try await early.execute("BEGIN")
            try await early.execute("SELECT pg_current_xact_id()")
            let steps = try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...3 {
                    group.addTask {
                        let connection = try await database.connect()
                        defer { connection.close() }
                        var key = writer * 10_000_000
                        while !writing.isOver {
                            key += 1
                            try await connection.execute("BEGIN")
                            try await connection.execute("INSERT INTO tag (pk, name) VALUES (\(key), 'a')")
                            try await connection.execute("UPDATE tag SET name = 'b' WHERE pk = \(key)")
                            try await connection.execute(key.isMultiple(of: 7) ? "ROLLBACK" : "COMMIT")
                            if !key.isMultiple(of: 7) { writing.count() }
                        }
                    }
                }
                var steps: [String] = []
                while true {
                    try await store.run(
                        "BEGIN", "SELECT strata.history_partition('7 days')", "ROLLBACK")
                    guard let step = try await store.text("SELECT strata.history_partition('7 days')") else { break }
                    steps.append(step)
                    if steps.count == 1 {
                        try await early.execute("INSERT INTO tag (pk, name) VALUES (-1, 'early')")
                        try await early.execute("COMMIT")
                    }
                }
                writing.end()
                try await group.waitForAll()
                return steps
            }
            #expect(
                steps == [
                    "history_change_1 holds what there was, and an empty table takes what comes",
                    "strata.history_transaction_1 was read: its transactions are all below those of the next",
                    "strata.history_change_1 was read: its transactions are all below those of the next",
                    "history_change is partitioned, 2 to begin with",
                ])
            #expect(writing.transactions > 0)
            let counts = try await store.rows(
                """
                SELECT (SELECT count(*) FROM tag WHERE pk > 10000000 OR pk = -1), count(*) FILTER (WHERE op = 'I'),
                    count(*) FILTER (WHERE op = 'U'), count(*) - count(DISTINCT c.seq), (
                        SELECT count(*) FROM strata.history_transaction AS t WHERE NOT EXISTS (
                            SELECT FROM strata.history_change AS c WHERE c.xid = t.xid AND c.generation = t.generation)),
                    count(*) FILTER (WHERE NOT EXISTS (SELECT FROM strata.history_transaction AS t WHERE t.xid = c.xid))
                FROM strata.history_change AS c WHERE c.pk > 10000000 OR c.pk = -1
                """)
            let (all, updated) = (writing.transactions + 1, writing.transactions)
            #expect(counts == ["(\(all),\(all),\(updated),0,0,0)"])
            #expect(try await store.text("SELECT count(*) FROM strata.history_change WHERE pk <= 330000") == "330001")
            #expect(
                try await store.text("SELECT tableoid::regclass FROM strata.history_change WHERE pk = -1")
                    == "strata.history_change_1")
        }
    }

    @Test func `A transaction that keeps the tables locked is named, and writers pass meanwhile`() async throws {
        try await HistoryStore.with { store in
            let other = try await store.database.connect()
            defer { other.close() }
            try await other.execute("BEGIN")
            try await other.execute("INSERT INTO tag (pk, name) VALUES (1, 'a')")
            let writing = Writing()
            let database = store.database
            let writer = Task {
                let connection = try await database.connect()
                defer { connection.close() }
                while !writing.isOver {
                    let key = writing.transactions + 10
                    try await connection.execute("INSERT INTO tag (pk, name) VALUES (\(key), 'a')")
                    writing.count()
                }
            }
            let error = await #expect(throws: PostgresError.self) { try await store.partition() }
            writing.end()
            try await writer.value
            #expect(error?.sqlState == "55P03")
            #expect(error?.message.contains("process \(other.backendID)") == true, "\(String(describing: error))")
            #expect(writing.transactions > 10)
            try await other.execute("COMMIT")
            #expect(try await store.partition().count == 1)
            for (begin, state) in [("BEGIN ISOLATION LEVEL REPEATABLE READ", "25001"), ("BEGIN", "25001")] {
                try await store.run(begin, "SELECT pg_current_xact_id()")
                let error = await #expect(throws: PostgresError.self) { try await store.partition() }
                #expect(error?.sqlState == state)
                try await store.run("ROLLBACK")
            }
            await #expect(throws: PostgresError.self) { try await store.partition(every: "-1 day") }
        }
    }

    @Test
    func `A partition goes when all stores have marked it; older snapshots are waited for, and numbers never fail`()
        async throws
    {
        try await HistoryStore.with { store in
            _ = try await store.text("SELECT strata.history_adopt('public')")
            try await store.run(
                "CREATE SCHEMA two", "CREATE TABLE two.item (pk bigint PRIMARY KEY, title text)",
                """
                SELECT strata.history_describe('two', '\(HistoryDescription(entities: [
                    .init(name: "item", table: "item", classes: ["item"], properties: [.init(name: "title", column: "title")])
                ], links: []).json)')
                """)
            try await store.run(
                "INSERT INTO tag (pk, name) VALUES (1, 'a')", "INSERT INTO two.item (pk, title) VALUES (2, 'a')")
            try await store.useWeekOfFewTransactions()
            _ = try await store.partition()
            // Behind the end of the first partition.
            try await store.passPartition()
            try await store.run("INSERT INTO tag (pk, name) VALUES (3, 'a')")
            try await store.database.waitForOlderTransactions()

            let expire = "SELECT below IS NULL FROM strata.history_expire('%', 'yesterday', NULL, NULL)"
            let drop = "SELECT * FROM strata.history_partition_drop()"
            let left = "SELECT pk, tableoid::regclass FROM strata.history_change ORDER BY seq"
            let marks = "SELECT deleted_below > '0', deletions FROM strata.store ORDER BY number"
            // Nothing is old.
            #expect(
                try await store.rows(
                    "SELECT below IS NULL, is_closed FROM strata.history_expire('public', '2000-01-01', NULL, NULL)")
                    == ["(t,t)"])
            #expect(try await store.rows(drop) == ["(0,0)"])
            #expect(try await store.rows(marks) == ["(f,0)", "(f,0)"])
            // The other store has not marked what it has there; of what is marked nothing is asked again.
            #expect(try await store.rows(expire.replacing("%", with: "public")) == ["(f)"])
            #expect(try await store.rows(expire.replacing("%", with: "public")) == ["(f)"])
            #expect(try await store.rows(marks) == ["(t,1)", "(f,0)"])
            #expect(try await store.rows(drop) == ["(0,0)"])
            #expect(try await store.rows(expire.replacing("%", with: "two")) == ["(f)"])

            let reader = try await store.database.connect()
            defer { reader.close() }
            try await reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            try await reader.execute("SELECT 1")
            #expect(try await store.rows(drop) == ["(0,1)"])
            #expect(try await store.rows(left).count == 3)
            try await reader.execute("COMMIT")
            #expect(try await store.rows(drop) == ["(1,0)"])
            #expect(try await store.rows(left).count == 1)
            #expect(try await store.rows(marks) == ["(t,2)", "(t,2)"])
            _ = try await store.text("SELECT strata.history_partition_sweep()")
            #expect(try await store.text("SELECT to_regclass('strata.history_change_1') IS NULL") == "true")
            // A server whose numbers are smaller, as after a restore.
            try await store.run(
                "INSERT INTO strata.history_change (xid, generation, entity, op, pk) VALUES ('5', 1, 1, 'I', 9)")
            #expect(try await store.rows(left).last == "(9,strata.history_change_0)")
        }
    }

    @Test func `Who is at work is told apart from nothing to do, a vacuum stops nobody, and two can divide at once`()
        async throws
    {
        try await HistoryStore.with { store in
            _ = try await store.text("SELECT strata.history_adopt('public')")
            try await store.run("INSERT INTO tag (pk, name) VALUES (1, 'a')")
            try await store.useWeekOfFewTransactions()
            let database = store.database
            let steps = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 1...2 {
                    group.addTask {
                        let other = try await HistoryStore(database)
                        return try await other.partition()
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(steps == ["history_change is partitioned, 1 to begin with"])
            try await store.passPartition()
            try await store.run("INSERT INTO tag (pk, name) VALUES (2, 'a')")
            try await store.passPartition()
            try await store.run("INSERT INTO tag (pk, name) VALUES (3, 'a')")
            try await store.passPartition()
            try await store.database.waitForOlderTransactions()
            try await store.run("SELECT strata.history_expire('public', 'infinity', NULL, NULL)")
            let other = try await store.database.connect()
            defer { other.close() }
            let drop = "SELECT * FROM strata.history_partition_drop()"
            try await other.execute("BEGIN")
            try await other.execute("SELECT pg_advisory_xact_lock(1400140400, 0)")
            #expect(try await store.rows(drop) == ["(0,)"])
            try await other.execute("COMMIT")
            #expect(try await store.rows(drop).first?.hasPrefix("(1,") == true)
            // As a vacuum does; it began before, so that it is not waited for as a reader.
            try await other.execute("BEGIN")
            try await other.execute("LOCK TABLE ONLY strata.history_change_1 IN SHARE UPDATE EXCLUSIVE MODE")
            let sweeper = Task {
                let sweeper = try await HistoryStore(database)
                return try await sweeper.text("SELECT strata.history_partition_sweep()")
            }
            try await store.run("SET lock_timeout = '1s'")
            for key in 10...40 { try await store.run("INSERT INTO tag (pk, name) VALUES (\(key), 'a')") }
            _ = try await sweeper.value
            let isThere = "SELECT to_regclass('strata.history_change_1') IS NOT NULL"
            #expect(try await store.text(isThere) == "true")
            try await other.execute("COMMIT")
            _ = try await store.text("SELECT strata.history_partition_sweep()")
            #expect(try await store.text(isThere) == "false")
            while try await store.rows(drop).first?.hasPrefix("(1,") == true {}
            #expect(
                try await store.text(
                    "SELECT count(*) FROM strata.history_change WHERE pk < 10 AND tableoid <> 'strata.history_change_0'::regclass"
                )
                    == "0")
        }
    }

    @Test func `What the owner has added to the tables is named, and nothing is lost of it`() async throws {
        try await HistoryStore.with { store in
            try await store.run(
                "CREATE VIEW latest AS SELECT max(xid) AS xid FROM strata.history_change",
                "ALTER TABLE strata.history_change ENABLE ROW LEVEL SECURITY")
            let error = await #expect(throws: PostgresError.self) { try await store.partition() }
            #expect(
                error?.message.contains("row security of history_change, the view public.latest") == true,
                "\(error as Any)")
            try await store.run(
                "DROP VIEW latest", "ALTER TABLE strata.history_change DISABLE ROW LEVEL SECURITY",
                "ALTER TABLE strata.history_change SET (autovacuum_vacuum_scale_factor = 0.01)")
            _ = try await store.partition()
            let options = "SELECT DISTINCT reloptions FROM pg_class WHERE relname ~ '^history_change_[1-9]+$'"
            #expect(try await store.rows(options) == ["({autovacuum_vacuum_scale_factor=0.01})"])
        }
    }

    @Test func `What came when there was no partition for it becomes one, and further ones follow`() async throws {
        try await HistoryStore.with { store in
            try await store.run("INSERT INTO tag (pk, name) VALUES (1, 'a')")
            try await store.useWeekOfFewTransactions()
            _ = try await store.partition()
            try await store.waitForPartitions(3)
            // From here on nobody makes partitions.
            for _ in 1...6 { try await store.passPartition() }
            try await store.run("INSERT INTO tag (pk, name) VALUES (2, 'a')")
            let places = "SELECT pk, tableoid::regclass FROM strata.history_change ORDER BY seq"
            #expect(
                try await store.rows(places) == ["(1,strata.history_change_1)", "(2,strata.history_change_0)"])
            #expect(try await store.text("SELECT strata.history_partition_ahead()") == nil)
            #expect(
                try await store.partition() == [
                    "history_change_4 holds what stood beside the partitions",
                    "strata.history_transaction_4 was read: its transactions are all below those of the next",
                    "strata.history_change_4 was read: its transactions are all below those of the next",
                    "history_change is partitioned, 5 to begin with",
                ])
            try await store.run("INSERT INTO tag (pk, name) VALUES (3, 'a')")
            #expect(
                try await store.rows(places) == [
                    "(1,strata.history_change_1)", "(2,strata.history_change_4)", "(3,strata.history_change_5)",
                ])
        }
    }

    @Test func `Who reads and who prunes may do so with partitions as without`() async throws {
        try await HistoryStore.with { store in
            _ = try await store.text("SELECT strata.history_adopt('public')")
            let (reader, janitor) = (
                "reader_\(UInt32.random(in: 0 ... .max))", "janitor_\(UInt32.random(in: 0 ... .max))"
            )
            try await store.run(
                "CREATE ROLE \(reader)", "CREATE ROLE \(janitor)", "SELECT strata.history_grant('\(reader)', 'read')",
                "SELECT strata.history_grant('\(janitor)', 'prune')", "INSERT INTO tag (pk, name) VALUES (1, 'a')")
            try await store.useWeekOfFewTransactions()
            _ = try await store.partition()
            try await store.waitForPartitions(3)
            try await store.passPartition()
            try await store.run("INSERT INTO tag (pk, name) VALUES (2, 'a')")
            try await store.database.waitForOlderTransactions()
            try await store.run("SET ROLE \(reader)")
            #expect(try await store.text("SELECT count(*) FROM strata.history_change") == "2")
            #expect(try await store.text("SELECT count(*) > 3 FROM strata.history_partition") == "true")
            for call in ["history_partition('1 day')", "history_partition_drop()", "history_partition_ahead()"] {
                let error = await #expect(throws: PostgresError.self) {
                    try await store.run("SELECT strata.\(call)")
                }
                #expect(error?.sqlState == "42501", "\(call)")
            }
            try await store.run("RESET ROLE", "SET ROLE \(janitor)")
            try await store.run("SELECT strata.history_expire('public', 'yesterday', NULL, NULL)")
            #expect(try await store.rows("SELECT * FROM strata.history_partition_drop()") == ["(1,0)"])
            #expect(try await store.text("SELECT strata.history_partition_sweep() >= 1") == "true")
            _ = try await store.text("SELECT strata.history_partition_ahead()")
            let error = await #expect(throws: PostgresError.self) {
                try await store.run("SELECT strata.history_partition('1 day')")
            }
            #expect(error?.sqlState == "42501")
            try await store.run("RESET ROLE", "DROP OWNED BY \(reader), \(janitor)", "DROP ROLE \(reader), \(janitor)")
        }
    }
}

/// What writers are told, and tell.
private final class Writing: Sendable {
    private let state = Mutex((isOver: false, transactions: 0))

    var isOver: Bool { state.withLock { $0.isOver } }
    var transactions: Int { state.withLock { $0.transactions } }
    func count() { state.withLock { $0.transactions += 1 } }
    func end() { state.withLock { $0.isOver = true } }
}

extension HistoryStore {
    /// Calls `history_partition` until nothing is left to do, and says what was done.
    fileprivate func partition(every: String = "7 days") async throws -> [String] {
        var steps: [String] = []
        while let step = try await text("SELECT strata.history_partition('\(every)')") { steps.append(step) }
        return steps
    }

    /// Makes partitions until there are so many. Where a vacuum has a table for more than a moment, the next one is made by a later call.
    fileprivate func waitForPartitions(_ count: Int) async throws {
        try await waitUntil {
            _ = try await text("SELECT strata.history_partition_ahead()")
            return try await text("SELECT max(number) >= \(count) FROM strata.history_partition") == "true"
        }
    }

    /// All that is recorded is a week old, so that a week has as few transactions as there were: partitions are as narrow as they can be.
    fileprivate func useWeekOfFewTransactions() async throws {
        try await run(
            """
            UPDATE strata.history_transaction SET at = now() - interval '7 days' * greatest(1,
                (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - xid::text::bigint) / 10000)
            """)
    }

    /// Uses up as many numbers as the narrowest partition has.
    fileprivate func passPartition() async throws {
        try await run(
            """
            DO $$ BEGIN
                CREATE TEMPORARY TABLE IF NOT EXISTS number (i integer);
                FOR i IN 1..10000 LOOP
                    BEGIN INSERT INTO number VALUES (i); EXCEPTION WHEN OTHERS THEN NULL; END;
                END LOOP;
            END $$
            """)
    }
}
