import StrataClient
import StrataModels
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataMigrations

/// The backend answers the COMMIT of a step and is ended then: what was done is in the ledger, and is done once.
@Suite(
    "The runner when its backend ends behind an answered COMMIT", .timeLimit(.minutes(2)),
    .enabled(if: try TestServer.shared().localServer != nil, "needs a private server"))
struct RunnerCommitAnsweredTests {
    private final class Told: Sendable {
        let steps = Mutex<[String]>([])
    }

    private final class Closures: StageClosures {
        let calls = Mutex(0)
        func perform(_: StageClosure, stage _: Int) { calls.withLock { $0 += 1 } }
    }

    /// Applies through a proxy that ends the connection behind the first COMMIT of a step; returns the steps that were finished.
    private func applyCut(
        at step: String, _ scripts: [StageScript], in database: TestDatabase, closures: (any StageClosures)? = nil
    ) async throws -> [String] {
        // The whole statement: BEGIN ISOLATION LEVEL READ COMMITTED has the word too.
        let proxy = try CuttingProxy(
            before: database.configuration, cutAt: "COMMIT\0", .farewellAfterAnswer("COMMIT"))
        defer { proxy.stop() }
        proxy.isArmed = false
        var configuration = proxy.configuration(for: database.configuration)
        // Only so can the proxy see every COMMIT.
        configuration.preparedStatements = .unnamed
        let finished = Told()
        let runner = MigrationRunner(configuration: configuration, schemaName: "public", closures: closures) { event in
            switch event {
            case .stepStarted(step, _): proxy.isArmed = true
            case .stepFinished(let step, _, _, _): finished.steps.withLock { $0.append(step) }
            default: break
            }
        }
        do {
            try await blocking { try runner.apply(scripts) }
            // Nothing is left to be said behind the last COMMIT.
            #expect(step == scripts.last?.steps.last?.id)
        } catch let error as MigrationError {
            #expect(error.code == .connection)
        }
        return finished.steps.withLock { $0 }
    }

    @Test("A step whose COMMIT was answered is not run again", arguments: ["1.1", "1.2", "2.1", "2.4", "2.5", "2.6"])
    func steps(_ step: String) async throws {
        try await withTestDatabase(template: .library) { database in
            let before = try await applyCut(at: step, RunnerFixture.scripts, in: database)
            #expect(before.last == step)
            let next = RunnerProbe(database)
            try await next.apply()
            #expect(before + next.finishedSteps == ["1.1", "1.2", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"])
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("A range of a backfill whose COMMIT was answered is not run again")
    func ranges() async throws {
        try await withTestDatabase(template: .library) { database in
            let before = try await applyCut(at: "2.2", RunnerFixture.scripts, in: database)
            #expect(before == ["1.1", "1.2", "2.1"])
            guard case .inProgress(_, let state) = try await RunnerProbe(database).state() else {
                throw Unexpected(text: "no stage is in progress")
            }
            #expect(state.current?.id == "2.2")
            try await RunnerProbe(database).apply()
            // The statement adds: a row done twice would show in the sum.
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }

    @Test("A closure whose COMMIT was answered is not run again")
    func closure() async throws {
        try await withTestDatabase(template: .library) { database in
            var scripts = RunnerFixture.scripts
            scripts[1].steps.insert(
                MigrationStep(
                    id: "2.0", phase: .expand, title: "willMigrate", execution: .closure(.willMigrate), statements: []),
                at: 0)
            let closures = Closures()
            let before = try await applyCut(at: "2.0", scripts, in: database, closures: closures)
            #expect(before.last == "2.0" && closures.calls.withLock { $0 } == 1)
            try await RunnerProbe(database).apply(scripts, closures: closures)
            #expect(closures.calls.withLock { $0 } == 1)
            #expect(try await RunnerFixture.outcome(database) == RunnerFixture.expectedOutcome)
        }
    }
}
