import StrataClient
import StrataModels
import StrataTestSupport
import Testing

@testable import StrataMigrations

@Suite("The runner and others", .timeLimit(.minutes(2)))
struct RunnerLockTests {
    @Test("Two runners at once: one works, the other waits and finds everything done")
    func twoRunners() async throws {
        try await withTestDatabase { database in
            let first = RunnerProbe(database)
            let second = RunnerProbe(database)
            async let one: Void = first.apply()
            async let two: Void = second.apply()
            _ = try await (one, two)
            #expect((first.finishedSteps + second.finishedSteps).count == 8)
            #expect(first.finishedSteps.isEmpty || second.finishedSteps.isEmpty)
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("A runner that may not wait is told who is at work")
    func lockedOut() async throws {
        try await withTestDatabase(template: .library) { database in
            let first = RunnerProbe(database)
            let second = RunnerProbe(database)
            // In the middle of the first one's work, on its own thread.
            let refused = RefusalBox()
            try await first.apply { event in
                guard case .stepStarted("2.1", _) = event else { return }
                do {
                    try second.runner(RunnerOptions(waitForRunner: .zero)).apply(RunnerFixture.scripts)
                } catch {
                    refused.error.withLock { $0 = error as? MigrationError }
                }
            }
            let error = try #require(refused.error.withLock { $0 })
            #expect(error.code == .runnerLocked)
            let process = try #require(first.process)
            #expect(error.places.first?.hasPrefix("held by pid \(process) (") == true)
            #expect(error.places.first?.contains("strata migrations") == true)
        }
    }

    @Test("A table lock that cannot be had: the one in the way is named, nothing is changed, and later it succeeds")
    func tableLocked() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            let reader = try await database.connect()
            defer { reader.close() }
            try await reader.run(PostgresBatch(PostgresStatement("BEGIN")))
            try await reader.run(PostgresBatch(PostgresStatement("SELECT count(*) FROM public.trip")))

            let error = try await probe.refusal(options: RunnerOptions(attempts: 3))
            #expect(error.code == .lockNotAvailable)
            #expect(error.sqlState == "55P03")
            #expect(error.places.contains { $0.hasPrefix("in the way: pid \(reader.backendID) ") })
            #expect(error.places.contains { $0.contains("idle in transaction") && $0.contains("SELECT count(*)") })
            let retries = probe.events.compactMap { event -> [MigrationSession]? in
                if case .stepRetry("2.1", _, 3, _, let blockers) = event { blockers } else { nil }
            }
            #expect(retries.count == 2)
            #expect(retries.allSatisfy { $0.first?.pid == reader.backendID })

            let later = RunnerProbe(database)
            let run = Task { try await later.apply() }
            try await later.wait { if case .stepRetry = $0 { true } else { false } }
            try await reader.run(PostgresBatch(PostgresStatement("COMMIT")))
            try await run.value
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("While a step waits for autovacuum, readers and writers do not wait behind it")
    func maintenanceUnderWay() async throws {
        try await withTestDatabase { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            // The lock that VACUUM, ANALYZE and concurrent builds hold.
            let maintenance = try await database.connect()
            defer { maintenance.close() }
            try await maintenance.run(PostgresBatch(PostgresStatement("BEGIN")))
            try await maintenance.run(
                PostgresBatch(PostgresStatement("LOCK TABLE public.trip IN SHARE UPDATE EXCLUSIVE MODE")))
            let run = Task { try await probe.apply() }
            try await waitUntil {
                try await !database.texts(
                    "SELECT mode FROM pg_locks WHERE relation = 'public.trip'::regclass AND NOT granted"
                ).isEmpty
            }
            // Refused at once if somebody waits for a lock that does not go together with it.
            let others = try await database.connect()
            defer { others.close() }
            for sql in [
                "BEGIN", "LOCK TABLE public.trip IN ACCESS SHARE MODE NOWAIT",
                "LOCK TABLE public.trip IN ROW EXCLUSIVE MODE NOWAIT", "COMMIT",
            ] { try await others.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false)))) }
            try await maintenance.run(PostgresBatch(PostgresStatement("COMMIT")))
            try await run.value
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    private func begin(_ statement: String, on database: TestDatabase) async throws -> PostgresConnection {
        let session = try await database.connect()
        for sql in ["BEGIN", statement] {
            try await session.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
        }
        return session
    }

    /// Ends what ``begin(_:on:)`` has begun, when another session waits for it, and a while after that.
    private func commit(_ session: PostgresConnection, after time: Duration, on database: TestDatabase) async throws {
        try await waitUntil {
            try await !database.texts(
                "SELECT mode FROM pg_locks WHERE relation = 'public.trip'::regclass AND NOT granted"
            ).isEmpty
        }
        try await Task.sleep(for: time)
        try await session.run(PostgresBatch(PostgresStatement("COMMIT")))
    }

