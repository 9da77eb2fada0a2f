/// Runs one stage, or what is left of it.
struct StageRun {
    private let session: RunnerSession
    private let script: StageScript
    private let stage: StageName
    private let phase: MigrationPhase
    /// Kept with the record of the version.
    private let description: FrozenSchema?

    /// What is acknowledged to go on with `didMigrate` alone.
    private static let interrupted = "M501"
    /// Milliseconds for each question to the data: a scan of a large table takes seconds.
    private static let checkTimeout = 600_000

    /// - Parameters:
    ///   - stage: what it is recorded as; the script's own name where it is left out.
    ///   - author: who changes rows, for the history; what the script says where it is left out.
    init(
        _ session: RunnerSession, script: StageScript, as stage: StageName? = nil, through phase: MigrationPhase,
        description: FrozenSchema?, author: String? = nil
    ) {
        self.session = session
        self.script = script
        self.stage = stage ?? script.stage
        self.phase = phase
        self.description = description
        session.author = author ?? script.author
    }

    /// Whether the stage is complete.
    func run() throws -> Bool {
        try requireSchema()
        if try session.ledger.stageInProgress() != stage {
            // Of an earlier time: the stage was complete, and was taken back by its file without a runner.
            try session.ledger.removeSteps(of: stage)
        }
        var records = try readRecords()
        try requireUnchanged(records)
        let within = script.steps.filter { $0.phase <= phase }
        let pending = script.steps.filter { records[$0.id]?.isDone != true }
        guard within.contains(where: { records[$0.id]?.isDone != true }) else {
            session.report(.stageStopped(stage: stage.recorded, pending: pending.map(\.id)))
            return pending.isEmpty
        }
        session.report(.stageStarted(stage: stage.recorded))
        try requireClosures(within, records)
        try requireTables(for: pending)
        if try rewind(within, records) { records = try readRecords() }

        var isChecked = script.steps.contains { !$0.isClosure && records[$0.id]?.isDone == true }
        for step in within {
            if records[step.id]?.isDone == true {
                session.report(.stepSkipped(step: step.id, title: step.title, reason: .recorded))
                continue
            }
            guard session.mayRunStep || isBetweenClosures(step) else {
                let pending = script.steps.drop { $0.id != step.id }.filter { records[$0.id]?.isDone != true }
                session.report(.stageStopped(stage: stage.recorded, pending: pending.map(\.id)))
                return false
            }
            if !isChecked, !step.isClosure {
                try check()
                isChecked = true
            }
            try session.requireLock()
            try run(step, records[step.id])
            session.stepsRun += 1
            try session.options.afterStep?(step.id)
        }
        guard within.count == script.steps.count else {
            let pending = script.steps.filter { $0.phase > phase }.map(\.id)
            session.report(.stageStopped(stage: stage.recorded, pending: pending))
            return false
        }
        session.report(.stageFinished(stage: stage.recorded, version: script.to.version.description))
        return true
    }

    private func run(_ step: MigrationStep, _ record: LedgerRecords.StepRecord?) throws {
        var run = StepRun(session, step: step, stage: stage, number: script.number, record: record)
        if let description, step.id == script.steps.last?.id {
            run.beforeRecord = { [session, stage] in try session.ledger.describe(stage: stage, description) }
        }
        try run.run()
    }

