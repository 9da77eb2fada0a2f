import StrataClient
import StrataModels
import StrataTestSupport
import Testing

@testable import StrataMigrations

@Suite("The runner", .timeLimit(.minutes(2)))
struct RunnerTests {
    @Test("All stages, in order, each step once; again does nothing")
    func everything() async throws {
        try await withTestDatabase { database in
            let probe = RunnerProbe(database)
            #expect(try await probe.state() == .empty)
            try await probe.apply()
            #expect(probe.finishedSteps == ["1.1", "1.2", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"])
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
            let version = try #require(try await probe.state().version)
            #expect(version.version == Schema.Version(2, 0, 0))
            #expect(version.fingerprint == "bb22")
            #expect(version.stage == "0002_v1_v2")

            let again = RunnerProbe(database)
            try await again.apply()
            #expect(again.finishedSteps.isEmpty)
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("Rows that a step changes and returns are counted; those that a query returns are not")
    func countedRows() async throws {
        try await withTestDatabase(template: .library) { database in
            var script = RunnerFixture.first
            let statements = [
                "UPDATE public.trip SET code = 'a' WHERE pk <= 70 RETURNING pk", "SELECT pk FROM public.trip",
                "DELETE FROM public.trip WHERE pk = 7 RETURNING pk, name",
                "WITH gone AS (DELETE FROM public.trip WHERE pk = 14 RETURNING pk) SELECT * FROM gone",
            ]
            for (index, sql) in statements.enumerated() {
                script.steps.insert(
                    MigrationStep(id: "1.\(index + 2)", phase: .contract, title: sql, statements: [sql]), at: index + 1)
            }
            script.steps[statements.count + 1].id = "1.\(statements.count + 2)"
            let probe = RunnerProbe(database)
            let runner = probe.runner()
            try await blocking { [script] in try runner.apply([script]) }
            let rows = probe.events.compactMap { event -> Int64?? in
                if case .stepFinished(_, _, let rows, _) = event { .some(rows) } else { nil }
            }
            #expect(Array(rows.dropFirst().dropLast()) == [10, nil, 1, nil])
        }
    }

    @Test("Phases: each run stops after the one it was asked for, and the state says what is left")
    func phases() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            try await probe.apply(through: .expand)
            guard case .inProgress(let version, let progress) = try await probe.state() else {
                throw Unexpected(text: "no stage is in progress")
            }
            #expect(version?.version == Schema.Version(1, 0, 0))
            #expect(progress.number == 2)
            #expect(progress.done == ["2.1"])
            #expect(progress.pending == ["2.2", "2.3", "2.4", "2.5", "2.6"])
            #expect(progress.phase == .backfill)
            #expect(probe.events.last == .stageStopped(stage: "0002_v1_v2", pending: progress.pending))

            try await probe.apply(through: .backfill)
            #expect(probe.finishedSteps == ["1.1", "1.2", "2.1", "2.2", "2.3"])
            try await probe.apply()
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("Progress of a backfill: every row once, with the total")
    func progress() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply()
            let progress = probe.events.compactMap { event -> MigrationProgress? in
                if case .stepProgress("2.2", let progress) = event { progress } else { nil }
            }
            #expect(progress.map(\.rowsDone) == [10, 20, 30, 40, 50, 60, 70, 80, 90, 95])
            #expect(progress.allSatisfy { $0.rowsTotal == 95 && $0.rowsPerSecond > 0 })
        }
    }

    @Test("What the data does not allow is refused with all offenders, before anything is executed")
    func preflight() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            try await database.execute(
                "UPDATE public.trip SET code = '12x' WHERE pk = 7", "UPDATE public.trip SET code = '' WHERE pk > 630")
            let error = try await probe.refusal()
            #expect(error.code == .preflightRefused)
            #expect(error.places.first == "M204 Trip.code: String → Int would fail: 6 rows")
            #expect(error.places.contains("  7: 12x"))
            #expect(error.places.contains("  and 1 more"))
            #expect(probe.finishedSteps == ["1.1", "1.2"])
            #expect(try await probe.state().version?.version == Schema.Version(1, 0, 0))
            let columns = try await database.texts(
                "SELECT column_name::text FROM information_schema.columns WHERE table_name = 'trip' ORDER BY 1")
            #expect(columns == ["code", "name", "pk"])

