import StrataClient
import StrataModels
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataMigrations

@Suite("The runner, custom stages and the way back", .timeLimit(.minutes(2)))
struct RunnerClosureTests {
    private struct Crash: Error {}

    /// Notes what it was asked to run, and what the column was called then.
    private final class Closures: StageClosures {
        private let calls = Mutex<[String]>([])
        private let failing: StageClosure?
        let database: TestDatabase

        init(_ database: TestDatabase, failing: StageClosure? = nil) {
            self.database = database
            self.failing = failing
        }

        var called: [String] { calls.withLock { $0 } }

        func perform(_ closure: StageClosure, stage number: Int) throws {
            let connection = try PostgresConnection.connect(database.configuration)
            defer { connection.close() }
            try connection.run(
                PostgresBatch(
                    PostgresStatement(
                        "SELECT attname::text FROM pg_attribute WHERE attrelid = 'public.trip'::regclass AND attnum = 2"
                    )
                ) { row in
                    let column = try row.decode(0, as: String.self)
                    self.calls.withLock { $0.append("\(closure) \(number) \(column)") }
                })
            if closure == failing { throw Crash() }
        }
    }

    private static var scripts: [StageScript] {
        var second = RunnerFixture.second
        second.steps = [
            MigrationStep(
                id: "2.1", phase: .expand, title: "willMigrate", execution: .closure(.willMigrate), statements: []),
            MigrationStep(
                id: "2.2", phase: .expand, title: "add column",
                statements: ["ALTER TABLE public.trip ADD COLUMN a int"],
                undo: ["ALTER TABLE public.trip DROP COLUMN a"]),
            MigrationStep(
                id: "2.3", phase: .contract, title: "rename name",
                statements: ["ALTER TABLE public.trip RENAME COLUMN name TO title"],
                undo: ["ALTER TABLE public.trip RENAME COLUMN title TO name"]),
            MigrationStep(
                id: "2.4", phase: .contract, title: "didMigrate", execution: .closure(.didMigrate), statements: []),
            MigrationStep(
                id: "2.5", phase: .contract, title: "record",
                statements: [RunnerFixture.recording(RunnerFixture.v2, stage: "0002_v1_v2")]),
        ]
        return [RunnerFixture.first, second]
    }

    @Test("Closures are run at their places, once each")
    func closures() async throws {
        try await withTestDatabase(template: .library) { database in
            let closures = Closures(database)
            try await RunnerProbe(database).apply(Self.scripts, closures: closures)
            #expect(closures.called == ["willMigrate 2 name", "didMigrate 2 title"])
        }
    }

