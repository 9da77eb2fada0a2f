import Foundation
import StrataMigrationTool
import StrataMigrations
import StrataModels
import StrataTestSupport
import Testing

@Suite("Commands: partitions")
struct PartitionsCommandTests {
    @Model final class Reading {
        #PrimaryKey<Reading>([\.id, \.takenAt])
        #Partition<Reading>(by: \.takenAt, every: .month)
        var id: UUID
        var takenAt: Date
        init() { (id, takenAt) = (UUID(), Date()) }
    }

    @Model final class Sensor {
        var name = ""
        init() {}
    }

    private let folder: ProjectFolder
    private let project: MigrationProject

    init() throws {
        let frozen = try FrozenSchema(freezing: Schema([Reading.self, Sensor.self]))
        let chain = MigrationChain(versions: [frozen], stages: [])
        folder = try ProjectFolder(chain.scripts(in: "public"), versions: [frozen])
        project = MigrationProject(chain: { chain })
    }

    private func tool(_ arguments: String..., on database: TestDatabase) -> ToolRun {
        ToolRun(arguments + ["--database-url", database.url], project: project, directory: folder.path)
    }

    @Test("list shows what there is, maintain makes and drops, and drift knows nothing of it")
    func listAndMaintain() async throws {
        try await withTestDatabase { database in
            #expect(tool("partitions", "list", on: database).exitCode == 3)
            #expect(tool("apply", on: database).exitCode == 0)
            let first = tool("partitions", "list", on: database)
            #expect(first.exitCode == 0, "\(first.errors)")
            #expect(first.output.contains("Reading (reading), every month"))
            #expect(first.output.split(separator: "\n").count { $0.hasPrefix("  reading_p") } == 5, "\(first.output)")
            try await database.execute(
                "CREATE TABLE reading_p20200101 PARTITION OF reading FOR VALUES FROM ('2020-01-01 00:00Z') TO ('2020-02-01 00:00Z')",
                "INSERT INTO reading VALUES (gen_random_uuid(), '2020-01-05 00:00Z'), (gen_random_uuid(), now())")
            let run = tool("partitions", "maintain", "--ahead", "4", "--keep", "400d", "--format", "json", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            let json = try run.json()
            #expect(json["dropped"] as? [String] == ["reading_p20200101"] && (json["made"] as? [String])?.count == 1)
            #expect(try await database.texts("SELECT count(*)::text FROM reading") == ["1"])
            #expect(
                try await database.texts(#"SELECT string_agg("op"::text, '' ORDER BY "op") FROM strata.history_change"#)
                    == ["IIR"])
            #expect(tool("partitions", "maintain", "--ahead", "4", on: database).output.contains("Nothing to do."))
            let drift = tool("drift", on: database)
            #expect(drift.exitCode == 0, "\(drift.output)")
            let other = tool("partitions", "maintain", "--class", "Sensor", on: database)
            #expect(other.exitCode == 2 && other.errors.contains("name one of Reading"), "\(other.errors)")
        }
    }
}
