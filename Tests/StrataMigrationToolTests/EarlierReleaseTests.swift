import Foundation
import SampleTripsModels
import Strata
import StrataMigrationTool
import StrataTestSupport
import Testing

/// Files and a database as a release wrote them whose files still held the library's own schema (its version 1).
///
/// `EarlierRelease/database.sql` is what `pg_dump` of PostgreSQL 15 gives of a database at version 3 of the sample: rows, a
/// history of `importer` and `clerk`, and the record of its steps.
@Suite("A database and files of an earlier release", .enabled(if: Psql.program != nil), .timeLimit(.minutes(5)))
struct EarlierReleaseTests {
    private static let resources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("EarlierRelease")

    private let folder: ProjectFolder
    private let project = MigrationProject(plan: SampleTripsMigrationPlan.self)

    /// The files as they were, with the frozen versions, which are the same today.
    init() throws {
        folder = try ProjectFolder()
        let (files, target) = (FileManager.default, folder.path + "/migrations")
        if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
        try files.copyItem(atPath: Self.resources.appendingPathComponent("migrations").path, toPath: target)
        try files.copyItem(
            atPath: SampleTripsProcess.directory.appendingPathComponent("migrations/schema").path,
            toPath: target + "/schema")
    }

    /// As if the newest version was not written down yet.
    private func forgetTheLastStage() throws {
        for file in ["0004_v3_v4.sql", "0004_v3_v4.down.sql", "schema/V4.json"] {
            try FileManager.default.removeItem(atPath: folder.path + "/migrations/" + file)
        }
        try folder.edit("migrations/migrations.sum") { text in
            let lines = text.split(separator: "\n").filter { !$0.contains("0004_") && !$0.contains("V4.json") }
            return lines.joined(separator: "\n") + "\n"
        }
    }

    private func restored(_ body: @Sendable (TestDatabase) async throws -> Void) async throws {
        try await withTestDatabase { database in
            #expect(try Psql.run(Self.resources.appendingPathComponent("database.sql").path, on: database) == "")
            try await body(database)
        }
    }

    private func tool(_ arguments: String..., on database: TestDatabase) async -> ToolRun {
        await tool(arguments, on: database)
    }

    private func library(_ database: TestDatabase) async throws -> [String] {
        try await database.texts("SELECT strata.history_version()::text")
    }

    @Test func `a database goes on with a stage of this release, and keeps its history`() async throws {
        try forgetTheLastStage()
        try await restored { database in
            let generated = folder.run("generate", project: project)
            #expect(generated.exitCode == 0, "\(generated.errors)")
            let file = try String(contentsOfFile: folder.path + "/migrations/0004_v3_v4.sql", encoding: .utf8)
            #expect(file.contains("history_expect") && !file.contains("history_describe"))

            let status = await tool("status", on: database)
            #expect(status.exitCode == 3, "\(status.output)\(status.errors)")
            #expect(status.output.contains("Version   3.0.0, target 4.0.0"))
            #expect(!status.output.contains("difference"), "\(status.output)")
            #expect(try await library(database) == ["1"])

            let apply = await tool("apply", on: database)
            #expect(apply.exitCode == 0, "\(apply.output)\(apply.errors)")
            #expect(try await library(database) != ["1"])
            let drift = await tool("drift", on: database)
            #expect(drift.exitCode == 0, "\(drift.output)\(drift.errors)")
            try await useIt(database)
        }
    }

    /// Reads, saves, and reads the history from its beginning.
    private func useIt(_ database: TestDatabase) async throws {
        let container = try await ModelContainer(
            for: Schema(versionedSchema: SampleTripsSchemaV4.self), migrationPlan: SampleTripsMigrationPlan.self,
            migrations: .verify, configurations: ModelConfiguration(url: try #require(database.foundationURL)))
        let context = ModelContext(container)
        context.author = "visitor"
        let trips = try await context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
        #expect(trips.map(\.name) == ["Alps", "Coast"])
        context.insert(
            BusinessTrip(name: "Fair", destination: "Basel", startDate: .now, endDate: .now, perdiem: 80))
        trips[1].destination = "Hove"
        try await context.save()

        let history = try await context.fetchHistory(after: nil, limit: 100)
        let lines = history.transactions.flatMap { transaction in
            transaction.changes.map { change in
                let kind =
                    switch change {
                    case .insert: "insert"
                    case .update: "update"
                    case .delete: "delete"
                    }
                return "\(transaction.author ?? "") \(kind) \(change.changedPersistentIdentifier.entityName)"
            }
        }
        #expect(
            lines.prefix(5).sorted() == [
                "importer insert BucketListItem", "importer insert LivingAccommodation", "importer insert Trip",
                "importer insert Trip", "importer insert Trip",
            ])
        #expect(lines.dropFirst(5).prefix(2) == ["clerk update Trip", "clerk delete Trip"])
        #expect(lines.suffix(2).sorted() == ["visitor insert BusinessTrip", "visitor update Trip"])
        await container.close()
    }

    @Test func `a stage of its time is begun, completed and taken back`() async throws {
        try await restored { database in
            let way = [["apply", "--phase", "backfill"], ["apply"], ["drift"], ["rollback"], ["apply"], ["drift"]]
            for arguments in way {
                let run = await tool(arguments, on: database)
                #expect(run.exitCode == 0, "\(arguments): \(run.output)\(run.errors)")
            }
            try await useIt(database)
        }
    }

    @Test func `its files make an empty database, with the runner and with psql`() async throws {
        try await withTestDatabase { database in
            let run = await tool("apply", on: database)
            #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
            #expect(await tool("drift", on: database).exitCode == 0)
        }
        try await withTestDatabase { database in
            // It holds the library of its time.
            let complaints = try Psql.run(folder.path + "/migrations/0001_v1.sql", on: database)
            #expect(complaints == "")
            #expect(try await library(database) == ["1"])
            let run = await tool("apply", on: database)
            #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
            #expect(await tool("drift", on: database).exitCode == 0)
        }
    }

    private func tool(_ arguments: [String], on database: TestDatabase) async -> ToolRun {
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
}
