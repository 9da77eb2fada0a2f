import Foundation
import StrataClient
import StrataMigrationTool
import StrataMigrations
import StrataModels
import StrataTestSupport
import Synchronization
import Testing

/// What the tool tells of losses, of rights, of a missing database, and how much it tells at all.
@Suite("What the tool tells") struct ToldFactsTests {
    enum V1 {
        @Model class Trip {
            var name: String = ""
            var notes: String?
            @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
        @Model class Draft {
            init() {}
        }
    }
    enum V2 {
        @Model class Trip {
            var name: String = ""
            init() {}
        }
        @Model class Stop {
            init() {}
        }
    }

    private static let project = deciding([
        .dropped(\V1.Trip.notes), .dropped(\V1.Trip.stops), .dropped(\V1.Stop.trip), .dropped(V1.Draft.self),
    ])

    private static func deciding(_ changes: [SchemaChange]) -> MigrationProject {
        MigrationProject { () throws(MigrationError) in
            MigrationChain(
                versions: [
                    try FrozenSchema(
                        freezing: Schema(
                            [V1.Trip.self, V1.Stop.self, V1.Draft.self], version: Schema.Version(1, 0, 0))),
                    try FrozenSchema(freezing: Schema([V2.Trip.self, V2.Stop.self], version: Schema.Version(2, 0, 0))),
                ], stages: [MigrationChain.Stage(changes: changes)])
        }
    }

    private func tool(_ arguments: String..., in folder: ProjectFolder, on database: TestDatabase) -> ToolRun {
        ToolRun(arguments + ["--database-url", database.url], project: Self.project, directory: folder.path)
    }

    /// 7 is what data end with that do not allow a stage.
    @Test("a plan that does not say what becomes of something ends with 13, and no file is written")
    func silentPlan() throws {
        let folder = try ProjectFolder()
        let run = folder.run("generate", "--format", "json", project: Self.deciding([]))
        #expect(run.exitCode == 13)
        #expect(try run.json()["code"] as? String == "plan_refused")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/migrations/0002_v1_v2.sql"))
    }

    @Test("plan and apply count what an acknowledged drop loses")
    func losses() async throws {
        let folder = try ProjectFolder()
        #expect(folder.run("generate", project: Self.project).exitCode == 0)
        try await withTestDatabase { database in
            #expect(tool("apply", "--to", "1", in: folder, on: database).exitCode == 0)
            try await database.execute(
                "INSERT INTO trip (name, notes) SELECT 'n', CASE WHEN n <= 1200 THEN 'x' END FROM generate_series(1, 2000) AS n",
                "INSERT INTO draft DEFAULT VALUES", "INSERT INTO stop DEFAULT VALUES",
                "INSERT INTO stop (trip) SELECT min(pk) FROM trip")
            let plan = tool("plan", in: folder, on: database)
            #expect(plan.exitCode == 3, "\(plan.errors)")
            for line in ["loses Trip.notes: 1,200 values", "loses Stop.trip: 1 value", "loses Draft: 1 row"] {
                #expect(plan.output.contains("  " + line + "\n"), "\(plan.output)")
            }
            #expect(!plan.output.contains("loses Trip.stops"))
            #expect(plan.output.contains("  no way back: dropped values cannot come back: "), "\(plan.output)")
            let json = try tool("plan", "--format", "json", in: folder, on: database).json()
            let losses = (json["losses"] as? [[String: Any]])?.map { "\($0["subject"] ?? "") \($0["count"] ?? "")" }
            #expect(losses == ["Draft 1", "Stop.trip 1", "Trip.notes 1200"])
            let stage = (json["stages"] as? [[String: Any]])?.first
            #expect(stage?["startsNewCodeAfter"] as? String == "backfill")
            #expect(
                stage?["noWayBack"] as? String
                    == "dropped values cannot come back: Draft, Stop.trip, Trip.notes")
            // Until contract nothing is lost.
            let early = tool("apply", "--phase", "backfill", in: folder, on: database)
            #expect(early.exitCode == 0 && !early.output.contains("loses"), "\(early.output)\(early.errors)")
            let apply = tool("apply", in: folder, on: database)
            #expect(apply.exitCode == 0, "\(apply.errors)")
            #expect(apply.output.contains("loses Trip.notes: 1,200 values\n"), "\(apply.output)")
        }
    }

    @Test("apply with -q says nothing when all is well, and what is wrong when it is not")
    func quiet() async throws {
        let folder = try WrittenStages.folder()
        try await withTestDatabase { database in
            let run = folder.run("apply", "-q", "--database-url", database.url, project: WrittenStages.project)
            #expect(run.exitCode == 0)
            #expect(run.output + run.errors == "")
            let again = folder.run("apply", "-q", "--database-url", database.url, project: WrittenStages.project)
            #expect(again.exitCode == 0)
            #expect(again.output + again.errors == "")
            let status = folder.run("status", "-q", "--database-url", database.url, project: WrittenStages.project)
            #expect(status.output.contains("Version   2.0.0"))
            let json = folder.run(
                "apply", "-q", "--format", "json", "--database-url", database.url, project: WrittenStages.project)
            let current = try json.json()["current"] as? String
            #expect(current == "2.0.0")
            let wrong = folder.run(
                "rollback", "-q", "--to", "7", "--database-url", database.url, project: WrittenStages.project)
            #expect(wrong.exitCode == 2)
            #expect(wrong.errors.contains("fix:"))
        }
    }

