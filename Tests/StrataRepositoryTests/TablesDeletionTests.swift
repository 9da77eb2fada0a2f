import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

/// What the server does when another program deletes rows: the reasons for the foreign keys we choose.
@Suite struct TablesDeletionTests {
    static let created = TestTemplate("rules") { database in
        let connection = try await database.connect()
        defer { connection.close() }
        _ = try await StorePreparation.prepare(RuleModels.mapping, on: connection, mode: .createMissing)
        try await connection.execute("INSERT INTO author (pk) VALUES (1), (2)")
        try await connection.execute(
            "INSERT INTO book (pk, class, author, editor, critic, owner) VALUES (10, 'Novel', 1, 2, 2, 1)")
        try await connection.execute("INSERT INTO novel (pk, hero) VALUES (10, NULL)")
        try await connection.execute("INSERT INTO edition (isbn, book_editions) VALUES ('x', 10)")
        try await connection.execute("INSERT INTO tag (pk) VALUES (5)")
        try await connection.execute("INSERT INTO book_tags VALUES (10, 5)")
    }

    private func count(_ sql: String, on connection: PostgresConnection) async throws -> Int {
        var count = 0
        try await connection.run(
            PostgresBatch(PostgresStatement(sql), onRow: { count = Int(try $0.decode(0, as: Int64.self)) }))
        return count
    }

    /// What `ON DELETE RESTRICT` fails with: a violated foreign key up to PostgreSQL 17, a restriction of its own since 18.
    private static let refusals = ["23503", "23001"]

    @Test func `A rule .deny refuses the deletion`() async throws {
        try await withTestDatabase(template: Self.created) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let error = await #expect(throws: PostgresError.self) {
                try await connection.execute("DELETE FROM author WHERE pk = 1")
            }
            #expect(Self.refusals.contains(error?.sqlState ?? ""), "\(String(describing: error))")
        }
    }

    @Test func `Nullify clears the reference, no action leaves it dangling`() async throws {
        try await withTestDatabase(template: Self.created) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("DELETE FROM author WHERE pk = 2")
            #expect(
                try await count("SELECT count(*) FROM book WHERE editor IS NULL AND critic = 2", on: connection) == 1)
        }
    }

    @Test func `Deleting a row of the root takes its subclass's row, its parts and its links`() async throws {
        try await withTestDatabase(template: Self.created) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("DELETE FROM book WHERE pk = 10")
            for table in ["novel", "edition", "book_tags"] {
                #expect(try await count("SELECT count(*) FROM \(table)", on: connection) == 0)
            }
            #expect(try await count("SELECT count(*) FROM tag", on: connection) == 1)
        }
    }

    @Test func `Cascade over a column in a subclass's table refuses rather than leave half an object`() async throws {
        try await withTestDatabase(template: Self.created) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute("UPDATE novel SET hero = 2")
            let error = await #expect(throws: PostgresError.self) {
                try await connection.execute("DELETE FROM author WHERE pk = 2")
            }
            #expect(Self.refusals.contains(error?.sqlState ?? ""), "\(String(describing: error))")
        }
    }

    @Test func `One statement may delete both ends of a reference that refuses deletion`() async throws {
        try await withTestDatabase { database in
            try await database.execute(
                "CREATE TABLE node (pk int PRIMARY KEY, up int REFERENCES node ON DELETE RESTRICT)",
                "INSERT INTO node VALUES (1, NULL), (2, 1)",
                "DELETE FROM node WHERE pk IN (1, 2)",
                "CREATE TABLE hen (pk int PRIMARY KEY, egg int)",
                "CREATE TABLE egg (pk int PRIMARY KEY, hen int REFERENCES hen ON DELETE RESTRICT)",
                "ALTER TABLE hen ADD FOREIGN KEY (egg) REFERENCES egg ON DELETE RESTRICT",
                "INSERT INTO hen VALUES (1, NULL)", "INSERT INTO egg VALUES (1, 1)", "UPDATE hen SET egg = 1",
                "WITH t0 AS (DELETE FROM hen WHERE pk = 1) DELETE FROM egg WHERE pk = 1")
        }
    }

    @Test func `One statement may exchange the partners of a one-to-one relationship`() async throws {
        try await withTestDatabase(template: TablesDifferenceTests.created) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await connection.execute(
                "INSERT INTO trip (pk, name, start_date) VALUES (1, 'a', now()), (2, 'b', now())")
            try await connection.execute("INSERT INTO living_accommodation (pk, trip) VALUES (1, 1), (2, 2)")
            try await connection.execute("UPDATE living_accommodation SET trip = 3 - trip")
            #expect(try await count("SELECT count(*) FROM living_accommodation WHERE trip <> pk", on: connection) == 2)
        }
    }

    @Test func `Keys of other programs stay below those of Strata`() async throws {
        try await withTestDatabase(template: Self.created) { database in
            let connection = try await database.connect()
            defer { connection.close() }
            #expect(KeySpace.largestIdentity == 1 << 40 - 1)
            #expect(try await count("SELECT nextval('strata.key_block')", on: connection) == 1 << 24)
            #expect(KeySpace.lastBlock * KeySpace.blockSize + (KeySpace.blockSize - 1) == Int64.max)
        }
    }
}
