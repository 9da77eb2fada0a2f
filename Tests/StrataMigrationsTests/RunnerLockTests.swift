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
        try await withTestDatabase { database in
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
        try await withTestDatabase { database in
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

    @Test("Rows that others have locked hold a backfill up, and it tries again")
    func rowsLocked() async throws {
        try await withTestDatabase { database in
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
