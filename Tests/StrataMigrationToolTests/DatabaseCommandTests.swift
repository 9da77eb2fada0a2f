import Foundation
import StrataMigrationTool
import StrataMigrations
import StrataTestSupport
import Testing

@Suite("Commands on a database")
struct DatabaseCommandTests {
    private let folder: ProjectFolder

    init() throws { folder = try WrittenStages.folder() }

    private func tool(_ arguments: String..., on database: TestDatabase) -> ToolRun {
        ToolRun(
            arguments + ["--database-url", database.url], project: WrittenStages.project, directory: folder.path)
    }

    @Test("plan, apply, status, drift: from nothing to the newest version")
    func wholeWay() async throws {
        try await withTestDatabase { database in
            #expect(tool("status", on: database).exitCode == 3)
            let plan = tool("plan", "--sql", on: database)
            #expect(plan.exitCode == 3)
            #expect(plan.output.contains("0002_v1_v2"))
            #expect(plan.output.contains("ACCESS EXCLUSIVE trip"))
            #expect(plan.output.contains("ALTER TABLE public.trip ADD COLUMN rating bigint;"))
            #expect(plan.output.contains("! a note"))
            let apply = tool("apply", on: database)
            #expect(apply.exitCode == 0, "\(apply.errors)")
            #expect(apply.output.contains("2.1  done"))
            #expect(apply.output.contains("is at version 2.0.0"))
            let again = tool("apply", on: database)
            #expect(again.exitCode == 0)
            #expect(again.output.contains("Nothing to do"))
            #expect(tool("plan", on: database).exitCode == 0)
            let status = tool("status", "--format", "json", on: database)
            #expect(status.exitCode == 0)
            let json = try status.json()
            #expect(json["state"] as? String == "at")
            #expect(json["current"] as? String == "2.0.0")
            #expect(json["drift"] as? Bool == false)
            #expect(json["checksum"] as? String == "ok")
            #expect(tool("drift", on: database).exitCode == 0)
        }
    }

    @Test("where files of the plan are missing, status and plan end with 3 and name them")
    func missingFiles() async throws {
        try await withTestDatabase { database in
            for command in ["status", "plan"] {
                let run = tool(command, "--dir", "migration", on: database)
                #expect(run.exitCode == 3)
                #expect(run.output.contains("Missing   migration/schema/V1.json, migration/schema/V2.json,"))
                #expect(run.output.contains("fix: run generate, or name the folder with --dir"))
                #expect(!run.output.contains("Nothing"), "\(run.output)")
                let json = try tool(command, "--dir", "migration", "--format", "json", on: database).json()
                #expect((json["missing"] as? [String])?.contains("migration/0002_v1_v2.sql") == true)
                #expect(try tool(command, "--format", "json", on: database).json()["missing"] as? [String] == [])
            }
            #expect(tool("apply", on: database).exitCode == 0)
            for command in ["status", "plan"] {
                let run = tool(command, "--dir", "migration", on: database)
                #expect(run.exitCode == 3)
                #expect(run.errors.contains("The database is at version 2.0.0, and there are no migration files."))
                #expect(run.errors.contains("fix: run generate, or name the folder with --dir"))
            }
        }
    }

    @Test("steps one by one, with their SQL")
    func steps() async throws {
        try await withTestDatabase { database in
            let run = tool("apply", "--steps", "1", "--verbose", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.output.contains("1.1    CREATE TABLE public.trip (pk bigint"))
            #expect(run.output.contains("left for later: 1.2"))
            #expect(!tool("apply", "--steps", "1", on: database).output.contains("INSERT INTO"))
            #expect(tool("status", on: database).output.contains("Version   1.0.0, target 2.0.0"))
        }
    }

