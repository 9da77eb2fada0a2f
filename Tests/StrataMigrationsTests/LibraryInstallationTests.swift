import StrataTestSupport
import Testing

@testable import StrataMigrations

/// What the library keeps in a database for itself, by its version.
@Suite("The library's own schema", .timeLimit(.minutes(2))) struct LibraryInstallationTests {
    private static let version = LibraryInstallation.version

    private func installed(_ database: TestDatabase) async throws -> [String] {
        try await database.texts("SELECT strata.history_version()::text")
    }

    private func pretendVersion(_ number: Int, _ database: TestDatabase) async throws {
        try await database.execute(
            """
            CREATE OR REPLACE FUNCTION strata.history_version() RETURNS integer LANGUAGE sql IMMUTABLE
            AS $function$SELECT \(number)$function$
            """)
    }

    @Test(.enabled(if: Psql.program != nil))
    func `psql installs it, again and over an older one, but not over a newer one`() async throws {
        try await withTestDatabase { database in
            try Psql.installLibrary(on: database)
            try Psql.installLibrary(on: database)
            try await pretendVersion(1, database)
            try Psql.installLibrary(on: database)
            #expect(try await installed(database) == ["\(Self.version)"])
            try await pretendVersion(99, database)
            let complaint = try Psql.run(text: LibraryInstallation.script, on: database)
            #expect(complaint.contains("newer version of the library than \(Self.version)"))
            #expect(try await installed(database) == ["99"])
        }
    }

    @Test func `a runner replaces an older one, and leaves a newer one alone`() async throws {
        try await withTestDatabase { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply([]) }
            for older in [1, Self.version - 1] {
                try await pretendVersion(older, database)
                try await database.execute("DROP FUNCTION strata.migration_begin")
                try await blocking { try runner.apply([]) }
                #expect(try await installed(database) == ["\(Self.version)"])
                #expect(try await database.texts("SELECT 'strata.migration_begin'::regproc::text").count == 1)
            }
            try await pretendVersion(99, database)
            try await blocking { try runner.apply([]) }
            #expect(try await installed(database) == ["99"])
        }
    }

    /// Functions of another release are no drift: the next command replaces them.
    @Test func `an older one is no finding of the history`() async throws {
        try await withTestDatabase { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply([]) }
            let reset =
                "CREATE OR REPLACE FUNCTION strata.history_reset(schema_name text, entity text) "
                + "RETURNS void LANGUAGE sql AS $$SELECT$$"
            try await database.execute(reset)
            func others() async throws -> [String] {
                let connection = try await database.connect()
                defer { connection.close() }
                return try await blocking { try HistoryInspection("public", on: connection).otherFunctions }
            }
            #expect(try await others() == ["history_reset"])
            try await pretendVersion(1, database)
            #expect(try await others() == [])
        }
    }

    @Test func `a file begins where the database is, with a library that is new enough`() async throws {
        try await withTestDatabase { database in
            for sql in LibraryInstallation.statements { try await database.execute(sql) }
            func begin(_ library: Int, _ from: String) async -> String {
                do {
                    let call = "strata.migration_begin(\(library), 'public', '0002_v1_v2', \(from), '2.0.0')"
                    return try await database.texts("SELECT current_setting('strata.author') FROM \(call)").joined()
                } catch {
                    return "\(error)"
                }
            }
            #expect(await begin(1, "NULL, NULL") == "migration to 2.0.0")
            #expect(await begin(1, "'1.0.0', 'aa'").contains("0002_v1_v2: the database is not at version 1.0.0"))
            try await database.execute(
                """
                INSERT INTO strata.schema_version (schema_name, version, fingerprint, stage)
                VALUES ('public', '1.0.0', 'aa', '0001_v1')
                """)
            #expect(await begin(1, "'1.0.0', 'aa'") == "migration 1.0.0 -> 2.0.0")
            #expect(await begin(1, "NULL, NULL").contains("0002_v1_v2: the database is at version 1.0.0 already"))
            let newer = await begin(99, "'1.0.0', 'aa'")
            #expect(newer.contains("0002_v1_v2 needs version 99 of the schema strata, and the database has version"))
        }
    }
}