    @Test("Without the plan's executable nothing of the stage is run")
    func noClosures() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            let error = try await probe.refusal(Self.scripts)
            #expect(error.code == .usage)
            #expect(probe.finishedSteps == ["1.1", "1.2"])
        }
    }

    @Test(
        "Ended before didMigrate, willMigrate is run again, and finds the old columns",
        arguments: ["2.1", "2.2", "2.3"])
    func willMigrateAgain(_ last: String) async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            let options = RunnerOptions(afterStep: { if $0 == last { throw Crash() } })
            _ = try await probe.refusal(Self.scripts, options: options, closures: Closures(database))
            let closures = Closures(database)
            try await probe.apply(Self.scripts, closures: closures)
            #expect(closures.called == ["willMigrate 2 name", "didMigrate 2 title"])
            #expect(probe.events.contains(.stepUndone(step: "2.3", title: "rename name")) == (last == "2.3"))
            #expect(try await probe.state(Self.scripts).version?.version == Schema.Version(2, 0, 0))
        }
    }

    @Test("Behind what cannot be undone, willMigrate is not run again, and going on without it must be acknowledged")
    func noWillMigrateAgain() async throws {
        try await withTestDatabase(template: .library) { database in
            var scripts = Self.scripts
            scripts[1].steps[2].undo = []
            let probe = RunnerProbe(database)
            _ = try await probe.refusal(scripts, closures: Closures(database, failing: .didMigrate))
            let closures = Closures(database)
            let error = try await probe.refusal(scripts, closures: closures)
            #expect(error.code == .stepFailed)
            #expect(error.places == ["step 2.3 is done and cannot be undone: rename name"])
            #expect(closures.called == [])
            try await probe.apply(scripts, options: RunnerOptions(allowedChecks: ["M501"]), closures: closures)
            #expect(closures.called == ["didMigrate 2 title"])
        }
    }

    @Test("A closure that throws ends the run; the next one begins with willMigrate")
    func throwingClosure() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            let failing = Closures(database, failing: .didMigrate)
            let error = try await probe.refusal(Self.scripts, closures: failing)
            #expect(error.code == .stepFailed)
            #expect(error.underlying is Crash)
            let closures = Closures(database)
            try await probe.apply(Self.scripts, closures: closures)
            #expect(closures.called == ["willMigrate 2 name", "didMigrate 2 title"])
        }
    }

    @Test("A complete stage goes back by its way down, and forward again")
    func rollback() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply()
            let runner = probe.runner()
            try await blocking { try runner.rollback(RunnerFixture.second) }
            #expect(try await probe.state().version?.version == Schema.Version(1, 0, 0))
            #expect(try await database.texts("SELECT code FROM public.trip WHERE pk = 14") == ["2"])
            try await probe.apply()
            #expect(try await probe.state().version?.version == Schema.Version(2, 0, 0))
            try await blocking { try runner.rollback(RunnerFixture.second) }
            try await blocking { try runner.rollback(RunnerFixture.first) }
            #expect(try await probe.state() == .empty)
        }
    }

    @Test("A rollback that was interrupted must be ended before anything is applied", arguments: ["2.1", "2.2"])
    func interruptedRollback(_ last: String) async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply()
            let options = RunnerOptions(afterStep: { if $0 == last { throw Crash() } })
            let runner = probe.runner(options)
            await #expect(throws: MigrationError.self) {
                try await blocking { try runner.rollback(RunnerFixture.second) }
            }
            #expect(try await probe.refusal().code == .usage)
            let next = probe.runner()
            try await blocking { try next.rollback(RunnerFixture.second) }
            #expect(try await probe.state().version?.version == Schema.Version(1, 0, 0))
            try await probe.apply()
        }
    }

    private static var secondWithoutWayBack: StageScript {
        var script = RunnerFixture.second
        script.down = .none(reason: "it is a test")
        return script
    }

    @Test("A step of the way back that fails, or is edited when it is done, has a way on")
    func editedWayBack() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply()
            guard case .steps(let steps, _) = RunnerFixture.second.down else {
                Issue.record("the second stage has no way back")
                return
            }
            func script(_ change: (inout [MigrationStep]) -> Void) -> StageScript {
                var (script, changed) = (RunnerFixture.second, steps)
                change(&changed)
                script.down = .steps(changed, checks: [])
                return script
            }
            let runner = probe.runner()
            let failing = script { $0[1].statements = ["SELECT 1 / 0"] }
            let failure = await #expect(throws: MigrationError.self) {
                try await blocking { try runner.rollback(failing) }
            }
            #expect(
                failure?.remedy == "remove the cause and run rollback again: it goes on with this step; "
                    + "or correct this step in its file, run hash, and repair if the step was begun")
            let edited = script { $0[0].statements.append("SELECT 1") }
            let refusal = await #expect(throws: MigrationError.self) {
                try await blocking { try runner.rollback(edited) }
            }
            #expect(refusal?.code == .integrity)
            #expect(refusal?.places.first == "step 2.1 of 0002_v1_v2.down: bring trip.code back")
            let kept = await #expect(throws: MigrationError.self) {
                _ = try await blocking { try runner.repair([RunnerFixture.first, Self.secondWithoutWayBack]) }
            }
            #expect(kept?.code == .integrity)
            let lines = try await blocking { try runner.repair([RunnerFixture.first, edited]) }
            #expect(lines == ["accepted step 2.1 of 0002_v1_v2.down as it is now"])
            try await blocking { try runner.rollback(edited) }
            #expect(try await probe.state().version?.version == Schema.Version(1, 0, 0))
        }
    }

    @Test("A stage in progress is taken back by undoing its steps; not when contract has dropped something")
    func rollbackOfPart() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            try await probe.apply(through: .backfill)
            let runner = probe.runner()
            try await blocking { try runner.rollback(RunnerFixture.second) }
            #expect(try await probe.state().version?.version == Schema.Version(1, 0, 0))
            let columns = try await database.texts(
                "SELECT column_name::text FROM information_schema.columns WHERE table_name = 'trip' ORDER BY 1")
            #expect(columns == ["code", "name", "pk"])

            let options = RunnerOptions(afterStep: { if $0 == "2.5" { throw Crash() } })
            _ = try await probe.refusal(options: options)
            do {
                try await blocking { try runner.rollback(RunnerFixture.second) }
                Issue.record("the drop was taken for undone")
            } catch let error as MigrationError {
                #expect(error.code == .usage)
                #expect(error.places == ["step 2.5: drop column trip.code"])
            }
            try await probe.apply()
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }
}
