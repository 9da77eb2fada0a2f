import StrataClient
import StrataModels
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataMigrations

@Suite("The runner after an interruption", .timeLimit(.minutes(2)))
struct RunnerResumeTests {
    private struct Crash: Error {}

    @Test(
        "Ended after any step, it goes on with the next",
        arguments: ["1.1", "1.2", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"])
    func afterStep(_ last: String) async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            let options = RunnerOptions(afterStep: { if $0 == last { throw Crash() } })
            #expect(try await probe.refusal(options: options).code == .unexpected)
            #expect(probe.finishedSteps.last == last)
            try await probe.apply()
            #expect(probe.finishedSteps == ["1.1", "1.2", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"])
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    /// Keys between which none is missing: a range of the backfill ends beside the first key of the next.
    private static var dense: [StageScript] {
        var scripts = RunnerFixture.scripts
        scripts[0].steps[0].statements[1] =
            "INSERT INTO public.trip SELECT n, 'Trip ' || n, n::text FROM generate_series(1, 95) AS n"
        return scripts
    }

    @Test("A backfill reaches each key, also where none is missing between two ranges")
    func denseKeys() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(Self.dense, through: .backfill)
            #expect(try await database.texts("SELECT pk::text FROM public.trip WHERE rating IS DISTINCT FROM pk") == [])
            try await probe.apply(Self.dense)
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test(
        "A connection that is cut in the middle of a backfill: it goes on behind the last range, no row twice and none left out",
        arguments: [false, true])
    func cutInBatches(isDense: Bool) async throws {
        try await withTestDatabase("\(isDense)", template: .library) { database in
            let scripts = isDense ? Self.dense : RunnerFixture.scripts
            let probe = RunnerProbe(database)
            let error = try await probe.refusal(scripts) { event in
                guard case .stepProgress(_, let progress) = event, progress.rowsDone == 40,
                    let process = probe.process
                else { return }
                try? probe.terminate(process)
            }
            #expect(error.code == .connection)
            #expect(error.places.first?.contains("step 2.2") == true)
            guard case .inProgress(_, let state) = try await probe.state(scripts) else {
                throw Unexpected(text: "no stage is in progress")
            }
            #expect(state.current == .init(id: "2.2", rowsDone: 40, rowsTotal: 95))

            let next = RunnerProbe(database)
            try await next.apply(scripts, through: .backfill)
            let wrong = "SELECT pk::text FROM public.trip WHERE rating IS DISTINCT FROM code::bigint"
            #expect(try await database.texts(wrong) == [])
            try await next.apply(scripts)
            // The statement adds: a row done twice would show in the sum.
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("A connection that is cut in the middle of a concurrent build: the invalid index is dropped and built again")
    func cutInBuild() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            try await database.execute("CREATE TABLE public.elsewhere (a int)")
            let reader = try await database.connect()
            defer { reader.close() }
            try await reader.run(PostgresBatch(PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ")))
            try await reader.run(PostgresBatch(PostgresStatement("SELECT * FROM public.elsewhere")))

            let cut = Task { try await probe.refusal() }
            try await probe.wait {
                if case .stepWaiting("2.3", let blockers) = $0 { !blockers.isEmpty } else { false }
            }
            let waiting = probe.events.compactMap { event -> [MigrationSession]? in
                if case .stepWaiting(_, let blockers) = event { blockers } else { nil }
            }
            #expect(waiting.first?.first?.pid == reader.backendID)
            let modes = try await database.texts(
                """
                SELECT DISTINCT mode FROM pg_locks
                WHERE relation = 'public.trip'::regclass AND pid = \(try #require(probe.process)) ORDER BY 1
                """)
            #expect(modes == [RunnerFixture.buildIndex.lock.rawValue + "Lock"])
            try await blocking { try probe.terminate(try #require(probe.process)) }
            #expect(try await cut.value.code == .connection)
            try await reader.run(PostgresBatch(PostgresStatement("ROLLBACK")))
            let validity = try await database.texts(
                "SELECT indisvalid::text FROM pg_index WHERE indexrelid = 'public.trip_rating_idx'::regclass")
            #expect(validity == ["false"])

            try await probe.apply()
            #expect(probe.events.contains(.indexRemoved(step: "2.3", index: "trip_rating_idx")))
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("A build that fails leaves no invalid index behind")
    func failingBuild() async throws {
        try await withTestDatabase(template: .library) { database in
            var scripts = RunnerFixture.scripts
            scripts[1].steps[2].statements = ["CREATE UNIQUE INDEX CONCURRENTLY trip_rating_idx ON trip ((rating % 9))"]
            let probe = RunnerProbe(database)
            let error = try await probe.refusal(scripts)
            #expect(error.code == .stepFailed)
            #expect(error.sqlState == "23505")
            #expect(
                try await database.texts("SELECT to_regclass('public.trip_rating_idx')::text IS NULL || ''") == ["true"]
            )
            // The step was begun: its edit must be accepted.
            #expect(try await probe.refusal().code == .integrity)
            let runner = probe.runner()
            _ = try await blocking { try runner.repair(RunnerFixture.scripts) }
            try await probe.apply()
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }
}
