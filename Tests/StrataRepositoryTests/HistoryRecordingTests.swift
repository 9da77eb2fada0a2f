import Foundation
import StrataTestSupport
import Testing

/// What the triggers record of what other programs do.
@Suite struct HistoryRecordingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// Statements that are not looked at.
        var before: [String] = []
        let statements: [String]
        /// One line a transaction.
        let expected: [String]
        var isOrdered = true
        var testDescription: String { name }
    }

    private static let family = [
        "INSERT INTO trip (pk, class, name) VALUES (1, 'FamilyTrip', 'Alps')",
        "INSERT INTO personal_trip (pk, reason) VALUES (1, 'snow')", "INSERT INTO family_trip (pk, kids) VALUES (1, 2)",
    ]
    private static let trips = ["INSERT INTO trip (pk, name) VALUES (1, 'Rome'), (2, 'Oslo')"]

    @Test("What is recorded", arguments: cases)
    func recorded(_ test: Case) async throws {
        try await HistoryStore.with { store in
            try await store.run(test.before)
            _ = try await store.recorded()
            try await store.run(test.statements)
            let recorded = try await store.recorded()
            // The rows of one UPDATE come in no order that could be told before.
            func sorted(_ lines: [String]) -> [[String]] { lines.map { $0.components(separatedBy: " | ").sorted() } }
            #expect(test.isOrdered ? recorded == test.expected : sorted(recorded) == sorted(test.expected))
        }
    }

    static let cases: [Case] = [
        Case(
            name: "rows of one statement", statements: trips,
            expected: ["Trip#1 I | Trip#2 I"]),
        Case(
            name: "updates name what differs, in the rows in which it differs", before: trips,
            statements: [
                "UPDATE trip SET name = 'Roma', starts = now() WHERE pk = 1",
                "UPDATE trip SET destination = 'x' WHERE pk = 1",
                "UPDATE trip SET name = 'Oslo'",
            ],
            expected: ["Trip#1 U name,starts", "Trip#1 U destination", "Trip#1 U name"]),
        Case(
            name: "what changes nothing, or nothing that is mapped, leaves no trace",
            before: trips + ["ALTER TABLE trip ADD COLUMN other integer"],
            statements: [
                "UPDATE trip SET name = name", "UPDATE trip SET other = 1", "UPDATE trip SET name = 'x' WHERE pk = 99",
                "DELETE FROM trip WHERE pk = 99", "INSERT INTO trip (name) SELECT 'x' WHERE false",
            ],
            expected: []),
        Case(
            name: "a deletion keeps the values that are to be preserved",
            before: ["INSERT INTO trip (pk, name, starts) VALUES (1, 'Rome', '2026-01-02 03:04:05.5+05')"],
            statements: ["SET TimeZone = 'America/New_York'", "DELETE FROM trip"],
            expected: ["Trip#1 D name=Rome,starts=2026-01-01T22:04:05.5"]),
        Case(
            name: "an object of three tables, in one statement",
            statements: [
                """
                WITH t AS (INSERT INTO trip (pk, class, name) VALUES (1, 'FamilyTrip', 'Alps') RETURNING pk),
                p AS (INSERT INTO personal_trip (pk) SELECT pk FROM t)
                INSERT INTO family_trip (pk, kids) SELECT pk, 2 FROM t
                """
            ],
            expected: ["FamilyTrip#1 I | FamilyTrip#1 i | FamilyTrip#1 i"]),
        Case(
            name: "tables of a subclass, of the one between, and of the root", before: family,
            statements: [
                "UPDATE family_trip SET kids = 3", "UPDATE personal_trip SET reason = 'sun'",
                "UPDATE trip SET name = 'Jura'",
                "DELETE FROM trip",
            ],
            expected: [
                "FamilyTrip#1 u kids", "FamilyTrip#1 u reason", "FamilyTrip#1 U name",
                "FamilyTrip#1 D name=Jura,starts=NULL | PersonalTrip#1 d reason=sun | FamilyTrip#1 d",
            ]),
        Case(
            name: "an object that becomes one of another class leaves the old one first", before: trips,
            statements: ["UPDATE trip SET class = 'BusinessTrip', name = name || '!'"],
            expected: [
                "Trip#1 D name=Rome,starts=NULL | Trip#2 D name=Oslo,starts=NULL | BusinessTrip#1 I | BusinessTrip#2 I"
            ]),
        Case(
            name: "cascades and SET NULL",
            before: trips + [
                "INSERT INTO item (pk, title, trip) VALUES (5, 'swim', 1), (6, 'eat', 1)",
                "INSERT INTO note (pk, text, trip_notes) VALUES (7, 'n', 1)",
                "INSERT INTO tag (pk, name) VALUES (8, 't')", "INSERT INTO tag_trips (trip_pk, tag_pk) VALUES (1, 8)",
            ],
            statements: ["DELETE FROM trip WHERE pk = 1"],
            expected: [
                """
                Trip#1 D name=Rome,starts=NULL | Item#5 D title=swim | Item#6 D title=eat | Trip#1 u notes \
                | Tag#8 u trips | Trip#1 u tags
                """
            ]),
        Case(
            name: "links are updates of both sides",
            before: trips + ["INSERT INTO tag (pk, name) VALUES (1, 'a'), (2, 'b')"],
            statements: [
                "INSERT INTO tag_trips (trip_pk, tag_pk) VALUES (1, 1), (1, 2)",
                "UPDATE tag_trips SET trip_pk = 2 WHERE tag_pk = 2",
                "UPDATE tag_trips SET trip_pk = trip_pk", "DELETE FROM tag_trips WHERE tag_pk = 1",
                "TRUNCATE tag_trips",
            ],
            expected: [
                "Tag#1 u trips | Tag#2 u trips | Trip#1 u tags", "Tag#2 u trips | Trip#1 u tags | Trip#2 u tags",
                "Tag#1 u trips | Trip#1 u tags", "Tag#2 u trips | Trip#2 u tags",
            ]),
        Case(
            name: "links within one class", before: ["INSERT INTO person (pk, name) VALUES (1, 'a'), (2, 'b')"],
            statements: ["INSERT INTO person_followed (followers_pk, followed_pk) VALUES (1, 2)"],
            expected: ["Person#2 u followers | Person#1 u followed"]),
        Case(
            name: "a to-many relationship without an inverse is its owner's",
            before: family + ["INSERT INTO trip (pk, name) VALUES (2, 'x')"],
            statements: [
                "INSERT INTO note (pk, text, trip_notes) VALUES (1, 'n', 1), (2, 'm', NULL)",
                "UPDATE note SET trip_notes = 2 WHERE pk = 1",
                "UPDATE note SET text = 'p' WHERE pk = 1", "DELETE FROM note WHERE pk = 1",
            ],
            expected: [
                "Note#1 I | Note#2 I | FamilyTrip#1 u notes", "FamilyTrip#1 u notes | Trip#2 u notes", "Note#1 U text",
                "Note#1 D | Trip#2 u notes",
            ]),
        Case(
            name: "large values are compared when a statement names them",
            before: [
                #"INSERT INTO doc (pk, number, scan, digest) VALUES (1, 1, '\x00', '\x01ff'), (2, 2, '\x00', NULL)"#
            ],
            statements: [
                "UPDATE doc SET number = 3 WHERE pk = 1", #"UPDATE doc SET scan = '\x01' WHERE pk = 1"#,
                "UPDATE doc SET scan = scan",
                #"INSERT INTO doc (pk, number) VALUES (1, 0) ON CONFLICT (pk) DO UPDATE SET scan = '\x02'"#,
                "DELETE FROM doc WHERE pk = 1",
            ],
            expected: ["Doc#1 U number", "Doc#1 U scan", "Doc#1 U scan", "Doc#1 D digest=01ff"]),
        Case(
            name: "a changed key is a deletion and an insertion",
            before: ["INSERT INTO tag (pk, name) VALUES (1, 'a')"],
            statements: ["UPDATE tag SET pk = 2"], expected: ["Tag#2 I | Tag#1 D"]),
        Case(
            name: "keys that are exchanged are values that are exchanged",
            before: [
                "ALTER TABLE person DROP CONSTRAINT person_pkey CASCADE",
                "ALTER TABLE person ADD PRIMARY KEY (pk) DEFERRABLE",
                "INSERT INTO person (pk, name) VALUES (1, 'a'), (2, 'b')",
            ],
            statements: ["UPDATE person SET pk = 3 - pk"], expected: ["Person#1 U name | Person#2 U name"],
            isOrdered: false),
        Case(
            name: "upserts", before: ["INSERT INTO tag (pk, name) VALUES (1, 'a')"],
            statements: [
                "INSERT INTO tag (pk, name) VALUES (1, 'b'), (2, 'c') ON CONFLICT (pk) DO UPDATE SET name = excluded.name",
                "INSERT INTO tag (pk, name) VALUES (1, 'x') ON CONFLICT (pk) DO NOTHING",
            ],
            expected: ["Tag#1 U name | Tag#2 I"]),
        Case(
            name: "MERGE", before: ["INSERT INTO tag (pk, name) VALUES (1, 'a'), (2, 'b')"],
            statements: [
                """
                MERGE INTO tag USING (VALUES (1, NULL), (2, 'c'), (3, 'd')) v (pk, name) ON v.pk = tag.pk
                WHEN MATCHED AND v.name IS NULL THEN DELETE WHEN MATCHED THEN UPDATE SET name = v.name
                WHEN NOT MATCHED THEN INSERT (pk, name) VALUES (v.pk, v.name)
                """
            ],
            expected: ["Tag#1 D | Tag#2 U name | Tag#3 I"]),
        Case(
            name: "TRUNCATE deletes every row",
            before: trips + ["INSERT INTO item (pk, title, trip) VALUES (5, 'swim', 1)"],
            statements: ["TRUNCATE trip CASCADE"],
            expected: [
                "Trip#1 D name=Rome,starts=NULL | Trip#2 D name=Oslo,starts=NULL | Item#5 D title=swim"
            ]),
        Case(
            name: "what is rolled back is gone, and what comes after it has its header",
            statements: [
                "BEGIN", "SAVEPOINT a", "INSERT INTO tag (pk, name) VALUES (1, 'a')", "ROLLBACK TO a",
                "INSERT INTO tag (pk, name) VALUES (2, 'b')", "COMMIT",
                """
                DO $$ BEGIN
                    BEGIN INSERT INTO tag (pk, name) VALUES (3, 'c'); RAISE division_by_zero;
                    EXCEPTION WHEN division_by_zero THEN NULL; END;
                    INSERT INTO tag (pk, name) VALUES (4, 'd');
                END $$
                """,
                "BEGIN", "INSERT INTO tag (pk, name) VALUES (5, 'e')", "ROLLBACK",
            ],
            expected: ["Tag#2 I", "Tag#4 I"]),
        Case(
            name: "many statements of one transaction",
            statements: [
                "BEGIN", "INSERT INTO tag (pk, name) VALUES (1, 'a')", "UPDATE tag SET name = 'b'", "DELETE FROM tag",
                "INSERT INTO tag (pk, name) VALUES (1, 'c')", "COMMIT",
            ],
            expected: ["Tag#1 I | Tag#1 U name | Tag#1 D | Tag#1 I"]),
        Case(
            name: "the owner may write past it, and leaves a reset for each class and transaction", before: trips,
            statements: [
                "BEGIN", "SET LOCAL strata.history = 'off'", "INSERT INTO tag (pk, name) VALUES (1, 'a')",
                "UPDATE tag SET name = 'b'", "UPDATE trip SET name = 'x'", "COMMIT",
                "SELECT strata.history_reset('public', 'Item')",
            ],
            expected: ["Tag R | Trip R", "Item R"]),
    ]

    @Test(arguments: ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])
    func `TRUNCATE takes along what its snapshot does not see, and leaves a reset there`(level: String) async throws {
        try await HistoryStore.with { store in
            let other = try await store.database.connect()
            defer { other.close() }
            try await store.run(
                "INSERT INTO trip (pk, class, name) VALUES (1, 'Trip', 'Rome')",
                "INSERT INTO tag (pk, name) VALUES (1, 'a')", "INSERT INTO tag_trips (trip_pk, tag_pk) VALUES (1, 1)")
            _ = try await store.recorded()
            try await store.run("BEGIN ISOLATION LEVEL \(level)", "SELECT count(*) FROM trip")
            for statement in [
                "INSERT INTO trip (pk, class, name) VALUES (2, 'Trip', 'Oslo')",
                "INSERT INTO item (pk, title, trip) VALUES (5, 'swim', 2)",
            ] {
                try await other.execute(statement)
            }
            try await store.run("TRUNCATE trip CASCADE", "COMMIT")
            #expect(try await store.text("SELECT count(*) FROM trip") == "0")
            let recorded = try await store.recorded()
            let last = try #require(recorded.last)
            #expect(recorded.count == 3)
            if level == "READ COMMITTED" {
                // Each of its statements sees everything that was committed before.
                #expect(last.contains("Trip#1 D") && last.contains("Trip#2 D") && last.contains("Item#5 D"))
                #expect(!last.contains(" R"))
            } else {
                #expect(last.contains("Trip#1 D") && !last.contains("Trip#2") && !last.contains("Item#5"))
                #expect(last.contains("Trip R") && last.contains("Item R") && last.contains("Tag R"))
                #expect(!last.contains("WITHOUT HEADER"))
            }
        }
    }

    @Test func `A statement that fails leaves nothing`() async throws {
        try await HistoryStore.with { store in
            try await store.run("INSERT INTO tag (pk, name) VALUES (1, 'a')")
            _ = try await store.recorded()
            await #expect(throws: (any Error).self) {
                try await store.run("INSERT INTO tag (pk, name) VALUES (2, 'b'), (1, 'again')")
            }
            #expect(try await store.recorded() == [])
        }
    }

    @Test func `COPY is recorded`() async throws {
        try await HistoryStore.with { store in
            var key: Int64 = 0
            try await store.connection.copyIn("COPY tag (pk, name) FROM STDIN (FORMAT binary)", columns: 2) { row in
                key += 1
                guard key < 3 else { return false }
                try row.append(key)
                try row.append("copied")
                return true
            }
            #expect(try await store.recorded() == ["Tag#1 I | Tag#2 I"])
        }
    }

    @Test func `The header says who wrote`() async throws {
        try await HistoryStore.with { store in
            try await store.run(
                "CREATE ROLE \"history clerk\"", "GRANT ALL ON tag TO \"history clerk\"",
                "SET application_name = 'billing'", "BEGIN",
                "SELECT set_config('strata.author', 'ann', true), set_config('strata.context', '{\"request\":\"7\"}', true)",
                "SELECT set_config('strata.process', 'p1', true)", "SET LOCAL ROLE \"history clerk\"",
                "INSERT INTO tag (pk, name) VALUES (1, 'a')", "COMMIT", "UPDATE tag SET name = 'b'")
            let user = try await store.text("SELECT session_user") ?? ""
            let headers = try await store.rows(
                "SELECT author, actor, role, application, process, context FROM strata.history_transaction ORDER BY xid"
            )
            try await store.run("DROP OWNED BY \"history clerk\"", "DROP ROLE \"history clerk\"")
            #expect(
                headers == [
                    #"(ann,\#(user),"history clerk",billing,p1,"{""request"":""7""}")"#, "(,\(user),,billing,,)",
                ])
        }
    }
}
