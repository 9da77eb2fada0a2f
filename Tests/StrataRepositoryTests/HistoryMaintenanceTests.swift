import StrataClient
import StrataRepository
import StrataTestSupport
import Testing

/// Deleting history, generations, and what keeps the triggers as they must be.
@Suite struct HistoryMaintenanceTests {
    @Test func `Deletion takes the oldest, slice by slice, and remembers how far it went`() async throws {
        try await HistoryStore.with { store in
            _ = try await store.text("SELECT strata.history_adopt('public')")
            for key in 1...6 { try await store.run("INSERT INTO tag (pk, name) VALUES (\(key), 'a')") }
            try await store.settle()
            #expect(try await store.text("SELECT strata.history_prune('public', NULL, 6)") == "0")
            #expect(try await store.text("SELECT deleted_below FROM strata.store") == "0")
            #expect(try await store.text("SELECT strata.history_prune('public', NULL, 2, 3)") == "3")
            #expect(try await store.text("SELECT strata.history_prune('public', NULL, 2, 3)") == "1")
            #expect(try await store.text("SELECT strata.history_prune('public', NULL, 2, 3)") == "0")
            let below = try await store.text("SELECT deleted_below FROM strata.store")
            let kept = try await store.text("SELECT min(xid::text::bigint) FROM strata.history_transaction")
            #expect(Int(below ?? "") ?? 0 > 0 && Int(below ?? "") ?? 0 <= Int(kept ?? "") ?? 0)
            #expect(try await store.recorded() == ["Tag#5 I", "Tag#6 I"])
        }
    }