    @Test("a command that is misspelled is said to be none, whatever options follow")
    func misspelled() {
        let run = ToolRun(["aply", "--local"], project: WrittenStages.project)
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("There is no command “aply”. There are: generate, lint, plan, apply,"))
    }

    @Test("values that make no sense are wrong usage")
    func senseless() {
        let calls = [
            ["apply", "--steps", "0"], ["apply", "--retries", "0"], ["apply", "--batch-size", "0"],
            ["apply", "--lock-timeout", "0s"], ["apply", "--statement-timeout", "0"], ["apply", "--phase", "all"],
            ["apply", "--lock-timeout", "soon"], ["baseline", "--allow", "M204"], ["lint", "--target-version", "3"],
        ]
        for call in calls { #expect(ToolRun(call, project: WrittenStages.project).exitCode == 2, "\(call)") }
    }

    @Test("a record that no file knows: newer than the code or not, it ends with 5")
    func unknownVersion() async throws {
        try await withTestDatabase { database in
            #expect(tool("apply", on: database).exitCode == 0)
            try await database.execute(
                """
                INSERT INTO strata.schema_version (schema_name, version, fingerprint, stage) \
                VALUES ('public', '3.0.0', 'ff', '0003_v2_v3')
                """)
            for command in ["apply", "plan", "status"] {
                let run = tool(command, on: database)
                #expect(run.exitCode == 5)
                #expect(run.errors.contains("The database is newer than the code: it is at version 3.0.0"))
                #expect(run.errors.contains("fix: use the code that knows version 3.0.0"))
            }
            try await database.execute("UPDATE strata.schema_version SET version = '1.5.0' WHERE version = '3.0.0'")
            let unknown = tool("apply", on: database)
            #expect(unknown.exitCode == 5)
            #expect(unknown.errors.contains("fix: bring its files back"))
        }
    }

    @Test("drift ends with 4 and names the column")
    func drift() async throws {
        try await withTestDatabase { database in
            #expect(tool("apply", on: database).exitCode == 0)
            try await database.execute("ALTER TABLE public.trip ADD COLUMN sneaked text")
            let run = tool("drift", on: database)
            #expect(run.exitCode == 4)
            #expect(run.output.contains("trip.sneaked"))
            let status = tool("status", on: database)
            #expect(status.exitCode == 4)
            #expect(status.output.contains("Drift     1 difference\n            "))
            #expect(status.output.contains("Files     as they were applied"))
        }
    }

    @Test("phases and versions stop apply; status names the pending step")
    func phases() async throws {
        try await withTestDatabase { database in
            #expect(tool("apply", "--to", "1", on: database).exitCode == 0)
            let run = tool("apply", "--phase", "expand", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.output.contains("left for later: 2.2"))
            let status = tool("status", "--format", "json", on: database)
            #expect(status.exitCode == 3)
            let json = try status.json()
            #expect(json["state"] as? String == "in_progress")
            #expect(json["pending"] as? [String] == ["2.2"])
            // Between two versions there is nothing to compare with.
            #expect(json["drift"] is NSNull)
            #expect(tool("drift", on: database).exitCode == 3)
            #expect(tool("apply", on: database).exitCode == 0)
        }
    }

    @Test("data that forbids a stage: plan and apply end with 7, and name the row")
    func refusal() async throws {
        try await withTestDatabase { database in
            #expect(tool("apply", "--to", "1.0.0", on: database).exitCode == 0)
            try await database.execute("INSERT INTO public.trip VALUES (42, '')")
            let plan = tool("plan", on: database)
            #expect(plan.exitCode == 7)
            #expect(plan.output.contains("error[M204]: Trip.name is empty: 1 row"))
            #expect(plan.output.contains("42: "))
            let apply = tool("apply", "--format", "json", on: database)
            #expect(apply.exitCode == 7)
            let json = try apply.json()
            #expect(json["code"] as? String == "preflight_refused")
            #expect(tool("apply", "--allow", "M204", on: database).exitCode == 0)
        }
    }

    @Test("rollback goes back where a way is, and executes nothing where none is")
    func rollback() async throws {
        try await withTestDatabase { database in
            #expect(tool("apply", on: database).exitCode == 0)
            let run = tool("rollback", on: database)
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.output.contains("is at version 1.0.0"))
            let none = tool("rollback", on: database)
            #expect(none.exitCode == 7)
            #expect(none.errors.contains("it would drop trip"))
            #expect(tool("drift", on: database).exitCode == 0)
        }
    }

    @Test("baseline adopts tables that are those of a version, and refuses others")
    func baseline() async throws {
        try await withTestDatabase { database in
            try await database.execute(
                "CREATE TABLE public.trip (pk bigint CONSTRAINT trip_pkey PRIMARY KEY, name text, extra text)")
            #expect(tool("apply", on: database).exitCode != 0)
            let refused = tool("baseline", on: database)
            #expect(refused.exitCode == 4)
            #expect(refused.errors.contains("extra"))
            try await database.execute("ALTER TABLE public.trip DROP COLUMN extra")
            let run = tool("baseline", "--format", "json", on: database)
            #expect(run.exitCode == 0)
            let json = try run.json()
            #expect(json["version"] as? String == "1.0.0")
            #expect(tool("apply", on: database).exitCode == 0)
        }
    }

    @Test("no server ends with 12, and no output holds the password")
    func connection() {
        for format in ["text", "json", "github"] {
            let run = ToolRun(
                [
                    "status", "--format", format, "--database-url",
                    "postgres://app:s3cret-word@127.0.0.1:1/shop?connect_timeout=2",
                ], project: WrittenStages.project, directory: folder.path)
            #expect(run.exitCode == 12)
            #expect(!(run.output + run.errors).contains("s3cret-word"))
        }
    }
}
