import StrataTestSupport
import Testing

@testable import StrataMigrations

extension Evolution {
    /// Migrates and goes back; `rows` are what `query` finds then.
    func runAndReturn(
        seed: [String], between: [String] = [], expecting query: String, is rows: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await withDatabase(seed: seed) { database, runner, scripts in
            guard case .steps = scripts[1].down else {
                Issue.record("no way back: \(scripts[1].down)", sourceLocation: sourceLocation)
                return
            }
            try await blocking { try runner.apply(scripts) }
            try await database.execute(between)
            try await blocking { try runner.rollback(scripts[1]) }
            try await expectCatalog(before, on: database, "after going back", sourceLocation)
            let found = try await texts(query, on: database)
            #expect(found == rows, sourceLocation: sourceLocation)
        }
    }

    /// Migrates through a phase, runs statements, and takes the stage back before it is complete.
    func runAndUndo(
        seed: [String], through phase: MigrationPhase, expecting query: String, is rows: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await withDatabase(seed: seed) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: phase) }
            try await blocking { try runner.rollback(scripts[1]) }
            try await expectCatalog(before, on: database, "after \(phase) was undone", sourceLocation)
            let leftovers = try await texts(
                "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgname LIKE 'strata_sync%'", on: database)
            #expect(leftovers == [], sourceLocation: sourceLocation)
            #expect(try await texts(query, on: database) == rows, sourceLocation: sourceLocation)
            // What was taken back can be done again.
            try await blocking { try runner.apply(scripts) }
            try await expectCatalog(after, on: database, "after all", sourceLocation)
        }
    }
}
