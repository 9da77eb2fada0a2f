import Foundation
import SampleTripsModels
import Strata
import StrataMigrationTool
import StrataMigrations
import StrataTestSupport
import Testing

/// The files of the sample and its containers work on one database.
@Suite("Tool and container on one database")
struct SampleTripsToolTests {
    private let folder: ProjectFolder
    private let project = MigrationProject(plan: SampleTripsMigrationPlan.self)

    init() throws {
        folder = try ProjectFolder()
        let run = folder.run("generate", project: project)
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    private func tool(_ arguments: String..., on database: TestDatabase) async -> ToolRun {
        let (project, path) = (project, folder.path)
        return await withCheckedContinuation { continuation in
            // A command blocks, closures of stages too.
            DispatchQueue.global().async {
                continuation.resume(
                    returning: ToolRun(
                        arguments + ["--database-url", database.url], project: project, directory: path))
            }
        }
    }

    private func open(
        _ version: any VersionedSchema.Type, _ policy: MigrationPolicy, on database: TestDatabase
    ) async throws {
        let url = try #require(database.foundationURL)
        let container = try await ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: SampleTripsMigrationPlan.self, migrations: policy,
            configurations: ModelConfiguration(url: url))
        await container.close()
    }

    @Test("what the tool has applied, a container with the plan accepts")
    func toolFirst() async throws {
        try await withTestDatabase { database in
            let run = await tool("apply", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            try await open(SampleTripsSchemaV4.self, .verify, on: database)
            #expect(await tool("drift", on: database).exitCode == 0)
        }
    }

    @Test("what a container has migrated, the tool goes on from, with its record")
    func containerFirst() async throws {
        try await withTestDatabase { database in
            try await open(SampleTripsSchemaV1.self, .apply, on: database)
            try await open(SampleTripsSchemaV3.self, .apply, on: database)
            let status = await tool("status", "--format", "json", on: database)
            #expect(status.exitCode == 3)
            #expect(try status.json()["current"] as? String == "3.0.0")
            #expect(try status.json()["pending"] as? [String] == ["0004_v3_v4"])
            // Its steps are recorded with the checksums that the files have.
            #expect(try status.json()["checksum"] as? String == "ok")
            let run = await tool("apply", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            try await open(SampleTripsSchemaV4.self, .verify, on: database)
        }
    }

    @Test("a stage that the tool has begun from its file, a container completes: their steps have the same checksums")
    func inTheMiddle() async throws {
        try await withTestDatabase { database in
            #expect(await tool("apply", "--to", "3", on: database).exitCode == 0)
            let run = await tool("apply", "--phase", "backfill", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            let status = await tool("status", "--format", "json", on: database)
            #expect(try status.json()["state"] as? String == "in_progress")
            try await open(SampleTripsSchemaV4.self, .apply, on: database)
            #expect(await tool("status", on: database).exitCode == 0)
            #expect(await tool("drift", on: database).exitCode == 0)
        }
    }

    @Test("a squashed file makes what the stages make")
    func squashed() async throws {
        try await withTestDatabase { database in
            #expect(folder.run("squash", project: project).exitCode == 0)
            let run = await tool("apply", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.output.contains("stage 0004_squashed_v4 done"))
            #expect(await tool("status", on: database).exitCode == 0)
            #expect(await tool("drift", on: database).exitCode == 0)
            try await open(SampleTripsSchemaV4.self, .verify, on: database)
        }
    }
}
