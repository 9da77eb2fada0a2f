import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrations

/// One change of a schema, run on a database with rows: made at the old version, filled, migrated, looked at.
struct Evolution: Sendable {
    let before: FrozenSchema
    let after: FrozenSchema
    let stage: MigrationChain.Stage

    init(
        _ before: [any PersistentModel.Type], _ after: [any PersistentModel.Type], changes: [SchemaChange] = []
    ) throws {
        self.before = try FrozenSchema(freezing: Schema(before, version: Schema.Version(1, 0, 0)))
        self.after = try FrozenSchema(freezing: Schema(after, version: Schema.Version(2, 0, 0)))
        stage = MigrationChain.Stage(changes: changes)
    }

    init(before: FrozenSchema, after: FrozenSchema, stage: MigrationChain.Stage) {
        (self.before, self.after, self.stage) = (before, after, stage)
    }

    /// The same where the newer classes, which other tests rename to, have no former names.
    var withoutOriginalNames: Evolution {
        var after = after
        for index in after.entities.indices {
            for slot in after.entities[index].attributes.indices {
                after.entities[index].attributes[slot].originalName = nil
            }
            for slot in after.entities[index].relationships.indices {
                after.entities[index].relationships[slot].originalName = nil
            }
        }
        return Evolution(before: before, after: after, stage: stage)
    }

    func scripts() throws -> [StageScript] {
        try MigrationChain(versions: [before, after], stages: [stage]).scriptsThatCanBeMoved()
    }

    /// Runs `body` with a database at the old version that holds the rows which `seed` inserts, and a runner for it.
    func withDatabase(
        _ label: String = "evolution", seed: [String] = [], options: RunnerOptions = RunnerOptions(),
        _ body: (TestDatabase, MigrationRunner, [StageScript]) async throws -> Void
    ) async throws {
        let scripts = try scripts()
        try await withTestDatabase(label, template: .version(scripts[0])) { database in
            try await database.execute(seed)
            let runner = MigrationRunner(
                configuration: database.configuration, schemaName: "public", options: options)
            try await body(database, runner, scripts)
        }
    }

    /// Migrates rows that `seed` inserts; `rows` are what `query` finds then, columns joined by `|`.
    ///
    /// Also holds: the linter finds nothing in what was planned, no step takes a stronger lock than it says or writes a table
    /// anew, the catalogs are those of a fresh database of the new version, and going back ends as `returning` says. `make soak`
    /// does it a second time with a run that ends after every step; which kinds of steps stand that, `OperationTrialTests` shows. And a
    /// third time with other names for keys and classes in the new version.
    func run(
        seed: [String] = [], expecting query: String = "SELECT 1", is rows: [String] = ["1"],
        returning: Return, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for isInterrupted in isSoak ? [false, true] : [false] {
            try await runOnce(seed, isInterrupted: isInterrupted, (query, rows), returning, sourceLocation)
        }
        guard isSoak, let named = after.withOtherKeyNames else { return }
        try await Evolution(before: before, after: named, stage: stage)
            .runOnce(seed, isInterrupted: false, nil, returning, sourceLocation)
    }

    private func runOnce(
        _ seed: [String], isInterrupted: Bool, _ expected: (query: String, rows: [String])?, _ returning: Return,
        _ sourceLocation: SourceLocation
    ) async throws {
        try await withDatabase(seed: seed) { database, runner, scripts in
            expectClean(scripts, sourceLocation)
            let stored = try await contents(of: database)
            if isInterrupted {
                try await applyInterrupted(scripts, on: database)
            } else {
                try await blocking { try runner.apply(scripts) }
            }
            try await expectDeclaredLocks(scripts[1].steps, of: scripts[1].stem, on: database, sourceLocation)
            try await expectCatalog(after, on: database, "after", sourceLocation)
            if let expected {
                let found = try await texts(expected.query, on: database)
                #expect(found == expected.rows, sourceLocation: sourceLocation)
            }
            try await expectReturn(returning, scripts[1], by: runner, on: database, from: stored, sourceLocation)
        }
    }

    /// The rows do not allow the change: nothing is executed, and the message names `word`.
    func refuse(
        seed: [String], naming word: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await withDatabase(seed: seed) { database, runner, scripts in
            let error = await #expect(throws: MigrationError.self, sourceLocation: sourceLocation) {
                try await blocking { try runner.apply(scripts) }
            }
            #expect(error?.code == .preflightRefused, sourceLocation: sourceLocation)
            #expect(
                "\(error.map { "\($0)" } ?? "")".contains(word), "\(String(describing: error))",
                sourceLocation: sourceLocation)
            try await expectCatalog(before, on: database, "after the refusal", sourceLocation)
        }
    }

    /// Ends the run after each step, one after the other, and starts again each time.
    private func applyInterrupted(_ scripts: [StageScript], on database: TestDatabase) async throws {
        struct Killed: Error {}
        let count = scripts[1].steps.count
        for _ in 0...count {
            var options = RunnerOptions()
            options.afterStep = { _ in throw Killed() }
            let runner = MigrationRunner(
                configuration: database.configuration, schemaName: "public", options: options)
            do {
                try await blocking { try runner.apply(scripts) }
                return
            } catch {}
            try await database.expectWritable()
        }
        let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
        try await blocking { try runner.apply(scripts) }
    }

    // MARK: What is planned

    private func expectClean(_ scripts: [StageScript], _ sourceLocation: SourceLocation) {
        let findings = PlannedFindings(
            scripts, before: [nil, before.database], after: [before.database, after.database]
        ).lines
        #expect(findings == [], sourceLocation: sourceLocation)
    }

    /// What the steps say they lock is what the server has locked.
    func expectDeclaredLocks(
        _ steps: [MigrationStep], of stage: String, on database: TestDatabase, _ sourceLocation: SourceLocation
    ) async throws {
        let lines = try await StepWatch(database: database).lines(steps, of: stage)
        #expect(lines == [], "locks of \(stage)", sourceLocation: sourceLocation)
    }

    func expectCatalog(
        _ schema: FrozenSchema, on database: TestDatabase, _ moment: String,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await database.onSession { session in
            let found = try await CatalogInspection.read(schemaName: "public", connection: session)
            let printed = try await blocking {
                try PrintedDefinition(schema.database, found: found.definition, on: session)
            }
            let difference = CatalogDifference(expected: printed, found: found)
            #expect(difference.lines == [], "\(moment)", sourceLocation: sourceLocation)
            let views = try await blocking { try ViewInspection(schema, schemaName: "public", on: session) }
            #expect(views.lines + views.unread == [], "views \(moment)", sourceLocation: sourceLocation)
            let lines = try await blocking {
                try HistoryInspection("public", on: session)
                    .lines(expecting: HistoryDescription(schema).withoutFormerNames)
            }
            #expect(lines == [], "history \(moment)", sourceLocation: sourceLocation)
        }
    }

    func texts(_ query: String, on database: TestDatabase) async throws -> [String] {
        try await database.texts(
            "SELECT concat_ws('|', VARIADIC ARRAY(SELECT coalesce(value, 'nil') FROM json_each_text(row_to_json(q)))) FROM (\(query)) AS q"
        )
    }
}