    @Test func `A slice begins behind the one before it`() async throws {
        try await HistoryStore.with { store in
            _ = try await store.text("SELECT strata.history_adopt('public')")
            for key in 1...6 { try await store.run("INSERT INTO tag (pk, name) VALUES (\(key), 'a')") }
            try await store.settle()
            let slices = HistoryPruningSlice(in: "public")
            func slice(after place: HistoryPruningSlice.Place?) async throws -> HistoryPruningSlice.Outcome {
                var outcome = HistoryPruningSlice.Outcome()
                let statement = try slices.statement(.before(.distantFuture), nil, after: place, count: 2)
                try await store.connection.run(PostgresBatch(statement) { try outcome.take($0) })
                return outcome
            }
            let left = "SELECT string_agg(pk::text, ' ' ORDER BY pk) FROM strata.history_change"
            let first = try await slice(after: nil)
            #expect(first.deleted == 2)
            #expect(try await store.text(left) == "3 4 5 6")
            let fourth = try await store.text(
                "SELECT xid::text FROM strata.history_transaction ORDER BY xid OFFSET 1 LIMIT 1")
            let place = (generation: try #require(first.end).generation, transaction: try #require(fourth))
            let second = try await slice(after: place)
            // What stands before its beginning is not looked at.
            #expect(second.deleted == 2)
            #expect(try await store.text(left) == "3 4")
            let last = try await slice(after: second.end)
            #expect(last.deleted == 0 && last.end == nil)
        }
    }

    @Test func `Each call from SQL begins behind what was deleted, and comes back to what was left before it`()
        async throws
    {
        try await HistoryStore.with { store in
            _ = try await store.text("SELECT strata.history_adopt('public')")
            for key in 1...40 { try await store.run("INSERT INTO tag (pk, name) VALUES (\(key), 'a')") }
            try await store.settle()
            // The third is younger than its number: it stays, before all that go.
            try await store.run(
                """
                UPDATE strata.history_transaction SET at = now() + interval '1 day' WHERE xid = (
                    SELECT xid FROM strata.history_transaction ORDER BY xid OFFSET 2 LIMIT 1)
                """)
            var reads: [Int] = []
            // In one transaction nothing of the index is forgotten: whoever begins at the beginning reads all that was deleted.
            try await store.run("BEGIN")
            for deleted in [9, 10, 10, 10, 0] {
                #expect(try await store.text("SELECT strata.history_prune('public', now(), NULL, 10)") == "\(deleted)")
                let read = try await store.text(
                    "SELECT pg_stat_get_xact_tuples_returned('strata.history_transaction_pkey'::regclass)")
                reads.append(Int(read ?? "") ?? 0)
            }
            let calls = zip(reads.dropFirst(), reads).map(-)
            #expect(Set(calls.prefix(3)).count == 1, "\(reads)")
            try await store.run("COMMIT", "UPDATE strata.history_transaction SET at = '-infinity'")
            try await store.settle()
            #expect(try await store.text("SELECT strata.history_prune('public', now(), NULL, 10)") == "1")
            #expect(try await store.text("SELECT count(*) FROM strata.history_transaction") == "0")
        }
    }

    @Test func `From SQL, too, earlier generations go first, and what cannot go yet keeps nothing else`() async throws {
        try await HistoryStore.with { store in
            _ = try await store.text("SELECT strata.history_adopt('public')")
            for key in 1...4 { try await store.run("INSERT INTO tag (pk, name) VALUES (\(key), 'a')") }
            try await store.run("UPDATE strata.store SET timeline = 'elsewhere'")
            _ = try await store.text("SELECT strata.history_adopt('public')")
            for key in 5...6 { try await store.run("INSERT INTO tag (pk, name) VALUES (\(key), 'a')") }
            try await store.settle()
            let other = try await store.database.connect()
            defer { other.close() }
            try await other.execute("BEGIN")
            try await other.execute("SELECT pg_current_xact_id()")
            for key in 7...8 { try await store.run("INSERT INTO tag (pk, name) VALUES (\(key), 'a')") }
            let left = "SELECT string_agg(pk::text, ' ' ORDER BY pk) FROM strata.history_change"
            for (deleted, keys) in [("2", "3 4 5 6 7 8"), ("2", "5 6 7 8"), ("2", "7 8"), ("0", "7 8")] {
                #expect(try await store.text("SELECT strata.history_prune('public', NULL, 0, 2)") == deleted)
                #expect(try await store.text(left) == keys)
            }
            // What is younger than its number stands before those that cannot go.
            try await store.run("UPDATE strata.history_transaction SET at = 'infinity' WHERE generation = 3")
            #expect(try await store.text("SELECT strata.history_prune('public', now(), NULL, 2)") == "0")
            try await other.execute("COMMIT")
            try await store.settle()
            #expect(try await store.text("SELECT strata.history_prune('public', NULL, 0, 2)") == "2")
        }
    }

    @Test func `Less than nothing cannot be kept`() async throws {
        try await HistoryStore.with { store in
            try await store.run("INSERT INTO tag (pk, name) VALUES (1, 'a')")
            for call in ["history_prune('public', NULL, -1)", "history_cutoff('public', -1)"] {
                let error = await #expect(throws: PostgresError.self) {
                    _ = try await store.text("SELECT strata.\(call)")
                }
                #expect(error?.sqlState == "22023", "\(call)")
            }
            #expect(try await store.recorded() == ["Tag#1 I"])
        }
    }

    @Test func `A transaction that goes on is not deleted`() async throws {
        try await HistoryStore.with { store in
            _ = try await store.text("SELECT strata.history_adopt('public')")
            try await store.run("BEGIN", "INSERT INTO tag (pk, name) VALUES (1, 'a')")
            #expect(try await store.text("SELECT strata.history_prune('public', 'infinity', NULL)") == "0")
            try await store.run("COMMIT")
            try await store.settle()
            #expect(try await store.text("SELECT strata.history_prune('public', 'infinity', NULL)") == "1")
        }
    }

