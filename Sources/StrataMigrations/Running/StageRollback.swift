/// Takes a stage back.
struct StageRollback {
    private let session: RunnerSession
    private let script: StageScript

    init(_ session: RunnerSession, script: StageScript) {
        self.session = session
        self.script = script
        session.author = script.downAuthor
    }

    private var stage: StageName { script.stage }
    private var wayBack: StageName { script.wayBack }

    func run() throws {
        let interrupted = try session.ledger.stageInProgress()
        if interrupted == stage {
            try undoPart()
        } else if interrupted == nil || interrupted == wayBack {
            try goDown(isBegun: interrupted == wayBack)
        } else {
            throw MigrationError(
                .usage, "The stage in progress is \(interrupted.map { "\($0)" } ?? "another"), not \(stage).",
                remedy: "apply or rollback that one first")
        }
    }

    // MARK: A stage in progress

    /// The phases before contract leave everything old as it was, so that undoing what they have added is enough. What
    /// contract did without a way back cannot be taken back at all.
    private func undoPart() throws {
        let done = Set(try session.ledger.steps().filter { $0.stage == stage }.map(\.step))
        let steps = script.steps.filter { done.contains($0.id) }
        let lost = steps.filter { $0.phase == .contract && $0.isIrreversible }
        guard lost.isEmpty else {
            throw MigrationError(
                .usage, "\(stage) cannot be taken back: steps that cannot be undone are done.",
                places: lost.map { "step \($0.id): \($0.title)" }, remedy: "run apply to complete it")
        }
        let undoing = StepUndoing(session, stage: stage, going: .back)
        var together: [MigrationStep] = []
        for step in steps.reversed() {
            try session.requireLock()
            if step.execution == .alone {
                try undoing.undo(together, alsoForgetting: [])
                together = []
                if let index = step.index { try session.dropConcurrently(index) }
                try undoing.undoAlone(step)
            } else {
                together.append(step)
            }
        }
        try undoing.undo(together, alsoForgetting: [])
        try session.ledger.removeSteps(of: stage)
    }

    // MARK: A complete stage

    private func goDown(isBegun: Bool) throws {
        let recorded = try session.ledger.newestVersion()
        // What is left of a way that was begun may be no more than to forget the steps.
        guard isBegun || recorded?.version == script.to.version && recorded?.fingerprint == script.to.fingerprint
        else {
            throw MigrationError(
                .usage,
                "\(stage) leads to version \(script.to.version), and the database is at "
                    + (recorded.map { "version \($0.version)." } ?? "no version."),
                remedy: "take back the newest stage first")
        }
        guard case .steps(let steps, let checks) = script.down else {
            if case .none(let reason) = script.down {
                throw MigrationError(.usage, "\(stage) has no way back: \(reason)")
            }
            return
        }
        var way = script
        way.steps = steps
        way.checks = checks
        way.to = script.from ?? script.to
        if steps.isEmpty {
            session.report(.stageStarted(stage: wayBack.recorded))
        } else {
            let run = StageRun(
                session, script: way, as: wayBack, through: .contract, description: nil, author: script.downAuthor)
            guard try run.run() else { return }
        }
        try session.transaction {
            try session.ledger.removeSteps(of: stage)
            try session.ledger.removeSteps(of: wayBack)
            guard let from = script.from else { return try session.ledger.removeVersions() }
            // The file may have recorded it already.
            let newest = try session.ledger.newestVersion()
            if newest?.version != from.version || newest?.fingerprint != from.fingerprint {
                try session.ledger.record(from, stage: wayBack, description: nil)
            }
            try session.ledger.describeAsBefore()
        }
    }
}
