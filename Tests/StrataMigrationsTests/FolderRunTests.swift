import StrataClient
import StrataMigrationFiles
import StrataMigrations
import StrataTestSupport
import Testing

/// Files of a folder, run on a database.
@Suite("Files of a folder on a database")
struct FolderRunTests {
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    private func runner(_ database: TestDatabase) -> MigrationRunner {
        MigrationRunner(configuration: database.configuration, schemaName: "public")
    }

    @Test("An empty database takes the squashed file, and the stages after it; one with data takes the stages")
    func squashed() async throws {
        let first = try FolderModels.chain(FolderModels.all)
        try folder.generate(first, schemaName: "public")
        try folder.squash(first, schemaName: "public")
        let chain = try FolderModels.chain(FolderModels.all + [FolderModels.NotedAndBudgeted.Trip.self])
        try folder.generate(chain, schemaName: "public")
        let scripts = try folder.contents().all
        try await withTestDatabase("squashed", template: .library) { database in
            let runner = runner(database)
            try await blocking { try runner.apply(scripts, to: 3) }
            #expect(try await stages(database) == ["3.0.0 0003_squashed_v3"])
            try await expectCatalog(first.versions[2], database)
            try await blocking { try runner.apply(scripts) }
            #expect(try await stages(database) == ["3.0.0 0003_squashed_v3", "4.0.0 0004_v3_v4"])
            try await expectCatalog(chain.versions[3], database)
        }
        try await withTestDatabase("stepwise", template: .library) { database in
            let runner = runner(database)
            // The squashed file would lead too far.
            try await blocking { try runner.apply(scripts, to: 2) }
            #expect(try await stages(database) == ["1.0.0 0001_v1", "2.0.0 0002_v1_v2"])
            try await blocking { try runner.apply(scripts) }
            #expect(
                try await stages(database) == [
                    "1.0.0 0001_v1", "2.0.0 0002_v1_v2", "3.0.0 0003_v2_v3", "4.0.0 0004_v3_v4",
                ])
            try await expectCatalog(chain.versions[3], database)
        }
    }

    @Test("psql applies the files one by one; the runner then has nothing to do", .enabled(if: Psql.program != nil))
    func psql() async throws {
        let chain = try FolderModels.chain(FolderModels.all)
        try folder.generate(chain, schemaName: "public")
        let scripts = try folder.contents().all
        try await withTestDatabase("psql") { database in
            let bare = try Psql.run(fixture.path + "/0001_v1.sql", on: database)
            #expect(bare.contains("schema \"strata\" does not exist"))
            try Psql.installLibrary(on: database)
            #expect(try Psql.run(fixture.path + "/0001_v1.sql", on: database) == "")
            try await database.execute("INSERT INTO trip (pk, name) VALUES (1, 'Paris'), (2, 'Kyoto')")
            #expect(try Psql.run(fixture.path + "/0002_v1_v2.sql", on: database) == "")
            #expect(try Psql.run(fixture.path + "/0003_v2_v3.sql", on: database) == "")
            try await expectCatalog(chain.versions[2], database)
            #expect(try await database.texts("SELECT name FROM trip ORDER BY pk") == ["Paris", "Kyoto"])
            let runner = runner(database)
            try await blocking { try runner.apply(scripts) }
            #expect(
                try await stages(database) == ["1.0.0 0001_v1", "2.0.0 0002_v1_v2", "3.0.0 0003_v2_v3"])
            #expect(try Psql.run(fixture.path + "/0003_v2_v3.down.sql", on: database) == "")
            try await expectCatalog(chain.versions[1], database)
            try await blocking { try runner.apply(scripts) }
            try await expectCatalog(chain.versions[2], database)
        }
    }

    // MARK: - A database

    private func stages(_ database: TestDatabase) async throws -> [String] {
        try await database.texts("SELECT version || ' ' || stage FROM strata.schema_version ORDER BY number")
    }

    private func expectCatalog(
        _ schema: FrozenSchema, _ database: TestDatabase, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let connection = try await database.connect()
        defer { connection.close() }
        let found = try await CatalogInspection.read(schemaName: "public", connection: connection)
        #expect(
            CatalogDifference(expected: schema.database, found: found).lines == [], sourceLocation: sourceLocation)
    }
}
