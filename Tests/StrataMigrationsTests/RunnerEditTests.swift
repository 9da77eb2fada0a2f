import StrataTestSupport
import Testing

@testable import StrataMigrations

@Suite("Scripts that were edited after they were applied", .timeLimit(.minutes(2)))
struct RunnerEditTests {
    private static let strict = RunnerOptions(verifiesAppliedStages: true)

    @Test(
        "White space, comments, line ends and the case of words make no difference",
        arguments: [
            "alter table public.trip\n\tadd column rating bigint", "ALTER TABLE public.trip ADD COLUMN rating bigint;",
            "ALTER TABLE public.trip -- the stars\r\n ADD /* one to five */ COLUMN rating bigint",
        ])
    func reformatted(text: String) async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            try await probe.apply(through: .expand)
            var scripts = RunnerFixture.scripts
            scripts[1].steps[0].statements = [text]
            scripts[1].steps[0].title = "stars for trips"
            try await probe.apply(scripts, options: Self.strict)
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
            let runner = probe.runner()
            let edited = try await blocking { [scripts] in try runner.editedSteps(in: scripts) }
            #expect(edited == [])
        }
    }

    @Test("A stage that is complete: a changed, a removed and an added step are refused with what differs")
    func completeStage() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply()
            var scripts = RunnerFixture.scripts
            scripts[0].steps[0].statements[1] += " WHERE n < 5"
            scripts[1].steps[0].lockTimeout = 400
            var added = scripts[1].steps[4]
            added.id = "2.7"
            scripts[1].steps[4] = added

            let error = try await probe.refusal(scripts, options: Self.strict)
            #expect(error.code == .integrity)
            #expect(error.message == "0001_v1, 0002_v1_v2 was changed after it had been applied, or a part of it.")
            #expect(error.places.count == 8)
            #expect(error.places[0] == "step 1.1 of 0001_v1: create table trip")
            #expect(error.places[1].hasPrefix("  - INSERT INTO public.trip SELECT") == true)
            #expect(error.places[2].hasSuffix("WHERE n < 5") == true)
            #expect(error.places[3] == "step 2.1 of 0002_v1_v2: add column trip.rating")
            #expect(error.places[4].contains("lock_timeout=300ms"))
            #expect(error.places[5].contains("lock_timeout=400ms"))
            #expect(error.places[6] == "step 2.7 of 0002_v1_v2 was never run: drop column trip.code")
            #expect(error.places[7] == "step 2.5 of 0002_v1_v2 is recorded, and the file has none")

            let runner = probe.runner()
            let lines = try await blocking { [scripts] in try runner.repair(scripts) }
            #expect(
                lines == [
                    "accepted step 1.1 of 0001_v1 as it is now", "accepted step 2.1 of 0002_v1_v2 as it is now",
                    "recorded step 2.7 of 0002_v1_v2 without running it: its stage is complete",
                    "forgot step 2.5 of 0002_v1_v2, which the file does not have",
                ])
            try await probe.apply(scripts, options: Self.strict)
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("Planned scripts may be planned otherwise by a later library: complete stages are not looked at")
    func plannedAnew() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            var scripts = RunnerFixture.scripts
            scripts[0].steps[0].statements = ["CREATE TABLE public.trip ()"]
            try await probe.apply(scripts)
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("A stage that was taken back may be edited")
    func takenBack() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply()
            let runner = probe.runner()
            try await blocking { try runner.rollback(RunnerFixture.second) }
            var scripts = RunnerFixture.scripts
            scripts[1].steps[0].lockTimeout = 400
            try await probe.apply(scripts, options: Self.strict)
            #expect(try await probe.state(scripts).version?.version == RunnerFixture.v2.version)
        }
    }
}