    @Test func `Another server, timeline or database is another generation`() async throws {
        try await HistoryStore.with { store in
            // The store's database is a copy of a template: it has not been adopted yet.
            let before = try await store.text("SELECT generation FROM strata.store")
            let first = try await store.text("SELECT strata.history_adopt('public')")
            #expect(before == "1" && first == "2")
            #expect(try await store.text("SELECT strata.history_adopt('public')") == "2")
            try await store.run(
                "INSERT INTO tag (pk, name) VALUES (1, 'a')",
                "UPDATE strata.store SET timeline = 'elsewhere', deleted_below = '99'")
            #expect(try await store.text("SELECT strata.history_adopt('public')") == "3")
            try await store.run("INSERT INTO tag (pk, name) VALUES (2, 'b')")
            #expect(
                try await store.rows("SELECT generation FROM strata.history_change ORDER BY seq") == ["(2)", "(3)"])
            #expect(try await store.text("SELECT deleted_below FROM strata.store") == "0")
        }
    }

    @Test func `What is wrong is found, and made right`() async throws {
        try await HistoryStore.with { store in
            let findings =
                "SELECT coalesce(relation, ''), name, problem FROM strata.history_findings('public') ORDER BY 1, 2"
            #expect(try await store.rows(findings) == [])
            try await store.run(
                "ALTER TABLE tag DISABLE TRIGGER strata_history_update", "DROP TRIGGER strata_history_insert ON doc",
                "ALTER TABLE trip ENABLE ALWAYS TRIGGER strata_history_delete",
                "DROP FUNCTION strata_history_1_item() CASCADE",
                "CREATE OR REPLACE FUNCTION strata_history_1_note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
                "ALTER SEQUENCE strata.history_change_seq CACHE 10")
            #expect(
                try await store.rows(findings) == [
                    "(\"\",history_change_seq,cached)", "(doc,strata_history_insert,missing)",
                    "(item,strata_history_1_item,missing)", "(item,strata_history_delete,missing)",
                    "(item,strata_history_insert,missing)", "(item,strata_history_truncate,missing)",
                    "(item,strata_history_update,missing)", "(note,strata_history_1_note,stale)",
                    "(tag,strata_history_update,disabled)", "(trip,strata_history_delete,stale)",
                ])
            try await store.run("ALTER SEQUENCE strata.history_change_seq CACHE 1")
            _ = try await store.text("SELECT strata.history_sync('public')")
            #expect(try await store.rows(findings) == [])
            try await store.run(
                "INSERT INTO item (pk, title) VALUES (1, 'a')", "INSERT INTO doc (pk, number) VALUES (1, 1)")
            #expect(try await store.recorded() == ["Item#1 I", "Doc#1 I"])
        }
    }

    @Test func `Functions are replaced while others write, and tables are locked only for triggers that change`()
        async throws
    {
        try await HistoryStore.with { store in
            let writer = try await store.database.connect()
            defer { writer.close() }
            try await writer.execute("BEGIN")
            try await writer.execute("INSERT INTO tag (pk, name) VALUES (1, 'a')")
            // A column more, and one less, in the description: only functions differ.
            try await store.run("SET lock_timeout = '2s'")
            let json = HistoryDescription(HistoryModels.mapping).json.replacing(
                #"{"column":"name","external":false,"name":"name","preserved":false,"was":[]}"#,
                with: #"{"column":"name","external":false,"name":"label","preserved":true,"was":["name"]}"#)
            _ = try await store.text("SELECT strata.history_describe('public', '\(json)')")
            try await writer.execute("COMMIT")
            try await store.run("DELETE FROM tag")
            // The bit is the one it was: what was recorded before has the new name.
            #expect(try await store.recorded() == ["Tag#1 I", "Tag#1 D label=a"])
        }
    }

    @Test func `Triggers follow tables that are renamed, and functions go with tables that are dropped`() async throws {
        try await HistoryStore.with { store in
            let functions =
                "SELECT proname FROM pg_proc WHERE proname ~ '^strata_history_1_(tag|label|doc)$' ORDER BY 1"
            #expect(try await store.rows(functions) == ["(strata_history_1_doc)", "(strata_history_1_tag)"])
            let json = HistoryDescription(HistoryModels.mapping).json.replacing(
                #""table":"tag""#, with: #""table":"label""#)
            try await store.run(
                "BEGIN", "ALTER TABLE tag RENAME TO label", "DROP TABLE doc",
                "SELECT strata.history_describe('public', '\(json)')", "COMMIT",
                "INSERT INTO label (pk, name) VALUES (1, 'a')")
            #expect(try await store.rows(functions) == ["(strata_history_1_label)"])
            #expect(try await store.recorded() == ["Tag#1 I"])
            #expect(try await store.rows("SELECT * FROM strata.history_findings('public')") == [])
        }
    }

    @Test func `Bits and numbers stay with what is renamed, on the way there and back, and are not given twice`()
        async throws
    {
        try await HistoryStore.with { store in
            func describe(_ current: HistoryDescription, next: HistoryDescription? = nil) async throws {
                let next = next.map { "'\($0.json)'" } ?? "NULL"
                _ = try await store.text("SELECT strata.history_describe('public', '\(current.json)', \(next))")
            }
            func numbers() async throws -> [String] {
                try await store.rows(
                    """
                    SELECT e.name, e.next_name, p.bit, p.name, p.next_name, p.retired FROM strata.history_property p
                    JOIN strata.history_entity e ON e.id = p.entity WHERE e.name IN ('A', 'B') ORDER BY e.id, p.bit
                    """)
            }
            typealias Property = HistoryDescription.Property
            func version(_ name: String, was: [String] = [], _ properties: [Property]) -> HistoryDescription {
                HistoryDescription(
                    entities: [.init(name: name, was: was, table: "a", classes: [name], properties: properties)],
                    links: [])
            }
            let first = version("A", [Property(name: "x", column: "x"), Property(name: "y", column: "y")])
            let second = version(
                "B", was: ["A"], [Property(name: "w", was: ["x"], column: "x"), Property(name: "z", column: "z")])
            try await describe(first)
            #expect(try await numbers() == ["(A,,0,x,,f)", "(A,,1,y,,f)"])
            try await describe(first, next: second)
            #expect(try await numbers() == ["(A,B,0,x,w,f)", "(A,B,1,y,,f)", "(A,B,2,z,,f)"])
            try await describe(second)
            #expect(try await numbers() == ["(B,,0,w,,f)", "(B,,1,y,,t)", "(B,,2,z,,f)"])
            try await describe(first)
            #expect(try await numbers() == ["(A,,0,x,,f)", "(A,,1,y,,t)", "(A,,2,z,,t)", "(A,,3,y,,f)"])
        }
    }

    @Test func `A hierarchy with more than 63 properties has a mask for each 63 of them`() async throws {
        try await HistoryStore.with { store in
            let columns = (0..<130).map { "w\($0) integer" }.joined(separator: ", ")
            try await store.run(
                "CREATE TABLE wide (pk bigint PRIMARY KEY, class text NOT NULL DEFAULT 'Wide', \(columns))")
            try await store.run("CREATE TABLE wider (pk bigint PRIMARY KEY, z integer)")
            let description = HistoryDescription(
                entities: [
                    .init(
                        name: "Wide", table: "wide", class: "class", classes: ["Wide"],
                        properties: (0..<130).map { .init(name: "w\($0)", column: "w\($0)") }),
                    .init(
                        name: "Wider", parent: "Wide", table: "wider", classes: ["Wider"],
                        properties: [.init(name: "z", column: "z")]),
                ], links: [])
            _ = try await store.text("SELECT strata.history_describe('public', '\(description.json)')")
            try await store.run(
                "INSERT INTO wide (pk, class) VALUES (1, 'Wide'), (2, 'Wider')", "INSERT INTO wider (pk) VALUES (2)",
                "UPDATE wide SET w5 = 1 WHERE pk = 2", "UPDATE wide SET w0 = 1, w129 = 1 WHERE pk = 2",
                "UPDATE wider SET z = 1",
                "UPDATE wide SET class = 'Wider' WHERE pk = 1", "DELETE FROM wider")
            let recorded = try await store.recorded()
            #expect(
                recorded == [
                    "Wide#1 I | Wider#2 I", "Wider#2 i", "Wider#2 U w5", "Wider#2 U w0,w129",
                    "Wider#2 u z", "Wide#1 D | Wider#1 I", "Wider#2 d",
                ])
        }
    }

    @Test func `A store that is forgotten leaves nothing`() async throws {
        try await HistoryStore.with { store in
            try await store.run("INSERT INTO tag (pk, name) VALUES (1, 'a')")
            _ = try await store.text("SELECT strata.history_forget('public')")
            for table in ["change", "transaction", "entity", "property", "description", "consumer"] {
                #expect(try await store.text("SELECT count(*) FROM strata.history_\(table)") == "0", "\(table)")
            }
        }
    }
}