    @Test("An approach has the time that was asked for, however long the server is silent meanwhile")
    func longApproach() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            let build = try await begin("LOCK TABLE public.trip IN SHARE UPDATE EXCLUSIVE MODE", on: database)
            defer { build.close() }
            let options = RunnerOptions(attempts: 1, lockTimeout: 60_000, silence: .seconds(1))
            let run = Task { try await probe.apply(through: .expand, options: options) }
            try await commit(build, after: .seconds(3), on: database)
            try await run.value
            #expect(probe.finishedSteps.last == "2.1")
        }
    }

    @Test("Waiting for a lock takes nothing of the time that a statement has")
    func waitingBesidesWorking() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            let reader = try await begin("LOCK TABLE public.trip IN ACCESS SHARE MODE", on: database)
            defer { reader.close() }
            let options = RunnerOptions(attempts: 1, lockTimeout: 60_000, statementTimeout: 500)
            let run = Task { try await probe.apply(through: .expand, options: options) }
            try await commit(reader, after: .seconds(2), on: database)
            try await run.value
            #expect(probe.finishedSteps.last == "2.1")
        }
    }

    @Test("What undoes steps has their time, and waits for locks as they do")
    func longUndoing() async throws {
        try await withTestDatabase(template: .library) { database in
            var scripts = RunnerFixture.scripts
            // As a validation, which stops nobody: undoing it together with the others must not wait without end for that.
            scripts[1].steps[1] = MigrationStep(
                id: "2.2", phase: .expand, title: "look", lockTimeout: 0, statements: ["SELECT 1"],
                undo: ["CREATE TABLE seen AS SELECT current_setting('lock_timeout') AS lock_limit"])
            scripts[1].steps[0].undo.insert("SELECT pg_sleep(2)", at: 0)
            let probe = RunnerProbe(database)
            try await probe.apply(scripts, through: .expand)
            let options = RunnerOptions(attempts: 1, silence: .seconds(1))
            try await blocking { [scripts] in try probe.runner(options).rollback(scripts[1]) }
            #expect(try await database.texts("SELECT lock_limit FROM seen") == ["300ms"])
            #expect(
                try await database.texts("SELECT attname::text FROM pg_attribute WHERE attname = 'rating'") == [])
        }
    }

    @Test("Who keeps a step from approaching its lock is named, and nobody who does not")
    func blockersOfApproach() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            let reader = try await begin("LOCK TABLE public.trip IN ACCESS SHARE MODE", on: database)
            defer { reader.close() }
            let build = try await begin("LOCK TABLE public.trip IN SHARE UPDATE EXCLUSIVE MODE", on: database)
            defer { build.close() }
            let error = try await probe.refusal(options: RunnerOptions(attempts: 2, lockTimeout: 200))
            #expect(error.code == .lockNotAvailable)
            let named = error.places.filter { $0.hasPrefix("in the way: ") }
            #expect(named.count == 1 && named[0].hasPrefix("in the way: pid \(build.backendID) "), "\(named)")
            let retries = probe.events.compactMap { event -> [Int32?]? in
                if case .stepRetry("2.1", _, _, _, let blockers) = event { blockers.map(\.pid) } else { nil }
            }
            #expect(retries == [[build.backendID]])
            // Behind the approach it is the reader.
            try await build.run(PostgresBatch(PostgresStatement("COMMIT")))
            let other = try await probe.refusal(options: RunnerOptions(attempts: 1, lockTimeout: 200))
            #expect(
                other.places.filter { $0.hasPrefix("in the way: ") }.map { $0.contains("pid \(reader.backendID) ") }
                    == [true])
        }
    }

    @Test("Rows that others have locked hold a backfill up, and it tries again")
    func rowsLocked() async throws {
        try await withTestDatabase(template: .library) { database in
            let probe = RunnerProbe(database)
            try await probe.apply(to: 1)
            try await probe.apply(through: .expand)
            let writer = try await database.connect()
            defer { writer.close() }
            try await writer.run(PostgresBatch(PostgresStatement("BEGIN")))
            try await writer.run(
                PostgresBatch(PostgresStatement("UPDATE public.trip SET name = 'Locked' WHERE pk = 140")))
            let run = Task { try await probe.apply() }
            try await probe.wait { if case .stepRetry("2.2", _, _, _, _) = $0 { true } else { false } }
            try await writer.run(PostgresBatch(PostgresStatement("COMMIT")))
            try await run.value
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
            #expect(try await database.texts("SELECT name FROM public.trip WHERE pk = 140") == ["Locked"])
        }
    }
}
