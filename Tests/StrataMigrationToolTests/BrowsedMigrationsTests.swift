import StrataBrowsing
import StrataMigrationTool
import StrataTestSupport
import Testing

/// What a browser without models says of files and tables, beside the commands.
@Suite struct BrowsedMigrationsTests {
    private let folder: ProjectFolder
    private var migrations: String { folder.path + "/migrations" }

    init() throws { folder = try WrittenStages.folder() }

    private func apply(_ arguments: String..., on database: TestDatabase) {
        let run = ToolRun(
            ["apply"] + arguments + ["--database-url", database.url], project: WrittenStages.project,
            directory: folder.path)
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    private func withBrowser(
        of database: TestDatabase, _ body: (StoreBrowser) async throws -> Void
    ) async throws {
        let browser = try StoreBrowser(url: database.url)
        do { try await body(browser) } catch {
            await browser.close()
            throw error
        }
        await browser.close()
    }

    @Test func whatIsPendingIsWhatPlanSays() async throws {
        try await withTestDatabase { database in
            apply("--steps", "1", on: database)
            try await withBrowser(of: database) { browser in
                let schema = try await browser.schema(named: "public")
                let pending = try await browser.pendingStages(in: migrations, of: schema)
                #expect(pending.map(\.to) == ["1.0.0", "2.0.0"])
                #expect(pending.map(\.isStarted) == [true, false])
                #expect(pending.first?.steps.contains { $0.step == "1.1" } == false)
                let column = pending.last?.steps.first { $0.statements.contains { $0.contains("ADD COLUMN rating") } }
                #expect(column?.lock == "AccessExclusive" && column?.tables == ["trip"])
                #expect(try await browser.drift(of: schema) == nil, "The tables are between two versions.")
            }
            apply(on: database)
            try await withBrowser(of: database) { browser in
                let schema = try await browser.schema(named: "public")
                #expect(try await browser.pendingStages(in: migrations, of: schema) == [])
                #expect(try await browser.drift(of: schema) == [])
                try await database.execute("ALTER TABLE public.trip ADD COLUMN sneaked text")
                let lines = try await browser.drift(of: schema)
                #expect(lines?.count == 1 && lines?.first?.contains("trip.sneaked") == true, "\(lines ?? [])")
            }
        }
    }

    @Test func filesThatDoNotFitAreSaidToBeSo() async throws {
        try await withTestDatabase { database in
            apply(on: database)
            try await withBrowser(of: database) { browser in
                let schema = try await browser.schema(named: "public")
                let missing = await #expect(throws: BrowsingError.self) {
                    try await browser.pendingStages(in: folder.path + "/nothing", of: schema)
                }
                #expect(missing?.code == .notFound)
                try await database.execute(
                    """
                    INSERT INTO strata.schema_version (schema_name, version, fingerprint, stage) \
                    VALUES ('public', '3.0.0', 'ff', '0003_v2_v3')
                    """)
                let newer = await #expect(throws: BrowsingError.self) {
                    try await browser.pendingStages(in: migrations, of: schema)
                }
                #expect(newer?.code == .refused)
                #expect(newer?.message.contains("The database is newer than the code") == true)
                try folder.edit("migrations/0002_v1_v2.sql") { $0.replacing("rating bigint", with: "rating text") }
                let edited = await #expect(throws: BrowsingError.self) {
                    try await browser.pendingStages(in: migrations, of: schema)
                }
                #expect(edited?.message.contains("cannot be used") == true)
            }
        }
    }
}
