import StrataTestSupport
import Testing

@testable import StrataMigrations

extension Evolution {
    /// How going back ends, once everything has been applied: as the plan said before anything was.
    enum Return: Equatable {
        /// Every value and every link is what it was, and so are the catalogs.
        case whole
        /// Values may come back in another form, or rows without one with what they were filled with: the plan says so in a note.
        case changed(note: String)
        /// Rows keep it from being begun: nothing is executed, and the message names this.
        case refused(naming: String)
        /// There is no way back, and the plan says why before anything is applied.
        case none(because: String)
        /// One of the above, as the plan says: for tests of several cases that end in several ways.
        case asPlanned
    }

    /// Takes the stage back; `stored` are the rows from before it.
    func expectReturn(
        _ expected: Return, _ script: StageScript, by runner: MigrationRunner, on database: TestDatabase,
        from stored: [String], _ sourceLocation: SourceLocation
    ) async throws {
        let notes = script.notes.filter { $0.hasPrefix("going back, ") }
        guard case .steps(let steps, _) = script.down else {
            guard case .none(let reason) = script.down else { return }
            #expect([.asPlanned, .none(because: reason)].contains(expected), sourceLocation: sourceLocation)
            let error = await #expect(throws: MigrationError.self, sourceLocation: sourceLocation) {
                try await blocking { try runner.rollback(script) }
            }
            #expect(
                error?.message.contains(reason) == true, "\(String(describing: error))", sourceLocation: sourceLocation)
            try await expectCatalog(after, on: database, "without a way back", sourceLocation)
            return
        }
        if case .refused(let word) = expected {
            let error = await #expect(throws: MigrationError.self, sourceLocation: sourceLocation) {
                try await blocking { try runner.rollback(script) }
            }
            #expect(error?.code == .preflightRefused, sourceLocation: sourceLocation)
            #expect("\(error.map { "\($0)" } ?? "")".contains(word), sourceLocation: sourceLocation)
            try await expectCatalog(after, on: database, "after the refusal to go back", sourceLocation)
            return
        }
        try await blocking { try runner.rollback(script) }
        try await expectDeclaredLocks(
            steps, of: script.wayBack.recorded, on: database, sourceLocation)
        try await expectCatalog(before, on: database, "after going back", sourceLocation)
        let returned = try await contents(of: database)
        switch expected == .asPlanned ? notes.first.map(Return.changed) ?? .whole : expected {
        case .changed(let note):
            #expect(notes.contains(note), "\(notes)", sourceLocation: sourceLocation)
            #expect(returned.count == stored.count, "rows after going back", sourceLocation: sourceLocation)
        case .whole:
            #expect(notes == [], sourceLocation: sourceLocation)
            #expect(returned == stored, "rows after going back", sourceLocation: sourceLocation)
        case .none, .refused, .asPlanned:
            Issue.record("there is a way back", sourceLocation: sourceLocation)
        }
    }

    /// Every row of every table, as text: values, links, classes.
    func contents(of database: TestDatabase) async throws -> [String] {
        var lines: [String] = []
        for table in before.database.tables {
            lines += try await database.texts(
                "SELECT '\(table.name) ' || to_jsonb(t)::text FROM \"\(table.name)\" AS t ORDER BY 1")
        }
        return lines
    }

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
