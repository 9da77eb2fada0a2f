import StrataClient
import StrataMigrationFiles
import StrataMigrations
import StrataModels
import StrataTestSupport
import Testing

@Suite("Migration files in psql", .enabled(if: Psql.program != nil))
struct FilePsqlTests {
    @Test("psql runs a file and records the version; a wrong version, a closure, a check and a verification stop it")
    func run() async throws {
        try await withTestDatabase { database in
            try await database.execute(
                "CREATE TABLE trip (pk bigint PRIMARY KEY, code text, notes text)",
                "INSERT INTO trip SELECT n, 'abc', 'x' FROM generate_series(1, 50) n",
                "INSERT INTO trip VALUES (99, 'too long', 'x')")
            try Psql.installLibrary(on: database)
            let script = ExampleScript.script
            let from = try #require(script.from)
            let text = try MigrationFile(script).upText
            let misplaced = try Psql.run(text: text, on: database)
            #expect(misplaced.contains("\(script.stem): the database is not at version \(from.version)"))
            try await database.execute(
                """
                INSERT INTO strata.schema_version (schema_name, version, fingerprint, stage)
                VALUES ('\(script.schemaName)', '\(from.version)', '\(from.fingerprint)', 'before')
                """)
            #expect(try Psql.run(text: text, on: database).contains("step 4.1 is willMigrate"))
            #expect(try Psql.run(text: text, on: database, closuresDone: true).contains("M204: trip.code is too long"))
            try await database.execute("UPDATE trip SET code = 'abc'")
            let refused = text.replacing("SET rating = 1", with: "SET rating = NULLIF(pk, 99)")
            #expect(
                try Psql.run(text: refused, on: database, closuresDone: true).contains(
                    "step 4.5, every trip has a rating"))
            try await database.execute("ALTER TABLE trip DROP COLUMN rating", "DROP INDEX IF EXISTS trip_rating")
            #expect(try Psql.run(text: text, on: database, closuresDone: true) == "")

            let connection = try await database.connect()
            defer { connection.close() }
            var found: [String] = []
            let statement = PostgresStatement(
                """
                SELECT version || ' ' || stage || ' ' || (SELECT count(*) FROM trip WHERE rating = 1)
                FROM strata.schema_version ORDER BY number DESC LIMIT 1
                """)
            try await connection.run(
                PostgresBatch(statement, onRow: { found.append(try $0.decode(0, as: String.self)) }))
            #expect(found == ["4.0.0 0004_v3_v4 51"])
        }
    }

    @Test("rows of tables whose keys are UUIDs or texts are walked, too", arguments: [RowKey.Kind.uuid, .text])
    func keys(_ kind: RowKey.Kind) async throws {
        let scripts = try (kind == .uuid ? KeyEvolutionTests.growing() : TextKeyEvolutionTests.growing()).scripts()
        let rows = kind == .uuid ? KeyEvolutionTests.rows : TextKeyEvolutionTests.rows
        try await withTestDatabase { database in
            try Psql.installLibrary(on: database)
            #expect(try Psql.run(text: try MigrationFile(scripts[0]).upText, on: database) == "")
            for sql in rows { try await database.execute(sql) }
            let text = try MigrationFile(scripts[1]).upText
            #expect(text.contains("tx=batches(trip,id,10000,\(kind.type))"))
            #expect(try Psql.run(text: text, on: database) == "")
            let connection = try await database.connect()
            defer { connection.close() }
            var found: [String] = []
            let statement = PostgresStatement("SELECT title || ' ' || price || ' ' || class FROM trip ORDER BY trip_id")
            try await connection.run(
                PostgresBatch(statement, onRow: { found.append(try $0.decode(0, as: String.self)) }))
            #expect(found == ["Rome 7 Trip", "Oslo 8 BusinessTrip", "End 9 Trip"])
        }
    }
}
