import Foundation
import StrataTestSupport
import Testing

@Suite("The tool, when something does not fit", .timeLimit(.minutes(3)))
struct ProcessRefusalTests {
    @Test("marks of a merge, in the sums or in a stage: 5 with the line; rebase, or what git had, helps")
    func mergeConflict() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder()
            try folder.folder.edit("migrations/migrations.sum") {
                $0.replacing("0003_v2_v3.sql ", with: "<<<<<<< HEAD\n0003_v2_v3.sql ") + "=======\n>>>>>>> feature\n"
            }
            let sums = try await folder.run("apply", on: database)
            #expect(sums.exitCode == 5)
            #expect(sums.errors.firstMatch(of: /--> migrations\/migrations\.sum:\d+/) != nil, "\(sums.errors)")
            #expect(sums.errors.contains("rebase"))
            let rebase = try await SampleTripsProcess.run("rebase", directory: folder.directory)
            #expect(rebase.exitCode == 0, "\(rebase.errors)")

            let stage = "migrations/0004_v3_v4.sql"
            let text = try String(contentsOfFile: folder.folder.path + "/" + stage, encoding: .utf8)
            try folder.folder.edit(stage) {
                $0.replacing("-- step 4.2 ", with: "<<<<<<< HEAD\n=======\n>>>>>>> feature\n-- step 4.2 ")
            }
            let file = try await folder.run("apply", on: database)
            #expect(file.exitCode == 5)
            #expect(file.errors.firstMatch(of: /--> migrations\/0004_v3_v4\.sql:\d+/) != nil, "\(file.errors)")
            try folder.folder.write(text, to: stage)
            try await folder.bringHome(database)
        }
    }

    @Test("an applied file that was edited: 5 by the sums, then by the database, with the step and what differs")
    func editedFile() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder()
            let applied = "migrations/0003_v2_v3.sql"
            let text = try String(contentsOfFile: folder.folder.path + "/" + applied, encoding: .utf8)
            let step = try #require(text.firstMatch(of: /-- step (3\.\d+) phase=\w+ tx=own[^\n]* lock_timeout=2s/))
            try folder.folder.edit(applied) { _ in
                text.replacingCharacters(
                    in: step.range, with: step.0.replacing("lock_timeout=2s", with: "lock_timeout=3s"))
            }
            let sums = try await folder.run("apply", on: database)
            #expect(sums.exitCode == 5)
            #expect(sums.errors.contains("migrations/0003_v2_v3.sql"))

            try folder.hash()
            for command in ["apply", "plan"] {
                let run = try await folder.run(command, on: database)
                #expect(run.exitCode == 5)
                #expect(run.errors.contains("error[integrity]: 0003_v2_v3 was changed after it had been applied"))
                #expect(run.errors.contains("  --> step \(step.1) of 0003_v2_v3: "))
                #expect(run.errors.firstMatch(of: /-->   - step .* lock_timeout=2s/) != nil)
                #expect(run.errors.firstMatch(of: /-->   \+ step .* lock_timeout=3s/) != nil)
                #expect(run.errors.contains("fix: restore the file"))
            }
            let status = try await folder.run("status", "--ignore", "probe", "--format", "json", on: database)
            #expect(status.exitCode == 5)
            #expect(status.output.contains(#""checksum" : "edited""#))

            // White space and comments are no edits.
            try folder.folder.write(
                text.replacing("\nBEGIN;\n", with: "\n  begin ;  -- of the step\n\n"), to: applied)
            try folder.hash()
            try await folder.bringHome(database)
        }
    }

    @Test("a database that is newer than the code: 5, and it is left alone")
    func newerDatabase() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder()
            try await database.execute(
                """
                INSERT INTO strata.schema_version (schema_name, version, fingerprint, stage) \
                VALUES ('public', '5.0.0', 'ff', '0005_v4_v5')
                """)
            let run = try await folder.run("apply", on: database)
            #expect(run.exitCode == 5)
            #expect(run.errors.contains("The database is newer than the code: it is at version 5.0.0"))
            #expect(run.errors.contains("fix: use the code that knows version 5.0.0"))
            try await database.execute("DELETE FROM strata.schema_version WHERE version = '5.0.0'")
            try await folder.bringHome(database)
        }
    }

    @Test("data that does not allow the stage: 7 with the keys, before anything is executed")
    func preflight() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder()
            try folder.folder.write(
                """
                -- Checks of 0004_v3_v4.

                -- check M999
                --   values must not be negative
                -- remedy: make them positive
                SELECT pk::text, value::text FROM public.probe WHERE value < 0 ORDER BY pk;
                """, to: "migrations/0004_v3_v4.checks.sql")
            try folder.edit("0004_v3_v4.sql") {
                $0.replacing("\n-- checks: none\n", with: "\n-- checks: 0004_v3_v4.checks.sql\n")
            }
            try await database.execute("UPDATE public.probe SET value = -pk WHERE pk IN (30, 33)")
            for command in ["plan", "apply"] {
                let run = try await folder.run(command, on: database)
                #expect(run.exitCode == 7)
                let text = run.output + run.errors
                #expect(text.contains("M999"))
                #expect(text.contains("30: -30"))
                #expect(text.contains("33: -33"))
                #expect(text.contains("make them positive"))
            }
            let status = try await folder.run("status", "--format", "json", on: database)
            #expect(status.output.contains(#""state" : "at""#))
            try await database.execute("UPDATE public.probe SET value = 0")
            try await folder.bringHome(database)
        }
    }

    @Test("pending 3, drift 4, lint 6, wrong usage 2, no server 12, done 0")
    func otherCodes() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder()
            let pending = try await folder.run("status", "--ignore", "probe", on: database)
            #expect(pending.exitCode == 3)
            #expect(pending.output.contains("Pending   0004_v3_v4"))
            #expect(try await folder.run("plan", on: database).exitCode == 3)
            try await folder.bringHome(database)

            try await database.execute("ALTER TABLE public.trip ADD COLUMN sneaked text")
            for command in ["drift", "status"] {
                let drift = try await folder.run(command, "--ignore", "probe", on: database)
                #expect(drift.exitCode == 4)
                #expect(drift.output.contains("trip.sneaked"))
            }
            try await database.execute("ALTER TABLE public.trip DROP COLUMN sneaked")
            #expect(try await folder.run("drift", "--ignore", "probe", on: database).exitCode == 0)

            try folder.folder.write("CREATE INDEX trip_x ON trip (name);\n", to: "own.sql")
            let lint = try await SampleTripsProcess.run("lint", "own.sql", directory: folder.directory)
            #expect(lint.exitCode == 6)
            #expect(lint.output.contains("own.sql:1"))
            #expect(try await SampleTripsProcess.run("apply", "--phase", "all").exitCode == 2)
            #expect(try await SampleTripsProcess.run("aply").exitCode == 2)
            let nowhere = try await SampleTripsProcess.run(
                "status", "--database-url", "postgres://app:s3cret-word@127.0.0.1:1/shop")
            #expect(nowhere.exitCode == 12)
            #expect(!(nowhere.output + nowhere.errors).contains("s3cret-word"))
        }
    }

    @Test("a flag comes before the environment, and the environment before the configuration file, which it says")
    func precedence() async throws {
        try await withTestDatabase(template: SampleFolder.database) { database in
            let folder = try SampleFolder()
            let nowhere = "postgres://127.0.0.1:1/none"
            try folder.folder.write(
                #"{"environments": {"production": {"databaseURL": "\#(nowhere)"}}}"#, to: "strata.json")
            let named = try await SampleTripsProcess.run(
                "status", "--ignore", "probe", "--env", "production", directory: folder.directory,
                environment: ["DATABASE_URL": database.url])
            #expect(named.exitCode == 3)
            #expect(named.output.contains("that of the environment variables, not that of --env production"))
            let flag = try await SampleTripsProcess.run(
                "status", "--ignore", "probe", "--env", "production", "--database-url", database.url,
                directory: folder.directory,
                environment: ["DATABASE_URL": nowhere])
            #expect(flag.exitCode == 3)
            #expect(!flag.output.contains("--env production"))
        }
    }
}