    private func readRecords() throws -> [String: LedgerRecords.StepRecord] {
        let records = try session.ledger.steps().filter { $0.stage == stage }
        return Dictionary(records.map { ($0.step, $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: What must hold

    private func requireSchema() throws {
        guard script.schemaName == session.schemaName else {
            throw MigrationError(
                .usage,
                "\(stage) is written for the schema \"\(script.schemaName)\", and this run is for \"\(session.schemaName)\"."
            )
        }
    }

    private func requireUnchanged(_ records: [String: LedgerRecords.StepRecord]) throws {
        let edits = try session.ledger.edits(in: script.steps, of: stage, Array(records.values), isComplete: false)
        if let error = MigrationError(edits: edits) { throw error }
    }

    private func requireClosures(_ steps: [MigrationStep], _ records: [String: LedgerRecords.StepRecord]) throws {
        let pending = steps.filter { $0.isClosure && records[$0.id]?.isDone != true }
        guard session.runner.closures == nil, !pending.isEmpty else { return }
        throw MigrationError(
            .usage, "\(stage) is a custom stage: its closures need the executable that holds the migration plan.",
            places: pending.map { "step \($0.id): \($0.title)" },
            remedy: "apply with the executable of the plan, not with the files alone")
    }

    /// Refuses a stage that could not come to its end because the tables are on a worker of Citus, before its first step.
    private func requireTables(for pending: [MigrationStep]) throws {
        let refused = pending.filter(\.operation.isRefusedByCitus)
        guard !refused.isEmpty, try session.isDistributed() else { return }
        throw MigrationError(
            .preflightRefused,
            "\(stage) was not begun: the schema \"\(session.schemaName)\" is on a worker of Citus, which takes no triggers, no other storage of a "
                + "column and no new identity there.",
            places: refused.map { "step \($0.id): \($0.title)" },
            remedy:
                "let two releases do what the stage does at once: one adds the new properties, the next takes the old ones away"
        )
    }

    private func check() throws {
        let checks = script.checks.filter { !session.options.allowedChecks.contains($0.code) }
        guard !checks.isEmpty else { return }
        let begin = ContinuousClock.now
        var findings: [(check: DataCheck, offenders: OffenderQuery.Offenders)] = []
        // One snapshot for all of them.
        try session.connection.withTransaction(isolation: .repeatableRead, readOnly: true) { _ in
            try session.set(
                lockTimeout: RunnerSession.lockTimeout, statementTimeout: Self.checkTimeout, history: .on)
            for check in checks {
                do {
                    let offenders = try session.whileStep(mayTake: Self.checkTimeout) {
                        try OffenderQuery(check.query).run(session)
                    }
                    if offenders.count > 0 { findings.append((check, offenders)) }
                } catch {
                    let cause = MigrationError(running: error)
                    if [.connection, .lockNotAvailable].contains(cause.code) { throw cause }
                    // What the database lacks was asked for first, and says more than a query that could not be carried out for the lack of it.
                    guard findings.isEmpty else { throw refusal(findings) }
                    throw MigrationError(
                        .preflightRefused,
                        "The check \(check.code) of \(stage) cannot be carried out: \(cause.message)",
                        places: ["check \(check.code): \(check.title)"] + cause.places, underlying: error)
                }
            }
        }
        guard findings.isEmpty else { throw refusal(findings) }
        session.report(.checksPassed(stage: stage.recorded, count: checks.count, duration: begin.duration(to: .now)))
    }

    private func refusal(_ findings: [(check: DataCheck, offenders: OffenderQuery.Offenders)]) -> MigrationError {
        let places = findings.flatMap { check, offenders in
            ["\(check.code) \(check.title): \(offenders.count) \(offenders.count == 1 ? "row" : "rows")"]
                + offenders.lines.map { "  " + $0 } + (check.remedy.isEmpty ? [] : ["  fix: " + check.remedy])
        }
        let begun = script.steps.contains { $0.isClosure && $0.execution == .closure(.willMigrate) }
        return MigrationError(
            .preflightRefused,
            "The data does not allow \(stage); "
                + (begun ? "nothing was executed but willMigrate." : "nothing was executed."),
            places: places,
            remedy:
                "change the data, or the stage and then its files with generate --rewrite as long as no database has "
                + "them; then run \(stage.command) again")
    }

    // MARK: Closures after an interruption

    /// Behind `willMigrate` and not behind `didMigrate`: to stop here would mean to begin with `willMigrate` again.
    private func isBetweenClosures(_ step: MigrationStep) -> Bool {
        guard let will = script.steps.firstIndex(where: { $0.execution == .closure(.willMigrate) }),
            let did = script.steps.firstIndex(where: { $0.execution == .closure(.didMigrate) }),
            let position = script.steps.firstIndex(where: { $0.id == step.id })
        else { return false }
        return will < position && position <= did
    }

    /// Prepares a stage for running `willMigrate` again: what it keeps for `didMigrate` lives in memory, and is gone when the
    /// process that ran it has ended. Returns whether records were changed.
    private func rewind(_ within: [MigrationStep], _ records: [String: LedgerRecords.StepRecord]) throws -> Bool {
        guard let will = script.steps.first(where: { $0.execution == .closure(.willMigrate) }),
            records[will.id]?.isDone == true,
            let did = within.first(where: { $0.execution == .closure(.didMigrate) }), records[did.id]?.isDone != true,
            !session.options.allowedChecks.contains(Self.interrupted)
        else { return false }
        try requireWayBack(from: will, to: did, records)
        // It reads with the old classes: what hides their tables or columns goes first.
        let undone = script.steps.reversed().filter {
            $0.phase == .contract && records[$0.id]?.isDone == true && !$0.undo.isEmpty
        }
        try StepUndoing(session, stage: stage, going: stage.direction).undo(undone, alsoForgetting: [will])
        return true
    }

    /// Between the two closures, some steps cannot be undone: triggers that carried what is written are gone, rows have
    /// other classes. Then `willMigrate` cannot run again, and whether `didMigrate` can do without is for people to say.
    private func requireWayBack(
        from will: MigrationStep, to did: MigrationStep, _ records: [String: LedgerRecords.StepRecord]
    ) throws {
        let lost = script.steps.prefix { $0.id != did.id }.filter {
            $0.phase == .contract && records[$0.id]?.isDone == true && $0.isIrreversible
        }
        guard !lost.isEmpty else { return }
        throw MigrationError(
            .stepFailed,
            "\(stage) was interrupted between willMigrate and didMigrate: what willMigrate keeps in memory is "
                + "gone, and it cannot run again.",
            places: lost.map { "step \($0.id) is done and cannot be undone: \($0.title)" },
            remedy:
                "if didMigrate needs nothing of willMigrate, run apply with --allow \(Self.interrupted); otherwise restore "
                + "the database from its backup")
    }
}

extension MigrationStep {
    var isClosure: Bool {
        if case .closure = execution { true } else { false }
    }
}
