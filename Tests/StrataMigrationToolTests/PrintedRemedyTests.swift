import Strata
import StrataMigrationTool
import StrataTestSupport
import Testing

enum RemedyV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Trip.self] }

    @Model
    final class Trip {
        var name: String = ""
        init() {}
    }
}

enum RemedyV2: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Trip.self] }

    @Model
    final class Trip {
        var name: String = ""
        var days: Int
        init(days: Int) { self.days = days }
    }
}

enum HastyPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [RemedyV1.self, RemedyV2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: RemedyV1.self, toVersion: RemedyV2.self)] }
}

enum CorrectedPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { HastyPlan.schemas }
    static var stages: [MigrationStage] {
        [
            .lightweight(
                fromVersion: RemedyV1.self, toVersion: RemedyV2.self, changes: [.filled(\RemedyV2.Trip.days, with: "1")]
            )
        ]
    }
}

/// Who does what the tool prints gets on.
@Suite("What the tool prints leads on")
struct PrintedRemedyTests {
    private let folder: ProjectFolder

    init() throws { folder = try ProjectFolder() }

    @Test("a required property that is new: declared, rewritten, applied")
    func requiredProperty() async throws {
        try await withTestDatabase { database in
            func tool(_ plan: any SchemaMigrationPlan.Type, _ arguments: String...) -> ToolRun {
                let isOffline = arguments.first == "generate"
                return ToolRun(
                    arguments + (isOffline ? [] : ["--database-url", database.url]),
                    project: MigrationProject(plan: plan), directory: folder.path)
            }
            #expect(tool(HastyPlan.self, "generate").exitCode == 0)
            #expect(tool(HastyPlan.self, "apply", "--to", "1").exitCode == 0)
            try await database.execute("INSERT INTO trip (pk, name) VALUES (1, 'Paris')")
            let refused = tool(HastyPlan.self, "apply")
            #expect(refused.exitCode == 7)
            #expect(refused.errors.contains(#"declare .filled(\Trip.days, with:)"#), "\(refused.errors)")
            #expect(refused.errors.contains("generate --rewrite"))

            // Declared, but the files are those of before.
            for arguments in [["generate"], ["generate", "--check"]] {
                let run = ToolRun(
                    arguments, project: MigrationProject(plan: CorrectedPlan.self), directory: folder.path)
                #expect(run.exitCode == 5)
            }
            #expect(tool(CorrectedPlan.self, "apply").exitCode == 5)
            #expect(tool(CorrectedPlan.self, "generate", "--rewrite").exitCode == 0)
            let applied = tool(CorrectedPlan.self, "apply")
            #expect(applied.exitCode == 0, "\(applied.errors)")
            #expect(try await database.texts("SELECT days::text FROM trip") == ["1"])
            #expect(tool(CorrectedPlan.self, "status").exitCode == 0)
        }
    }

    @Test("a stage that was applied after all: apply tells the steps that differ")
    func appliedStage() async throws {
        try await withTestDatabase { database in
            func tool(_ plan: any SchemaMigrationPlan.Type, _ arguments: [String]) -> ToolRun {
                ToolRun(arguments, project: MigrationProject(plan: plan), directory: folder.path)
            }
            #expect(tool(HastyPlan.self, ["generate"]).exitCode == 0)
            #expect(tool(HastyPlan.self, ["apply", "--database-url", database.url]).exitCode == 0)
            #expect(tool(CorrectedPlan.self, ["generate", "--rewrite"]).exitCode == 0)
            for command in ["apply", "status", "plan"] {
                let run = tool(CorrectedPlan.self, [command, "--database-url", database.url])
                #expect(run.exitCode == 5, "\(command)")
                #expect((run.output + run.errors).contains("0002_v1_v2"), "\(run.output)\(run.errors)")
            }
        }
    }
}