            try await database.execute("UPDATE public.trip SET code = (pk / 7)::text")
            try await probe.apply()
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("Rows that do not verify stop the stage before anything is dropped")
    func verification() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            // The first stage has nothing old to spare: it is run whole.
            try await probe.apply(through: .backfill)
            try await database.execute("UPDATE public.trip SET rating = -1 WHERE pk IN (14, 21)")
            let error = try await probe.refusal()
            #expect(error.code == .stepRolledBack)
            #expect(error.places.contains("  14: -1"))
            #expect(error.remedy == "correct the rows and run apply again; or take the stage back with rollback")
            #expect(try await database.texts("SELECT code FROM public.trip WHERE pk = 14") == ["2"])
            try await database.execute("UPDATE public.trip SET rating = code::bigint")
            try await probe.apply()
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("An error in a statement takes the whole step back, and names step, statement and SQLSTATE")
    func failingStatement() async throws {
        try await withTestDatabase(template: .library) { database in
            var scripts = RunnerFixture.scripts
            scripts[1].steps[4].statements.append("DO $$ BEGIN RAISE 'disk full' USING ERRCODE = '53100'; END $$")
            let probe = RunnerProbe(database)
            let error = try await probe.refusal(scripts)
            #expect(error.code == .stepRolledBack)
            #expect(error.sqlState == "53100")
            #expect(error.places.first == "step 2.5 of 0002_v1_v2, phase contract: drop column trip.code")
            #expect(error.places.last?.contains("RAISE 'disk full'") == true)
            #expect(
                error.remedy == "remove the cause and run apply again: it goes on with this step; "
                    + "or take the stage back with rollback; or correct this step in its file, run hash, and repair if the step was begun"
            )
            // The first statement of the step is undone as well.
            #expect(try await database.texts("SELECT code FROM public.trip WHERE pk = 7") == ["1"])
            try await probe.apply()
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("A step that was done and then edited is an error; repair accepts it")
    func editedStep() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            try await probe.apply(through: .expand)
            var scripts = RunnerFixture.scripts
            scripts[1].steps[0].statements = ["ALTER TABLE public.trip ADD COLUMN rating smallint"]
            let error = try await probe.refusal(scripts)
            #expect(error.code == .integrity)
            #expect(
                error.places == [
                    "step 2.1 of 0002_v1_v2: add column trip.rating",
                    "  - ALTER TABLE public.trip ADD COLUMN rating bigint",
                    "  + ALTER TABLE public.trip ADD COLUMN rating smallint",
                ])
            let runner = probe.runner()
            let lines = try await blocking { [scripts] in try runner.repair(scripts) }
            #expect(lines == ["accepted step 2.1 of 0002_v1_v2 as it is now"])
            try await probe.apply(scripts)
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("A step that the catalogs show to be done is recorded, not run")
    func doneByOthers() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            try await probe.apply(through: .expand)
            try await database.execute("CREATE INDEX trip_rating_idx ON public.trip (rating)")
            try await probe.apply()
            #expect(
                probe.events.contains(.stepSkipped(step: "2.3", title: "index trip.rating", reason: .found)))
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("A database that is newer, that was changed, or that has tables without a record is left alone")
    func otherDatabases() async throws {
        try await withTestDatabase { database in
            let probe = RunnerProbe(database)
            try await database.execute("CREATE TABLE public.other (a int)")
            #expect(try await probe.state() == .unrecorded(tables: ["other"]))
            #expect(try await probe.refusal().code == .drift)
            try await probe.apply(options: RunnerOptions(ignoredTables: ["other"]))

            let newer = try await probe.refusal([RunnerFixture.first])
            #expect(newer.code == .integrity)
            #expect(newer.message.contains("newer than the code"))

            var edited = RunnerFixture.scripts
            edited[1].to.fingerprint = "cc33"
            #expect(try await probe.refusal(edited).code == .integrity)
        }
    }

    @Test("The frozen form is kept with the version")
    func description() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            let frozen = FrozenSchema(
                version: Schema.Version(1, 0, 0), entities: [], database: .init(tables: [], sequences: []))
            try await probe.apply(to: 1, options: RunnerOptions(descriptions: [1: frozen]))
            let description = try #require(try await probe.state().version?.description)
            #expect(description.contains("\"entities\": []"))
        }
    }

    @Test("A baseline is recorded once; the stages behind it are applied")
    func baseline() async throws {
        try await withTestDatabase { database in
            for sql in RunnerFixture.first.steps[0].statements { try await database.execute(sql) }
            let probe = RunnerProbe(database)
            let runner = probe.runner()
            try await blocking { try runner.baseline(RunnerFixture.v1, description: nil) }
            try await blocking { try runner.baseline(RunnerFixture.v1, description: nil) }
            try await probe.apply()
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
            do {
                try await blocking { try runner.baseline(RunnerFixture.v1, description: nil) }
                Issue.record("a second version was recorded")
            } catch let error as MigrationError {
                #expect(error.code == .usage)
            }
        }
    }
}
