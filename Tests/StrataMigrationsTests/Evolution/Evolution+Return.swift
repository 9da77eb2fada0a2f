import StrataTestSupport
import Testing

@testable import StrataMigrations

extension Evolution {
    /// Migrates and goes back; `rows` are what `query` finds then.
    func runAndReturn(
        seed: [String], between: [String] = [], expecting query: String, is rows: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let scripts = try scripts()
        guard case .steps = scripts[1].down else {
            Issue.record("no way back: \(scripts[1].down)", sourceLocation: sourceLocation)
            return
        }
        try await withTestDatabase("evolution") { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply([scripts[0]]) }
            for statement in seed { try await database.execute(statement) }
            try await blocking { try runner.apply(scripts) }
            for statement in between { try await database.execute(statement) }
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
        let scripts = try scripts()
        try await withTestDatabase("evolution") { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply([scripts[0]]) }
            for statement in seed { try await database.execute(statement) }
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
