import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

enum TourPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TourVersion.self] }
    static var stages: [MigrationStage] { [] }
}

enum TourVersion: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Tour.self, CityTour.self, Stop.self, Guide.self] }
}

@Suite struct OperationTests {
    @Test func aStoreWithoutMigrationsSaysSo() async throws {
        try await withStudio { studio in
            let page = try await studio.client.get(studio.path("/migrations"))
            #expect(page.body.contains("No migration was applied here"))
        }
    }

    @Test func whatMigrationsHaveRecordedIsShownAndSaysMoreOfTheClasses() async throws {
        try await withStudio { studio in
            let name = studio.schema + "_plan"
            let container = try await ModelContainer(
                for: Schema(versionedSchema: TourVersion.self), migrationPlan: TourPlan.self,
                configurations: [
                    ModelConfiguration(url: try #require(URL(string: studio.databaseURL)), postgresSchema: name)
                ])
            await container.close()
            let schema = try await studio.browser.schema(named: name)
            #expect(schema.source == .migrations)
            #expect(schema.version == "1.0.0")
            let tour = try #require(schema.storedClass(named: "Tour"))
            #expect(tour.properties.first { $0.name == "startDate" }?.valueType == "Date")
            #expect(tour.relationships.first { $0.name == "stops" }?.deleteRule == "cascade")
            #expect(tour.relationships.first { $0.name == "stops" }?.position != nil)
            let page = try await studio.client.get("/s/\(name)/migrations")
            #expect(page.body.contains("Nothing is under way.") && page.body.contains("<bdi>1.0.0</bdi>"))
            #expect(page.body.contains("The tables are those of version 1.0.0."))
            #expect(page.body.contains("--migrations"))
            try studio.run("ALTER TABLE \"\(name)\".tour ADD COLUMN sneaked text")
            let drifted = try await studio.client.get("/s/\(name)/migrations")
            #expect(drifted.body.contains("One thing is not as version 1.0.0 has it:"))
            #expect(drifted.body.contains("tour.sneaked"))
        }
    }

    @Test func filesThatAreNotOfTheSchemaAreSaidToBeSo() async throws {
        try await withStudio(migrations: "/nowhere") { studio in
            let page = try await studio.client.get(studio.path("/migrations"))
            #expect(page.status == 200)
            #expect(page.body.contains("The folder /nowhere has no migration files of the schema"))
        }
    }

    @Test func whoWaitsIsShownWithWhomHeWaitsFor() async throws {
        try await withStudio { studio in
            _ = try await studio.store { Tour("locked") }
            let update = "UPDATE \"\(studio.schema)\".\"tour\" SET price = price + 1"
            try await withSessions(studio.databaseURL, ["BEGIN; \(update); SELECT pg_sleep(60)", update]) {
                var body = ""
                while !body.contains("Waits for") {
                    body = try await studio.client.get("/activity").body
                }
                let holder = try #require(body.firstMatch(of: /Waits for <a href="#process-(\d+)">/)?.1)
                #expect(body.contains("id=\"process-\(holder)\""))
                #expect(body.contains("pg_sleep(60)"))
                #expect(body.contains("RowExclusiveLock"))
            }
        }
    }

    /// Runs `body` while psql works on these statements, each in a session of its own.
    private func withSessions(
        _ url: String, _ statements: [String], _ body: () async throws -> Void
    ) async throws {
        var processes: [Process] = []
        defer { for process in processes { process.terminate() } }
        for statement in statements {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["psql", url, "--quiet", "--no-psqlrc", "--command", statement]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            processes.append(process)
            // The first has its lock before the second asks.
            try await Task.sleep(for: .milliseconds(500))
        }
        try await body()
    }
}