    /// Four seconds pass between two lines that could be written.
    private final class Clock: Sendable {
        private let ticks = Mutex(0)
        private let start = ContinuousClock.now
        func now() -> ContinuousClock.Instant {
            start
                + .seconds(
                    4
                        * ticks.withLock { ticks in
                            defer { ticks += 1 }
                            return ticks
                        })
        }
    }

    private static var batches: StageScript {
        var script = WrittenStages.rating
        script.steps.insert(
            MigrationStep(
                id: "2.2", phase: .backfill, title: "fill trip.rating",
                execution: .batches(table: "trip", key: "pk", size: 2), lock: .rowExclusive, tables: ["trip"],
                statements: [
                    """
                    UPDATE public.trip SET rating = 1 \
                    WHERE pk BETWEEN current_setting('strata.batch_first')::bigint \
                    AND current_setting('strata.batch_last')::bigint
                    """
                ]), at: 1)
        script.steps[2].id = "2.3"
        return script
    }

    @Test("on a terminal progress is a line a batch, and elsewhere one every ten seconds")
    func pace() async throws {
        let folder = try ProjectFolder(
            [WrittenStages.creation, Self.batches], versions: [WrittenStages.first, WrittenStages.second])
        for isTerminal in [true, false] {
            try await withTestDatabase { database in
                #expect(
                    folder.run("apply", "--to", "1", "--database-url", database.url, project: WrittenStages.project)
                        .exitCode == 0)
                try await database.execute("INSERT INTO public.trip SELECT n, 'x' FROM generate_series(1, 10) AS n")
                let clock = Clock()
                let run = ToolRun(
                    ["apply", "--no-color", "--database-url", database.url], project: WrittenStages.project,
                    directory: folder.path, isTerminal: isTerminal, now: { clock.now() })
                #expect(run.exitCode == 0, "\(run.errors)")
                let told = run.output.split(separator: "\n").filter { $0.contains("%  ") }.map { $0.prefix(9) }
                #expect(
                    told
                        == (isTerminal
                            ? ["2.2  20% ", "2.2  40% ", "2.2  60% ", "2.2  80% ", "2.2  100%"]
                            : ["2.2  20% ", "2.2  80% "]))
            }
        }
    }

    @Test(
        "a refused database gets advice of its own, whatever language the server speaks",
        .enabled(if: (try? TestServer.shared())?.localServer != nil))
    func refusalInAnyLanguage() async throws {
        let folder = try WrittenStages.folder()
        try await withTestDatabase { database in
            let proxy = try TranslatingProxy(before: database.configuration)
            defer { proxy.stop() }
            func errors(_ user: String, _ name: String) -> String {
                let url = "postgres://\(user)@127.0.0.1:\(proxy.port)/\(name)?sslmode=disable&gssencmode=disable"
                let run = folder.run("status", "--database-url", url, project: WrittenStages.project)
                #expect(run.exitCode == 12)
                #expect(run.errors.contains(TranslatingProxy.words), "\(run.errors)")
                return run.errors
            }
            let missing = errors("postgres", "no_such_shop")
            #expect(missing.contains("fix: create it (createdb no_such_shop), or name another database"), "\(missing)")
            #expect(errors("postgres", "such%27s").contains(#"fix: create it (createdb 'such'\''s')"#))
            let role = "guest_\(UUID().uuidString.prefix(8).lowercased())"
            try await database.execute(
                "CREATE ROLE \(role) LOGIN", "REVOKE CONNECT ON DATABASE \"\(database.name)\" FROM PUBLIC")
            let denied = errors(role, database.name)
            #expect(denied.contains("fix: GRANT CONNECT ON DATABASE \"\(database.name)\" TO the role"), "\(denied)")
            try await database.execute("DROP ROLE \(role)")
            let stranger = errors("no_such_role", database.name)
            #expect(stranger.contains("Check user, password and the server's pg_hba.conf"), "\(stranger)")
        }
    }

    @Test("a database that is missing, and a role that may not connect or read, get advice of their own")
    func advice() async throws {
        let folder = try WrittenStages.folder()
        try await withTestDatabase { database in
            let missing = folder.run(
                "status", "--database-url", database.url.replacing(database.name, with: "no_such_shop"),
                project: WrittenStages.project)
            #expect(missing.exitCode == 12)
            #expect(
                missing.errors.contains("fix: create it (createdb no_such_shop), or name another database"),
                "\(missing.errors)")
            #expect(!missing.errors.contains("--wait"))

            #expect(folder.run("apply", "--database-url", database.url, project: WrittenStages.project).exitCode == 0)
            let role = "guest_\(UUID().uuidString.prefix(8).lowercased())"
            try await database.execute("CREATE ROLE \(role) LOGIN")
            let url = "postgres://\(role)@/\(database.name)?host=\(database.configuration.host ?? "")"
            let denied = folder.run("status", "--database-url", url, project: WrittenStages.project)
            #expect(denied.exitCode == 12)
            #expect(denied.errors.contains("permission denied for schema strata"), "\(denied.errors)")
            #expect(denied.errors.contains("to look only, GRANT USAGE ON SCHEMA"), "\(denied.errors)")
            try await database.execute("REVOKE CONNECT ON DATABASE \"\(database.name)\" FROM PUBLIC")
            let kept = folder.run("status", "--database-url", url, project: WrittenStages.project)
            #expect(kept.exitCode == 12)
            #expect(kept.errors.contains("fix: GRANT CONNECT ON DATABASE"), "\(kept.errors)")
            try await database.execute("DROP ROLE \(role)")
        }
    }
}
