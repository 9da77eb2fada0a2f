import StrataTestSupport
import Synchronization
import Testing

@testable import StrataMigrations

@Suite("Options of a run", .timeLimit(.minutes(2)))
struct RunnerOptionTests {
    @Test("A number of steps: each run does so many, the last does what is left")
    func steps() async throws {
        try await withTestDatabase(template: .library) { database in
            let options = RunnerOptions(stepLimit: 3)
            let probe = RunnerProbe(database)
            try await probe.apply(options: options)
            #expect(probe.finishedSteps == ["1.1", "1.2", "2.1"])
            let stopped = MigrationEvent.stageStopped(
                stage: "0002_v1_v2", pending: ["2.2", "2.3", "2.4", "2.5", "2.6"])
            #expect(probe.events.last == stopped)
            try await probe.apply(options: options)
            #expect(probe.finishedSteps.last == "2.4")
            try await probe.apply(options: options)
            #expect(probe.finishedSteps == ["1.1", "1.2", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"])
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("Steps between the closures of a stage are run together: one by one would begin again each time")
    func stepsBetweenClosures() async throws {
        try await withTestDatabase(template: .library) { database in
            var scripts = RunnerFixture.scripts
            func closure(_ closure: StageClosure, _ id: String, _ phase: MigrationPhase) -> MigrationStep {
                MigrationStep(
                    id: id, phase: phase, title: closure.rawValue, execution: .closure(closure), statements: [])
            }
            scripts[1].steps.insert(closure(.willMigrate, "2.0", .expand), at: 0)
            scripts[1].steps.insert(closure(.didMigrate, "2.51", .contract), at: 6)
            let closures = CountedClosures()
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            var runs = 0
            while runs < 3, try await probe.state(scripts).version?.version.major == 1 {
                try await probe.apply(scripts, options: RunnerOptions(stepLimit: 1), closures: closures)
                runs += 1
            }
            #expect(runs == 2)
            #expect(closures.performed.withLock { $0 } == [.willMigrate, .didMigrate])
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("The size of batches: as asked for, whatever the step says; the step counts as the same")
    func batchSize() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(options: RunnerOptions(batchSize: 40))
            let progress = probe.events.compactMap { event -> Int64? in
                if case .stepProgress("2.2", let progress) = event { progress.rowsDone } else { nil }
            }
            #expect(progress == [40, 80, 95])
            try await probe.apply(options: RunnerOptions(verifiesAppliedStages: true))
        }
    }

    @Test("Limits of time: as asked for, but a concurrent build keeps waiting without one")
    func timeouts() async throws {
        try await withTestDatabase(template: .library) { database in
            var scripts = RunnerFixture.scripts
            // What the server was told, step by step.
            try await database.execute("CREATE TABLE seen (step text, lock_limit text, time_limit text)")
            func note(_ step: String) -> String {
                "INSERT INTO seen SELECT '\(step)', current_setting('lock_timeout'), current_setting('statement_timeout')"
            }
            scripts[1].steps[0].statements.append(note("2.1"))
            scripts[1].steps[2].statements.append(note("2.3"))
            let options = RunnerOptions(lockTimeout: 40, statementTimeout: 7000, ignoredTables: ["seen"])
            try await RunnerProbe(database).apply(scripts, options: options)
            let seen = try await database.texts("SELECT concat_ws(' ', step, lock_limit, time_limit) FROM seen")
            // The server counts the waiting for one table as part of the statement.
            #expect(seen == ["2.1 40ms 7040ms", "2.3 0 0"])
        }
    }

    @Test("The last try waits as long as was asked for, however few there are", arguments: [1, 2, 3])
    func fewTries(attempts: Int) async throws {
        try await withTestDatabase(template: .library) { database in
            var scripts = RunnerFixture.scripts
            try await database.execute("CREATE SEQUENCE tries", "CREATE TABLE seen (lock_limit text)")
            // All but the last one find that somebody was in the way. A sequence remembers how many there were.
            scripts[1].steps[0].statements.append(
                """
                DO $$
                BEGIN
                    IF nextval('tries') < \(attempts) THEN RAISE SQLSTATE '55P03'; END IF;
                END
                $$
                """)
            scripts[1].steps[0].statements.append("INSERT INTO seen SELECT current_setting('lock_timeout')")
            let options = RunnerOptions(attempts: attempts, lockTimeout: 9000, ignoredTables: ["seen", "tries"])
            try await RunnerProbe(database).apply(scripts, options: options)
            #expect(try await database.texts("SELECT lock_limit FROM seen") == ["9s"])
        }
    }

    @Test("What is asked for bounds the approach of a strong lock too")
    func approach() {
        var step = RunnerFixture.second.steps[4]
        #expect(step.lockTimeout == 2000)
        #expect(RunnerOptions().approachTimeout(of: step) == 5000)
        #expect(RunnerOptions(lockTimeout: 500).approachTimeout(of: step) == 500)
        #expect(RunnerOptions(lockTimeout: 120_000).approachTimeout(of: step) == 120_000)
        step.lockTimeout = 9000
        #expect(RunnerOptions().approachTimeout(of: step) == 9000)
        step.lockTimeout = 0
        #expect(RunnerOptions(lockTimeout: 500).approachTimeout(of: step) == 0)
    }
}

private final class CountedClosures: StageClosures {
    let performed = Mutex<[StageClosure]>([])

    func perform(_ closure: StageClosure, stage number: Int) throws { performed.withLock { $0.append(closure) } }
}
